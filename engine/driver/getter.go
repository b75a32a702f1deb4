package driver

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// maxWatched bounds the methods that are called after a call.
const maxWatched = 4

// getters writes calls of the exported methods of a value that take nothing and return something, do not panic by
// themselves in some states, which would make an input of no use for what was called before, and are no actions. Those come first whose
// results are easy to read, as nothing stands before them then, and of these those that say more: what is in a list rather than how much.
func (m *maker) getters(b *strings.Builder, value string, named *types.Named, except *types.Func) {
	var list []*types.Func
	for i := range named.NumMethods() {
		fn := named.Method(i)
		sig := fn.Signature()
		if !fn.Exported() || fn == except || sig.Params().Len() > 0 || sig.Results().Len() != 1 ||
			isWaiting(fn) || m.writer.refuses(fn) || m.writer.acts(fn) || m.writer.danger.Reason(fn) != "" {
			continue
		}
		list = append(list, fn)
	}
	slices.SortStableFunc(list, func(a, b *types.Func) int { return legibility(a) - legibility(b) })
	for _, fn := range list[:min(len(list), maxWatched)] {
		fmt.Fprintf(b, "%s.%s()\n", value, fn.Name())
	}
}

// legibility is 0 for a getter whose result is a text, and more for those that are harder to read, or say less.
func legibility(getter *types.Func) int {
	switch u := getter.Signature().Results().At(0).Type().Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString == 0 {
			return 2
		}
		return 0
	case *types.Slice:
		_, generic := u.Elem().(*types.TypeParam) // which gets a basic type if it can
		if generic || testfile.BasicOf(u) == nil && testfile.BasicOf(u.Elem()) != nil {
			return 1
		}
		return 3
	case *types.Map, *types.Array:
		return 3
	}
	return 4
}

// refuses reports whether a function calls panic.
func (w *writer) refuses(fn *types.Func) bool {
	d := w.declared(fn.Origin())
	return d != nil && w.uses(d, types.Universe.Lookup("panic"))
}

// acts reports whether a method alters its receiver, and tells no more than whether it could: it is no question.
func (w *writer) acts(fn *types.Func) bool {
	results := fn.Signature().Results()
	return results.Len() == 1 && types.Identical(results.At(0).Type(), testfile.ErrorType) && w.alters(fn.Origin(), map[*types.Func]bool{})
}

// alters reports whether a method may alter its receiver, as far as its body shows it: it assigns to a part, hands
// one on that can be written to, or calls another method that does. Seen are those looked at before.
func (w *writer) alters(fn *types.Func, seen map[*types.Func]bool) (found bool) {
	d := w.declared(fn)
	if d == nil || d.Recv == nil || len(d.Recv.List[0].Names) == 0 || seen[fn] {
		return false
	}
	seen[fn] = true
	recv := w.pkg.TypesInfo.Defs[d.Recv.List[0].Names[0]]
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				found = found || w.isPart(x, recv)
			}
		case *ast.IncDecStmt:
			found = found || w.isPart(n.X, recv)
		case *ast.CallExpr:
			found = found || w.handsOn(n, recv) || w.callsAltering(n, recv, seen)
		}
		return !found
	})
	return found
}

// handsOn reports whether a call is given a part of a receiver in a form in which it can be written to: its address, or a slice of it; or
// the first argument of copy, clear or delete.
func (w *writer) handsOn(call *ast.CallExpr, recv types.Object) bool {
	for i, arg := range call.Args {
		switch x := ast.Unparen(arg).(type) {
		case *ast.SliceExpr:
			if w.isPart(x.X, recv) {
				return true
			}
		case *ast.UnaryExpr:
			if x.Op == token.AND && w.isPart(x.X, recv) {
				return true
			}
		}
		if name, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && i == 0 && w.isPart(arg, recv) {
			switch name.Name {
			case "copy", "clear", "delete":
				return true
			}
		}
	}
	return false
}

// callsAltering reports whether a call is of another method of the receiver that alters it.
func (w *writer) callsAltering(call *ast.CallExpr, recv types.Object, seen map[*types.Func]bool) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	fn, isMethod := w.pkg.TypesInfo.Uses[sel.Sel].(*types.Func)
	return ok && isMethod && w.pkg.TypesInfo.Uses[id] == recv && w.alters(fn.Origin(), seen)
}

// isPart reports whether an expression is a field of a receiver, or within one, or what it points to.
func (w *writer) isPart(e ast.Expr, recv types.Object) bool {
	for part := false; ; part = true {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.Ident:
			return part && w.pkg.TypesInfo.Uses[x] == recv
		default:
			return false
		}
	}
}

// declared is the declaration of a function of the package; nil: it has none with a body.
func (w *writer) declared(fn *types.Func) *ast.FuncDecl {
	if w.declarations == nil {
		w.declarations = map[types.Object]*ast.FuncDecl{}
		for _, d := range functionsIn(w.pkg) {
			w.declarations[w.pkg.TypesInfo.Defs[d.Name]] = d
		}
	}
	return w.declarations[fn]
}
