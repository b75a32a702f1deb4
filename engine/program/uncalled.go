package program

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// markUncalled marks the functions in scope that nothing uses: only their package can name them, and neither its code
// nor its tests do.
func (p *Program) markUncalled(touched []*packages.Package) {
	inUse := map[*packages.Package]map[types.Object]bool{}
	for i := range p.Functions {
		f := &p.Functions[i]
		n := slices.IndexFunc(touched, func(pkg *packages.Package) bool { return pkg.PkgPath == f.Package })
		if f.Skipped != "" || n < 0 || !onlyAtHome(f.Name) {
			continue
		}
		pkg := touched[n]
		if inUse[pkg] == nil {
			inUse[pkg] = usedIn(pkg)
		}
		obj, isFunc := pkg.Types.Scope().Lookup(f.Name).(*types.Func)
		f.Uncalled = isFunc && !inUse[pkg][obj] && !p.namedElsewhere(f.Package, f.Name)
	}
}

// onlyAtHome reports whether only its package can call a function with that name. Methods do not count: interfaces
// may call them.
func onlyAtHome(name string) bool {
	return token.IsIdentifier(name) && !ast.IsExported(name) && name != "init" && name != "main" && name != "_"
}

// usedIn returns the objects that a package uses outside of their own declarations, or gives to others by a
// directive, such as //go:linkname or //export.
func usedIn(pkg *packages.Package) map[types.Object]bool {
	used := map[types.Object]bool{}
	for _, file := range pkg.Syntax {
		for _, d := range file.Decls {
			var own types.Object
			if decl, ok := d.(*ast.FuncDecl); ok {
				own = pkg.TypesInfo.Defs[decl.Name]
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && pkg.TypesInfo.Uses[id] != own {
					used[pkg.TypesInfo.Uses[id]] = true
				}
				return true
			})
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				if words := strings.Fields(c.Text); len(words) > 1 && (words[0] == "//go:linkname" || words[0] == "//export") {
					used[pkg.Types.Scope().Lookup(words[1])] = true
				}
			}
		}
	}
	return used
}

// namedElsewhere reports whether a function may be used in files that are not compiled as plain Go on this machine,
// because its name occurs there.
func (p *Program) namedElsewhere(importPath, name string) bool {
	pkg := p.Packages[importPath]
	if pkg == nil || len(pkg.CgoFiles) > 0 {
		return true
	}
	return slices.ContainsFunc(slices.Concat(pkg.IgnoredGoFiles, pkg.SFiles), func(file string) bool {
		if !filepath.IsAbs(file) {
			file = filepath.Join(pkg.Dir, file)
		}
		text, err := os.ReadFile(file)
		return err != nil || bytes.Contains(text, []byte(name))
	})
}
