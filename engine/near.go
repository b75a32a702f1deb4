package engine

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"slices"
	"strings"

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

// nearestFirst orders tests by how many declarations of their package lie
// between them and a touched function, so that if time runs out it is the tests
// that have least to do with the change that did not run.
func (u *unit) nearestFirst(tests []*test, files []*ast.File) {
	var touched []string
	for _, f := range u.functions {
		touched = append(touched, nameIn(f.ID))
	}
	steps := distances(files, u.isOwn, touched)
	slices.SortStableFunc(tests, func(a, b *test) int {
		return cmp.Compare(distanceOf(steps, a), distanceOf(steps, b))
	})
}

// nameIn returns the name of a function by its ID, without its package and receiver.
func nameIn(id string) string { return id[strings.LastIndexByte(id, '.')+1:] }

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

// mentioned are the names that names mention.
type mentioned map[string][]string

// mentions returns what names in files mention. Types lead to their methods, for fmt and
// its like call these unmentioned, and variables to what func init does with them.
func mentions(files []*ast.File, own func(importPath string) bool) mentioned {
	names := mentioned{}
	add := func(by, name string) { names[by] = append(names[by], name) }
	eachMention(files, own, func(n ast.Node, name string) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			by := n.Name.Name
			if by == "init" && n.Recv == nil {
				by = fmt.Sprintf("init %p", n) // there may be several
				add(name, by)
			}
			add(by, name)
		case *ast.ValueSpec:
			for _, v := range n.Names {
				add(v.Name, name)
			}
		case *ast.TypeSpec:
			add(n.Name.Name, name)
		}
	})
	for _, file := range files {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				for _, name := range identifiers(fn.Recv) {
					add(name, fn.Name.Name)
				}
			}
		}
	}
	return names
}

// identifiers returns the names in n.
func identifiers(n ast.Node) (names []string) {
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

// from returns the names that some names lead to, themselves included.
func (m mentioned) from(names []string) map[string]bool {
	led := map[string]bool{}
	for todo := slices.Clone(names); len(todo) > 0; {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !led[name] {
			led[name] = true
			todo = append(todo, m[name]...)
		}
	}
	return led
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
