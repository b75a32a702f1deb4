package reach

import (
	"go/ast"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// Builder is a package main some of whose tests build the tree with the go command.
// What they build holds no mutant.
type Builder struct {
	Package string
	Tests   []string // those that may run the go command
}

// Builders finds the builders among packages. Tests for which skip is true are left
// out.
func (r *Reach) Builders(pkgs []string, skip func(test string) bool) (list []*Builder) {
	for _, pkg := range pkgs {
		if r.Packages[pkg].Name != "main" {
			continue
		}
		files := program.Parsed(r.Packages[pkg])
		b := &Builder{Package: pkg}
		for name := range distances(files, r.Own, callGo(files)) {
			if gotool.IsTest(name) && !skip(name) {
				b.Tests = append(b.Tests, name)
			}
		}
		if len(b.Tests) > 0 {
			slices.Sort(b.Tests)
			list = append(list, b)
		}
	}
	return list
}

// Builds reports whether what a builder builds may hold code of a package.
func (r *Reach) Builds(b *Builder, pkg string) bool {
	return pkg == b.Package || r.TestsImport(r.Packages[b.Package], pkg)
}

// callGo returns the names of declarations in files that run the go command.
func callGo(files []*ast.File) (names []string) {
	for _, f := range files {
		imports := importNames(f)
		for _, d := range f.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && runsGo(call, imports) {
					names = append(names, declared(d)...)
				}
				return true
			})
		}
	}
	return names
}

// runsGo reports whether a call is exec.Command("go", ...), or the same with a
// context.
func runsGo(call *ast.CallExpr, imports map[string]string) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := f.X.(*ast.Ident)
	return ok && imports[x.Name] == "os/exec" && slices.ContainsFunc(call.Args[:min(len(call.Args), 2)], func(arg ast.Expr) bool {
		text, ok := arg.(*ast.BasicLit)
		return ok && (text.Value == `"go"` || text.Value == "`go`")
	})
}
