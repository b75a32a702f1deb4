package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// clocks are the functions of package time whose results or duration differ from
// run to run.
var clocks = []string{"After", "AfterFunc", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until"}

// unsteady returns the names that p and its tests declare of what may not always
// do the same: functions that ask for the time or for random numbers or start
// goroutines, and whatever mentions the name of one. Names are all there is to
// go by, and a name too many only costs time.
func unsteady(p *gotool.Package) (map[string]bool, error) {
	mentions := map[string][]string{} // by declared name
	found := map[string]bool{}
	fset := token.NewFileSet()
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles, p.XTestGoFiles) {
		f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		imports := importNames(f)
		for _, d := range f.Decls {
			names, random := declared(d), false
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					random = true
				case *ast.SelectorExpr:
					x, ok := n.X.(*ast.Ident)
					random = random || ok && differs(imports[x.Name], n.Sel.Name)
				case *ast.Ident:
					for _, name := range names {
						mentions[name] = append(mentions[name], n.Name)
					}
				}
				return true
			})
			for _, name := range names {
				found[name] = found[name] || random
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for name := range maps.Keys(mentions) {
			if !found[name] && slices.ContainsFunc(mentions[name], func(m string) bool { return found[m] }) {
				found[name], changed = true, true
			}
		}
	}
	return found, nil
}

// importNames returns the paths that f imports by the names it has for them.
func importNames(f *ast.File) map[string]string {
	names := map[string]string{}
	for _, spec := range f.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(imported)
		switch {
		case spec.Name != nil:
			name = spec.Name.Name
		case imported == "math/rand/v2":
			name = "rand"
		}
		names[name] = imported
	}
	return names
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

// differs reports whether what a name in an imported package stands for gives
// something else from run to run.
func differs(imported, name string) bool {
	switch imported {
	case "time":
		return slices.Contains(clocks, name)
	case "math/rand", "math/rand/v2", "crypto/rand", "hash/maphash":
		return true
	}
	return false
}
