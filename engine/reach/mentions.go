package reach

import (
	"go/ast"
	"go/token"
	"path"
	"strconv"

	"golang.org/x/mod/module"
)

// distances returns for names of declarations how many mentions lead from there to
// one of the names in to. Names are not resolved, so that a distance may be too short;
// names in imported packages that are not own are left out.
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

// importNames returns the paths that a file imports, by the local names. Where the file
// gives none, the name is guessed from the path.
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
