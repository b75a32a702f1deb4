// Package methods finds out what the methods of a package do to their receivers, as far as the source shows it.
package methods

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Methods are the methods of a package.
type Methods struct {
	pkg          *packages.Package
	declarations map[types.Object]*ast.FuncDecl // of functions and methods, see declared; nil: not computed yet
}

// Of returns the methods of a package, which has to be loaded with its syntax and types.
func Of(pkg *packages.Package) *Methods { return &Methods{pkg: pkg} }

// Alters reports whether a method may change its receiver, as far as the source shows it.
func (m *Methods) Alters(fn *types.Func) bool { return m.alters(fn.Origin(), map[*types.Func]bool{}) }

// Refuses reports whether a function of the package calls panic in its own body.
func (m *Methods) Refuses(fn *types.Func) bool {
	d := m.declared(fn.Origin())
	return d != nil && m.Uses(d, types.Universe.Lookup("panic"))
}

// alters reports whether a method may change its receiver: its body assigns to a part of it, passes on a part that can
// be written to, or calls another method of the receiver that does. seen holds the methods visited so far.
func (m *Methods) alters(fn *types.Func, seen map[*types.Func]bool) (found bool) {
	d := m.declared(fn)
	if d == nil || d.Recv == nil || len(d.Recv.List[0].Names) == 0 || seen[fn] {
		return false
	}
	seen[fn] = true
	recv := m.pkg.TypesInfo.Defs[d.Recv.List[0].Names[0]]
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				found = found || m.isPart(x, recv)
			}
		case *ast.IncDecStmt:
			found = found || m.isPart(n.X, recv)
		case *ast.CallExpr:
			found = found || m.handsOn(n, recv) || m.callsAltering(n, recv, seen)
		}
		return !found
	})
	return found
}

// handsOn reports whether a call gets a part of the receiver that it can write to: its address, a slice of it, or the
// first argument of copy, clear or delete.
func (m *Methods) handsOn(call *ast.CallExpr, recv types.Object) bool {
	for i, arg := range call.Args {
		switch x := ast.Unparen(arg).(type) {
		case *ast.SliceExpr:
			if m.isPart(x.X, recv) {
				return true
			}
		case *ast.UnaryExpr:
			if x.Op == token.AND && m.isPart(x.X, recv) {
				return true
			}
		}
		if name, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && i == 0 && m.isPart(arg, recv) {
			switch name.Name {
			case "copy", "clear", "delete":
				return true
			}
		}
	}
	return false
}

// callsAltering reports whether a call is one of another method of the receiver that changes it.
func (m *Methods) callsAltering(call *ast.CallExpr, recv types.Object, seen map[*types.Func]bool) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	fn, isMethod := m.pkg.TypesInfo.Uses[sel.Sel].(*types.Func)
	return ok && isMethod && m.pkg.TypesInfo.Uses[id] == recv && m.alters(fn.Origin(), seen)
}

// isPart reports whether an expression is a field or an element of the receiver, or within one, or what it points to.
func (m *Methods) isPart(e ast.Expr, recv types.Object) bool {
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
			return part && m.pkg.TypesInfo.Uses[x] == recv
		default:
			return false
		}
	}
}

// declared returns the declaration of a function of the package; nil: it has none with a body.
func (m *Methods) declared(fn *types.Func) *ast.FuncDecl {
	if m.declarations == nil {
		m.declarations = map[types.Object]*ast.FuncDecl{}
		for _, f := range m.pkg.Syntax {
			for _, decl := range f.Decls {
				if d, ok := decl.(*ast.FuncDecl); ok && d.Body != nil {
					m.declarations[m.pkg.TypesInfo.Defs[d.Name]] = d
				}
			}
		}
	}
	return m.declarations[fn]
}

// SettersFirst moves the methods to the front that set a field that reader reads, and returns how many they are. It
// keeps the order otherwise.
func (m *Methods) SettersFirst(fns []*types.Func, reader *types.Func) (setters int) {
	read := map[string]bool{}
	m.fieldsOf(reader, read, map[string]bool{}, map[*types.Func]bool{})
	var first, rest []*types.Func
	for _, fn := range fns {
		written := map[string]bool{}
		m.fieldsOf(fn, map[string]bool{}, written, map[*types.Func]bool{})
		rest = append(rest, fn)
		for field := range written {
			if read[field] {
				first, rest = append(first, fn), rest[:len(rest)-1]
				break
			}
		}
	}
	copy(fns, slices.Concat(first, rest))
	return len(first)
}

// Shares reports whether reader reads a field of its receiver that other uses, too, so that it may show what other did.
func (m *Methods) Shares(reader, other *types.Func) bool {
	read, used := map[string]bool{}, map[string]bool{}
	m.fieldsOf(reader, read, map[string]bool{}, map[*types.Func]bool{})
	m.fieldsOf(other, used, used, map[*types.Func]bool{})
	for field := range read {
		if used[field] {
			return true
		}
	}
	return false
}

// fieldsOf adds to read the fields of its receiver that a method reads, and to written those that it assigns to. Other
// methods that it calls on the receiver count, too. seen holds the methods visited so far.
func (m *Methods) fieldsOf(fn *types.Func, read, written map[string]bool, seen map[*types.Func]bool) {
	d := m.declared(fn.Origin())
	if d == nil || d.Recv == nil || len(d.Recv.List[0].Names) == 0 || seen[fn.Origin()] {
		return
	}
	seen[fn.Origin()] = true
	recv := m.pkg.TypesInfo.Defs[d.Recv.List[0].Names[0]]
	assigned := map[ast.Node]bool{}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				assigned[ast.Unparen(left)] = true
			}
		case *ast.IncDecStmt:
			assigned[ast.Unparen(n.X)] = true
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			if !ok || m.pkg.TypesInfo.Uses[x] != recv {
				break
			}
			method, isMethod := m.pkg.TypesInfo.Uses[n.Sel].(*types.Func)
			switch {
			case isMethod:
				m.fieldsOf(method, read, written, seen)
			case assigned[n]:
				written[n.Sel.Name] = true
			default:
				read[n.Sel.Name] = true
			}
		}
		return true
	})
}

// Uses reports whether the body of a function of the package names an object. The function must have a body.
func (m *Methods) Uses(d *ast.FuncDecl, obj types.Object) (found bool) {
	ast.Inspect(d.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && m.pkg.TypesInfo.Uses[id] == obj
		return !found
	})
	return found
}
