package usage

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
)

// Fields are some of structs.
type Fields map[*types.Var]bool

// First are the fields of a struct, those first that are in fields.
func (fields Fields) First(u *types.Struct) (list []*types.Var) {
	var rest []*types.Var
	for f := range u.Fields() {
		if fields[f.Origin()] {
			list = append(list, f)
		} else {
			rest = append(rest, f)
		}
	}
	return append(list, rest...)
}

// FieldsIn are the fields that the bodies of some functions of a package name.
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
