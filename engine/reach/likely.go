package reach

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// Likely returns the tests of pkg that mention one of functions by its name, in the order of their files. It reads no types:
// others may reach the functions, too. Files that cannot be read are left out.
func (r *Reach) Likely(pkg string, functions map[string]bool) (tests []string) {
	p, names := r.Packages[pkg], map[string]bool{}
	for id := range functions {
		names[id[strings.LastIndexByte(id, '.')+1:]] = true
	}
	if p == nil {
		return nil
	}
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		file, err := regular.Parse(token.NewFileSet(), filepath.Join(p.Dir, name), parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		for _, fn := range gotool.TestsIn(file) {
			if mentions(fn, names) {
				tests = append(tests, fn.Name.Name)
			}
		}
	}
	return tests
}

// mentions reports whether a function has one of names in its body.
func mentions(fn *ast.FuncDecl, names map[string]bool) (found bool) {
	if fn.Body == nil {
		return false
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && names[id.Name]
		return !found
	})
	return found
}
