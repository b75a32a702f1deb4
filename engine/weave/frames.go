package weave

import (
	"go/ast"
	"go/types"
	"strings"
)

// A clone that is a function of its own adds a frame to the stack. That would
// change the behaviour of a program that counts frames.

// recovers reports whether body itself, not a function literal in it, calls
// recover.
func recovers(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		found = found || ok && isNamed(ast.Unparen(call.Fun), "recover")
		return !found
	})
	return found
}

// collectFrameCounters notes the functions that ask the run-time for their
// callers.
func (w *weaver) collectFrameCounters() {
	w.counters = map[*types.Func]bool{}
	for _, f := range w.order {
		if f.pkg == nil {
			continue
		}
		for _, d := range f.syntax.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Body == nil || !callsAny(d.Body, f.pkg.TypesInfo, asksForCallers) {
				continue
			}
			if fn, ok := f.pkg.TypesInfo.Defs[d.Name].(*types.Func); ok {
				w.counters[fn] = true
			}
		}
	}
}

// asksForCallers reports whether fn is one of the run-time's functions that
// give frames of the stack.
func asksForCallers(fn *types.Func) bool {
	return fn.Pkg() != nil && fn.Pkg().Path() == "runtime" && strings.HasPrefix(fn.Name(), "Caller")
}

// countsFrames reports whether fn asks for its callers, or calls a function
// that does. Those farther away count frames of functions between.
func (w *weaver) countsFrames(fn *function) bool {
	return callsAny(fn.body, fn.source.Info, func(callee *types.Func) bool {
		return asksForCallers(callee) || w.counters[callee.Origin()]
	})
}

// callsAny reports whether a function that is wanted is named in body.
func callsAny(body *ast.BlockStmt, info *types.Info, wanted func(*types.Func) bool) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			fn, ok := info.Uses[id].(*types.Func)
			found = found || ok && wanted(fn)
		}
		return !found
	})
	return found
}
