package mutate

import (
	"go/ast"
	"go/types"
)

var errorReturn = &Operator{
	Name:     "error-return",
	Category: Value,
	Doc:      "Returns nil in place of an error, unless a check just before shows that it is nil.",
	Before:   "func check(err error) error {\n\treturn err\n}\n",
	After:    "func check(err error) error {\n\tif true { return nil }; return err\n}\n",
	mutate:   mutateErrorReturn,
}

func mutateErrorReturn(s *site) {
	n, ok := s.Node().(*ast.ReturnStmt)
	if !ok || !s.inList() {
		return
	}
	results := s.results()
	if results.Len() != len(n.Results) {
		return // one call returns all results
	}
	for i := range n.Results {
		if isError(results.At(i).Type()) && !s.knownNil(n.Results[i]) {
			s.returnInstead(n, i, "nil")
		}
	}
}

// results returns the results of the innermost function or function literal
// around the site.
func (s *site) results() *types.Tuple {
	for c := range s.Enclosing((*ast.FuncLit)(nil)) {
		return s.Info.TypeOf(c.Node().(*ast.FuncLit)).(*types.Signature).Results()
	}
	if fn, ok := s.Info.Defs[s.Decl.Name].(*types.Func); ok {
		return fn.Signature().Results()
	}
	return s.Info.TypeOf(s.Decl.Type).(*types.Signature).Results() // of a literal of a package variable
}
