// Package usage finds out how the tests of a package get values of its types.
package usage

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// Usage records how tests get values of types, by the qualified names of these.
type Usage struct {
	empty       map[string]bool // by a variable without a value, new, or a literal that sets exported fields at most
	filled      map[string]bool // by a literal with elements, or with an assignment to a field
	constructed map[string]bool // by a call of a function of the package under test
}

// Of returns the usage in the test files of some packages, which test the package with the given import path: that
// package itself, and perhaps its external test.
func Of(tests []*packages.Package, path string) *Usage {
	u := &Usage{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, pkg := range tests {
		for _, f := range pkg.Syntax {
			if strings.HasSuffix(pkg.Fset.PositionFor(f.Pos(), false).Filename, "_test.go") {
				ast.Inspect(f, func(n ast.Node) bool {
					u.add(pkg.TypesInfo, n, path)
					return true
				})
			}
		}
	}
	return u
}

// BeginsEmpty reports whether the tests declare a variable of a type without a value, or make a value without setting
// unexported fields.
func (u *Usage) BeginsEmpty(named *types.Named) bool { return u.empty[qualified(named)] }

// OnlyConstructed reports whether the tests get values of a type from functions of the package only, and never set a
// field: its contents are the business of its methods then.
func (u *Usage) OnlyConstructed(named *types.Named) bool {
	name := qualified(named)
	return u.constructed[name] && !u.empty[name] && !u.filled[name]
}

// add records what n does, in a test of the package with the given import path.
func (u *Usage) add(info *types.Info, n ast.Node, path string) {
	if name := emptyValue(info, n); name != "" {
		u.empty[name] = true
	}
	switch n := n.(type) {
	case *ast.CompositeLit:
		if len(n.Elts) > 0 {
			note(u.filled, info.TypeOf(n))
		}
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			if field, ok := ast.Unparen(left).(*ast.SelectorExpr); ok && info.Selections[field] != nil {
				note(u.filled, info.TypeOf(field.X))
			}
		}
	case *ast.CallExpr:
		fn, ok := typeutil.Callee(info, n).(*types.Func)
		if ok && fn.Pkg() != nil && fn.Pkg().Path() == path && fn.Signature().Recv() == nil && fn.Signature().Results().Len() > 0 {
			note(u.constructed, fn.Signature().Results().At(0).Type())
		}
	}
}

// note adds the qualified name of a type, or of the type that it points to, to a set.
func note(names map[string]bool, typ types.Type) {
	if named, ok := testfile.Pointed(typ).(*types.Named); ok {
		names[qualified(named)] = true
	}
}

// emptyValue returns the qualified name of the type of which n makes a value without setting unexported fields, or "".
func emptyValue(info *types.Info, n ast.Node) string {
	var of ast.Expr
	switch n := n.(type) {
	case *ast.ValueSpec:
		if len(n.Values) == 0 {
			of = n.Type
		}
	case *ast.CompositeLit:
		sets := func(e ast.Expr) bool {
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			field, ok := kv.Key.(*ast.Ident)
			return !ok || !field.IsExported()
		}
		if !slices.ContainsFunc(n.Elts, sets) {
			of = n
		}
	case *ast.CallExpr:
		if builtin, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && builtin.Name == "new" && len(n.Args) == 1 && info.Types[n.Args[0]].IsType() {
			of = n.Args[0]
		}
	}
	if of == nil {
		return ""
	}
	named, ok := types.Unalias(info.TypeOf(of)).(*types.Named)
	if !ok {
		return ""
	}
	return qualified(named)
}

// qualified returns the name of a type with its package path. An external test has other objects for the same type.
func qualified(named *types.Named) string {
	obj := named.Obj()
	if obj.Pkg() == nil {
		return obj.Name()
	}
	return obj.Pkg().Path() + "." + obj.Name()
}
