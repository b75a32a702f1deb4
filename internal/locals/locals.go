// Package locals finds the names that functions declare.
package locals

import (
	"go/ast"
	"go/token"
)

// In returns the names that functions in a node declare: receivers, parameters, results, variables, constants, types and
// labels, with the fields and methods of these types. It does not tell their scopes apart.
func In(n ast.Node) map[string]bool {
	names := map[string]bool{}
	add := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok {
				names[id.Name] = true
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				add(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				add(n.Key, n.Value)
			}
		case *ast.Field:
			for _, id := range n.Names {
				add(id)
			}
		case *ast.DeclStmt:
			for _, spec := range n.Decl.(*ast.GenDecl).Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(id)
					}
				case *ast.TypeSpec:
					add(spec.Name)
				}
			}
		case *ast.LabeledStmt:
			add(n.Label)
		}
		return true
	})
	return names
}
