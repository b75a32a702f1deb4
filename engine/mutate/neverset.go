package mutate

import (
	"go/ast"
	"go/types"
)

// isNeverSet reports whether e is a local variable that keeps its zero value: it is declared without a value, and the
// function only reads its value.
func (p *pass) isNeverSet(e ast.Expr) bool {
	v := p.variable(e)
	if v == nil || !p.declaredUnset(v) {
		return false
	}
	reads, uses := 0, 0
	ast.Inspect(p.Decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && p.Info.Uses[id] == v {
			uses++
		}
		for _, read := range readIn(n) {
			if p.variable(read) == v {
				reads++
			}
		}
		return true
	})
	return reads == uses
}

// declaredUnset reports whether a variable is declared in the function's body without a value. Named results are not.
func (p *pass) declaredUnset(v *types.Var) (found bool) {
	ast.Inspect(p.Decl.Body, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && len(spec.Values) == 0 {
			for _, name := range spec.Names {
				found = found || p.Info.Defs[name] == v
			}
		}
		return !found
	})
	return found
}

// readIn returns the operands of a node that are only read.
func readIn(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.ReturnStmt:
		return n.Results
	case *ast.CallExpr:
		return n.Args
	case *ast.BinaryExpr:
		return []ast.Expr{n.X, n.Y}
	case *ast.AssignStmt:
		return n.Rhs
	case *ast.ValueSpec:
		return n.Values
	case *ast.CompositeLit:
		return n.Elts
	case *ast.KeyValueExpr:
		return []ast.Expr{n.Value}
	}
	return nil
}
