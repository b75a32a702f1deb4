package driver

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// startsEmpty reports whether a receiver of a type is made as other packages make one: they cannot set all of its fields, and have no
// constructor, but the tests begin with values in which none of these fields is set, and some method can fill it.
func (m *maker) startsEmpty(named *types.Named) bool {
	if !isPublic(m.fn) || m.writer.kind.NoConstructors || m.writer.hasConstructor(named) || !m.hidden(named) || !m.writer.usesEmpty(named) {
		return false
	}
	for s := range types.NewMethodSet(types.NewPointer(named)).Methods() {
		fn, ok := s.Obj().(*types.Func)
		if ok && fn.Exported() && fn.Signature().Params().Len() > 0 && m.changes(fn) {
			return true
		}
	}
	return false
}

// usesEmpty reports whether the tests of the package declare a variable of a type without a value, or write a value of which only exported
// fields are set.
func (w *writer) usesEmpty(named *types.Named) bool { return w.inTests().empty[qualified(named)] }

// onlyConstructed reports whether the tests of the package get values of a type, which has exported fields alone, from functions of the
// package and never set a field themselves: what is in it is for its methods then.
func (w *writer) onlyConstructed(named *types.Named) bool {
	u, name := w.inTests(), qualified(named)
	return u.constructed[name] && !u.empty[name] && !u.filled[name]
}

// usage is how tests come by values of types, by the qualified names of these.
type usage struct {
	empty       map[string]bool // a variable without a value, or a value of which only exported fields are set
	filled      map[string]bool // a value of which some field is set, at once or later
	constructed map[string]bool // a call of a function of the package under test
}

// inTests is what the tests of the package do.
func (w *writer) inTests() *usage {
	if w.usage != nil {
		return w.usage
	}
	w.usage = &usage{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, pkg := range w.tests {
		for _, f := range pkg.Syntax {
			if isTestFile(pkg, f) {
				ast.Inspect(f, func(n ast.Node) bool {
					w.usage.add(pkg.TypesInfo, n, strings.TrimSuffix(w.pkg.PkgPath, "_test"))
					return true
				})
			}
		}
	}
	return w.usage
}

// add notes what n, in a test of a package, does.
func (u *usage) add(info *types.Info, n ast.Node, pkg string) {
	if name := emptyValue(info, n); name != "" {
		u.empty[name] = true
	}
	switch n := n.(type) {
	case *ast.CompositeLit:
		if named, ok := testfile.Pointed(info.TypeOf(n)).(*types.Named); ok && len(n.Elts) > 0 {
			u.filled[qualified(named)] = true
		}
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			if field, ok := ast.Unparen(left).(*ast.SelectorExpr); ok && info.Selections[field] != nil {
				if named, ok := testfile.Pointed(info.TypeOf(field.X)).(*types.Named); ok {
					u.filled[qualified(named)] = true
				}
			}
		}
	case *ast.CallExpr:
		fn, ok := typeutil.Callee(info, n).(*types.Func)
		if !ok || fn.Pkg() == nil || fn.Pkg().Path() != pkg || fn.Signature().Recv() != nil || fn.Signature().Results().Len() == 0 {
			return
		}
		if named, ok := testfile.Pointed(fn.Signature().Results().At(0).Type()).(*types.Named); ok {
			u.constructed[qualified(named)] = true
		}
	}
}

// emptyValue is the name of the type of which n makes a value without setting unexported fields; empty: it does not make any.
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
		if builtin, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && builtin.Name == "new" && len(n.Args) == 1 {
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

// qualified is the name of a type with the path of its package: the test package has objects of its own for it.
func qualified(named *types.Named) string {
	obj := named.Obj()
	if obj.Pkg() == nil {
		return obj.Name()
	}
	return obj.Pkg().Path() + "." + obj.Name()
}

// byUse sorts methods by how likely they are to put something into their receiver: those that take something and give nothing, or an
// error, then others that take something.
func byUse(a, b *types.Func) int { return cmp.Compare(useOf(a), useOf(b)) }

// useOf is 0 for the likeliest.
func useOf(fn *types.Func) int {
	results := fn.Signature().Results()
	switch {
	case fn.Signature().Params().Len() == 0:
		return 2
	case results.Len() == 0 || results.Len() == 1 && types.Identical(results.At(0).Type(), testfile.ErrorType):
		return 0
	}
	return 1
}
