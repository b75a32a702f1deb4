package regular

import (
	"go/ast"
	"go/parser"
	"go/token"
)

// Parse is parser.ParseFile for a file that has to be regular and at most MaxSource bytes large.
func Parse(fset *token.FileSet, name string, mode parser.Mode) (*ast.File, error) {
	src, err := Source(name)
	if err != nil {
		return nil, err
	}
	return parser.ParseFile(fset, name, src, mode)
}
