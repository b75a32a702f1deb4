package program

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// Parsed returns the files of p and its tests. It leaves out files that cannot be parsed, since its callers only look
// for hints.
func Parsed(p *gotool.Package) (files []*ast.File) {
	fset := token.NewFileSet()
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestFiles()) {
		f, err := regular.Parse(fset, filepath.Join(p.Dir, name), parser.SkipObjectResolution)
		if err == nil {
			files = append(files, f)
		}
	}
	return files
}

// DeclaredTests returns the names of p's functions that are named like tests, examples or fuzz targets, TestMain
// included.
func DeclaredTests(p *gotool.Package) map[string]bool {
	names := map[string]bool{}
	for _, f := range Parsed(p) {
		for _, fn := range gotool.TestsIn(f) {
			names[fn.Name.Name] = true
		}
	}
	return names
}
