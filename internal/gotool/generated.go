package gotool

import (
	"go/ast"
	"go/token"
	"regexp"
)

// generatedBy matches the line that says that a program wrote a file: https://go.dev/s/generatedcode.
var generatedBy = regexp.MustCompile(`^// Code generated .* DO NOT EDIT\.$`)

// Generated reports whether a file, parsed with its comments, says of itself that a program wrote it. The line that says so
// belongs above the package clause; some programs write it below their imports, and mean the same.
func Generated(f *ast.File) bool {
	if ast.IsGenerated(f) {
		return true
	}
	end := f.FileEnd
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); !ok || g.Tok != token.IMPORT {
			end = d.Pos()
			break
		}
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() < end && generatedBy.MatchString(c.Text) {
				return true
			}
		}
	}
	return false
}
