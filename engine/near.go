package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/mod/module"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// parsed returns the files of p and its tests. Those that cannot be read are
// left out: what they are parsed for are hints.
func parsed(p *gotool.Package) (files []*ast.File) {
	fset := token.NewFileSet()
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles) {
		f, err := regular.Parse(fset, filepath.Join(p.Dir, name), parser.SkipObjectResolution)
		if err == nil {
			files = append(files, f)
		}
	}
	return files
}

// declaredTests are the names of the tests, examples and fuzz targets in files.
func declaredTests(files []*ast.File) map[string]bool {
	names := map[string]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && gotool.IsTest(fn.Name.Name) {
				names[fn.Name.Name] = true
			}
		}
	}
	return names
}

// distances tells for names of declarations how many mentions it takes to get
// from there to one of some other names. What a name refers to is not looked
// into, so that a distance may be shorter than it is in truth; but names in
// imported packages that are not own are none of ours.
func distances(files []*ast.File, own func(importPath string) bool, to []string) map[string]int {
	mentionedBy := map[string][]string{}
	eachMention(files, own, func(n ast.Node, name string) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			mentionedBy[name] = append(mentionedBy[name], n.Name.Name)
		case *ast.ValueSpec:
			for _, v := range n.Names {
				mentionedBy[name] = append(mentionedBy[name], v.Name)
			}
		}
	})
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

// eachMention calls f for each name that a function, variable, constant or type mentions,
// with its declaration. Names in imported packages that are not own are left out.
func eachMention(files []*ast.File, own func(importPath string) bool, f func(by ast.Node, name string)) {
	for _, file := range files {
		imports := importNames(file)
		look := func(by ast.Node) {
			ast.Inspect(by, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.SelectorExpr:
					x, ok := n.X.(*ast.Ident)
					return !ok || imports[x.Name] == "" || own(imports[x.Name])
				case *ast.Ident:
					f(by, n.Name)
				}
				return true
			})
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				look(d)
				continue
			}
			for _, spec := range g.Specs {
				look(spec)
			}
		}
	}
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

// importNames returns the paths that a file imports, by the names under which it does
// as far as these can be told without looking at the packages.
func importNames(f *ast.File) map[string]string {
	names := map[string]string{}
	for _, spec := range f.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		base, _, _ := module.SplitPathVersion(imported)
		name := path.Base(base)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = imported
	}
	return names
}
