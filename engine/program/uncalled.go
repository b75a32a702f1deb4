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

// markUncalled notes which functions in scope nothing uses: those that only their package can name, and that neither its code nor its
// tests do.
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

// onlyAtHome reports whether a function's name is one that only its package can call it by; methods are called through interfaces, too.
func onlyAtHome(name string) bool {
	return token.IsIdentifier(name) && !ast.IsExported(name) && name != "init" && name != "main" && name != "_"
}

// usedIn are what a package uses outside of its own declaration, and what it gives to others by a directive, such as //go:linkname or
// //export.
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

// namedElsewhere reports whether files of a package that are not compiled with it as Go code on this machine have a function's name: it may be used
// there.
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
