package engine

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// parsed returns the files of p and its tests. Those that cannot be read are
// left out: what they are parsed for are hints.
func parsed(p *gotool.Package) (files []*ast.File) {
	fset := token.NewFileSet()
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles) {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err == nil {
			files = append(files, f)
		}
	}
	return files
}

// nearestFirst orders tests by how many declarations of their package lie
// between them and a touched function, so that if time runs out it is the tests
// that have least to do with the change that did not run.
func (u *unit) nearestFirst(tests []*test, files []*ast.File) {
	var touched []string
	for _, f := range u.functions {
		touched = append(touched, f.ID[strings.LastIndexByte(f.ID, '.')+1:])
	}
	steps := distances(files, u.isOwn, touched)
	slices.SortStableFunc(tests, func(a, b *test) int {
		return cmp.Compare(distanceOf(steps, a), distanceOf(steps, b))
	})
}

func distanceOf(steps map[string]int, t *test) int {
	if n, ok := steps[t.name]; ok {
		return n
	}
	return math.MaxInt
}

// distances tells for names of declarations how many mentions it takes to get
// from there to one of some other names. What a name refers to is not looked
// into, so that a distance may be shorter than it is in truth; but names in
// imported packages that are not own are none of ours.
func distances(files []*ast.File, own func(importPath string) bool, to []string) map[string]int {
	mentionedBy := map[string][]string{}
	for _, file := range files {
		imports := importNames(file)
		for _, d := range file.Decls {
			names := declared(d)
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					x, ok := n.X.(*ast.Ident)
					return !ok || imports[x.Name] == "" || own(imports[x.Name])
				case *ast.Ident:
					mentionedBy[n.Name] = append(mentionedBy[n.Name], names...)
				}
				return true
			})
		}
	}
	steps := map[string]int{}
	for n := 0; len(to) > 0; n++ {
		var next []string
		for _, name := range to {
			if _, known := steps[name]; !known {
				steps[name] = n
				next = append(next, mentionedBy[name]...)
			}
		}
		to = next
	}
	return steps
}

// isOwn reports whether a package belongs to the unit.
func (u *unit) isOwn(importPath string) bool { return u.listing[importPath] != nil }

// declared returns the names that d declares of functions and variables.
func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		names = append(names, d.Name.Name)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
				for _, name := range v.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}
