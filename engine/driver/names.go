package driver

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// names gives out names that mean one thing each in a test file of a package.
type names struct {
	pkg     *types.Package
	f, t    string // the *testing.F and the *testing.T
	taken   map[string]bool
	imports map[string]string // import path -> name reserved for it
	used    map[string]bool   // import paths that the file needs
}

func newNames(pkg *types.Package) *names {
	n := &names{pkg: pkg, taken: map[string]bool{}, imports: map[string]string{}, used: map[string]bool{}}
	for _, name := range slices.Concat(pkg.Scope().Names(), types.Universe.Names()) {
		n.taken[name] = true
	}
	for word := token.BREAK; word <= token.VAR; word++ {
		n.taken[word.String()] = true
	}
	n.std("testing")
	n.f, n.t = n.fresh("f"), n.fresh("t")
	return n
}

// predeclared are the names that skeletons use as the language means them.
var predeclared = []string{
	"any", "append", "bool", "byte", "error", "false", "float32", "float64", "int", "int8", "int16", "int32", "int64",
	"new", "nil", "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "testing",
}

// shadowsPredeclared reports whether pkg gives one of them another meaning.
func shadowsPredeclared(pkg *types.Package) bool {
	return slices.ContainsFunc(predeclared, func(name string) bool { return pkg.Scope().Lookup(name) != nil })
}

// fresh returns name, or name with a number, and takes it.
func (n *names) fresh(name string) string {
	unique := name
	for i := 2; n.taken[unique]; i++ {
		unique = fmt.Sprintf("%s%d", strings.TrimRight(name, "0123456789"), i)
	}
	n.taken[unique] = true
	return unique
}

// reserve chooses names for the packages whose types occur in typ, so that no
// variable takes them.
func (n *names) reserve(typ types.Type) {
	types.TypeString(typ, func(p *types.Package) string { return n.nameOf(p.Path(), p.Name()) })
}

// nameOf is the name under which a package is imported.
func (n *names) nameOf(path, name string) string {
	if path == n.pkg.Path() {
		return ""
	}
	if n.imports[path] == "" {
		n.imports[path] = n.fresh(name)
	}
	return n.imports[path]
}

// std imports a package of the standard library whose name is its path, and
// returns the name to use.
func (n *names) std(path string) string {
	n.used[path] = true
	return n.nameOf(path, path)
}

// library imports a package and returns the name to use.
func (n *names) library(path, name string) string {
	n.used[path] = true
	return n.nameOf(path, name)
}

// importsOf are the imports that declarations need, sorted by path: what was undone may have left
// others.
func (n *names) importsOf(declarations string) []string {
	named := map[string]bool{}
	if f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+declarations, parser.SkipObjectResolution); err == nil {
		ast.Inspect(f, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := sel.X.(*ast.Ident); ok {
					named[id.Name] = true
				}
			}
			return true
		})
	}
	for path := range n.used {
		n.used[path] = named[n.imports[path]]
	}
	return n.importSpecs()
}

// typeName writes typ and imports what that takes.
func (n *names) typeName(typ types.Type) string {
	return types.TypeString(typ, func(p *types.Package) string {
		if p.Path() != n.pkg.Path() {
			n.used[p.Path()] = true
		}
		return n.nameOf(p.Path(), p.Name())
	})
}
