package usage

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Fields is a set of struct fields.
type Fields map[*types.Var]bool

// First returns the fields in of, those in the set first. It keeps the order otherwise.
func (fields Fields) First(of []*types.Var) (list []*types.Var) {
	var rest []*types.Var
	for _, f := range of {
		if fields[f.Origin()] {
			list = append(list, f)
		} else {
			rest = append(rest, f)
		}
	}
	return append(list, rest...)
}

// FieldsIn returns the struct fields that the bodies of some functions of a package name.
func FieldsIn(pkg *packages.Package, functions []*types.Func) Fields {
	named := Fields{}
	for _, f := range pkg.Syntax {
		for _, decl := range f.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || d.Body == nil {
				continue
			}
			if fn, ok := pkg.TypesInfo.Defs[d.Name].(*types.Func); !ok || !slices.Contains(functions, fn) {
				continue
			}
			ast.Inspect(d.Body, func(n ast.Node) bool {
				if e, ok := n.(*ast.SelectorExpr); ok {
					if s := pkg.TypesInfo.Selections[e]; s != nil && s.Kind() == types.FieldVal {
						named[s.Obj().(*types.Var).Origin()] = true
					}
				}
				return true
			})
		}
	}
	return named
}

// FieldsOf returns the fields of a package's struct types whose names, written as import/path.Type.Field, are in list.
func FieldsOf(pkg *types.Package, list []string) Fields {
	fields := Fields{}
	for _, name := range pkg.Scope().Names() {
		typ, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		s, ok := typ.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range s.Fields() {
			if slices.Contains(list, pkg.Path()+"."+name+"."+f.Name()) {
				fields[f.Origin()] = true
			}
		}
	}
	return fields
}
