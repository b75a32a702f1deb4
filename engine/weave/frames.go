package weave

import (
	"go/ast"
	"go/types"
	"strings"
)

// A clone that is a function of its own adds a frame to the stack. That would change the behaviour of a function that
// looks at its callers, as by runtime.Caller, or that calls recover.

// recovers reports whether body itself calls recover; function literals in it do not count.
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

// collectFrameCounters records the functions that ask package runtime for their callers.
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

// asksForCallers reports whether fn looks at the stack frames above its caller, as runtime.Caller does.
func asksForCallers(fn *types.Func) bool {
	switch fn.FullName() {
	case "log.Output", "(*log.Logger).Output", "(*testing.common).Helper", "(testing.TB).Helper":
		return true
	}
	return fn.Pkg() != nil && fn.Pkg().Path() == "runtime" && strings.HasPrefix(fn.Name(), "Caller")
}

// countsFrames reports whether fn asks for its callers, or names a function that does. Functions farther up the stack
// are assumed not to matter: the frames that are counted are those of the functions in between.
func (w *weaver) countsFrames(fn *function) bool {
	return callsAny(fn.body, fn.source.Info, func(callee *types.Func) bool {
		return asksForCallers(callee) || w.counters[callee.Origin()]
	})
}

// callsAny reports whether body names a function for which wanted is true.
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
