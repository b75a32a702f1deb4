package testfile

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Names gives out names that mean one thing each in a test file of a package.
type Names struct {
	Pkg     *types.Package
	F, T    string          // names of the *testing.F and the *testing.T
	Used    map[string]bool // import paths, with whether the file needs them
	taken   map[string]bool
	imports map[string]string // import path -> name reserved for it
}

// NewNames returns the names for a test file of package pkg itself, which imports package testing.
func NewNames(pkg *types.Package) *Names {
	n := &Names{Pkg: pkg, taken: map[string]bool{}, imports: map[string]string{}, Used: map[string]bool{}}
	for _, name := range slices.Concat(pkg.Scope().Names(), types.Universe.Names()) {
		n.taken[name] = true
	}
	for word := token.BREAK; word <= token.VAR; word++ {
		n.taken[word.String()] = true
	}
	n.Std("testing")
	n.F, n.T = n.Fresh("f"), n.Fresh("t")
	return n
}

// Clone returns the names for another file of the package. Names taken so far are taken in it, too.
func (n *Names) Clone() *Names {
	c := *n
	c.taken, c.imports, c.Used = maps.Clone(n.taken), maps.Clone(n.imports), maps.Clone(n.Used)
	return &c
}

// Taken reports whether a name has a meaning in the file or in Go: it is declared, imported, predeclared or a keyword.
func (n *Names) Taken(name string) bool { return n.taken[name] }

// Release makes a name available again that Fresh has returned.
func (n *Names) Release(name string) { delete(n.taken, name) }

// Gave reports whether Fresh has returned a name and it has not been released.
func (n *Names) Gave(name string) bool {
	return n.taken[name] && n.Pkg.Scope().Lookup(name) == nil && types.Universe.Lookup(name) == nil
}

// Fresh returns name, or name with a number if that is taken, and takes it.
func (n *Names) Fresh(name string) string {
	unique := name
	for i := 2; n.taken[unique]; i++ {
		unique = fmt.Sprintf("%s%d", strings.TrimRight(name, "0123456789"), i)
	}
	n.taken[unique] = true
	return unique
}

// Reserve chooses names for the packages whose types occur in typ, so that no variable takes them.
func (n *Names) Reserve(typ types.Type) {
	types.TypeString(typ, func(p *types.Package) string { return n.nameOf(p.Path(), p.Name()) })
}

// nameOf returns the name under which a package is imported; "" for the package of the file.
func (n *Names) nameOf(path, name string) string {
	if path == n.Pkg.Path() {
		return ""
	}
	if n.imports[path] == "" {
		n.imports[path] = n.Fresh(name)
	}
	return n.imports[path]
}

// Std imports a package of the standard library whose name is its path, and returns the name to use.
func (n *Names) Std(path string) string {
	n.Used[path] = true
	return n.nameOf(path, path)
}

// Library imports a package and returns the name to use.
func (n *Names) Library(path, name string) string {
	n.Used[path] = true
	return n.nameOf(path, name)
}

// ImportsOf returns the import specifications that declarations need, sorted by path. Imports of discarded code are
// left out, then and later.
func (n *Names) ImportsOf(declarations string) []string {
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
	for path := range n.Used {
		n.Used[path] = named[n.imports[path]]
	}
	return n.ImportSpecs()
}

// TypeName returns typ as Go source and imports the packages that it needs.
func (n *Names) TypeName(typ types.Type) string {
	return types.TypeString(typ, func(p *types.Package) string {
		if p.Path() != n.Pkg.Path() {
			n.Used[p.Path()] = true
		}
		return n.nameOf(p.Path(), p.Name())
	})
}

// ImportSpecs returns the import specifications of the file, sorted by path.
func (n *Names) ImportSpecs() []string {
	var specs []string
	for _, p := range slices.Sorted(maps.Keys(n.Used)) {
		if !n.Used[p] {
			continue
		}
		spec := strconv.Quote(p)
		if name := n.imports[p]; name != path.Base(p) {
			spec = name + " " + spec
		}
		specs = append(specs, spec)
	}
	return specs
}
