package program

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
)

// markConstant marks the functions in scope that only return constants, or composite literals of constants.
func (p *Program) markConstant(touched []*packages.Package) {
	for i := range p.Functions {
		f := &p.Functions[i]
		for _, pkg := range touched {
			n := slices.Index(pkg.CompiledGoFiles, f.Path)
			if f.Skipped != "" || pkg.PkgPath != f.Package || n < 0 {
				continue
			}
			list := declaredAt(pkg, pkg.Syntax[n], f)
			f.Constant = len(list) == 1 && returnsConstants(pkg.TypesInfo, list[0].Body)
		}
	}
}

// returnsConstants reports whether a body is one return statement with constant results.
func returnsConstants(info *types.Info, body *ast.BlockStmt) bool {
	if len(body.List) != 1 {
		return false
	}
	ret, ok := body.List[0].(*ast.ReturnStmt)
	return ok && len(ret.Results) > 0 && !slices.ContainsFunc(ret.Results, func(e ast.Expr) bool { return !isConstant(info, e) })
}

// isConstant reports whether an expression is a constant, nil, or a composite literal of these, or its address.
func isConstant(info *types.Info, e ast.Expr) bool {
	if value := info.Types[e]; value.Value != nil || value.IsNil() {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return isConstant(info, e.X)
	case *ast.CompositeLit:
		return !slices.ContainsFunc(e.Elts, func(element ast.Expr) bool {
			pair, ok := element.(*ast.KeyValueExpr)
			if !ok {
				return !isConstant(info, element)
			}
			return !isField(info, pair.Key) && !isConstant(info, pair.Key) || !isConstant(info, pair.Value)
		})
	}
	return false
}

// isField reports whether a key of a composite literal is the name of a field.
func isField(info *types.Info, key ast.Expr) bool {
	name, ok := key.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := info.Uses[name].(*types.Var)
	return ok && v.IsField()
}
