package driver

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"

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
func (w *writer) usesEmpty(named *types.Named) bool {
	if w.empty == nil {
		w.empty = map[string]bool{}
		for _, pkg := range w.tests {
			for _, f := range pkg.Syntax {
				if isTestFile(pkg, f) {
					ast.Inspect(f, func(n ast.Node) bool {
						if name := emptyValue(pkg.TypesInfo, n); name != "" {
							w.empty[name] = true
						}
						return true
					})
				}
			}
		}
	}
	return w.empty[qualified(named)]
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
