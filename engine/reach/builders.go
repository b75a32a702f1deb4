package reach

import (
	"go/ast"
	"path"
	"slices"
	"strconv"

	"golang.org/x/mod/module"

	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// Builder is a package main with tests that build the tree with the go command. What they build contains no mutants.
type Builder struct {
	Package string   // import path
	Tests   []string // the tests that may run the go command, sorted
}

// Builders returns the builders among pkgs. Tests for which skip returns true are left out.
func (r *Reach) Builders(pkgs []string, skip func(test string) bool) (list []*Builder) {
	for _, pkg := range pkgs {
		if r.Packages[pkg].Name != "main" {
			continue
		}
		b := &Builder{Package: pkg}
		names := runningGo(program.Parsed(r.Packages[pkg]), r.Own)
		if names["TestMain"] || names["init"] {
			names = program.DeclaredTests(r.Packages[pkg]) // they may use what is built for all of them
		}
		for name := range names {
			if name != "TestMain" && gotool.IsTest(name) && !skip(name) {
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

// Builds reports whether what b builds may contain code of pkg.
func (r *Reach) Builds(b *Builder, pkg string) bool {
	return pkg == b.Package || r.TestsImport(r.Packages[b.Package], pkg)
}

// runningGo returns the names of functions and variables whose declarations run the go command, or mention one that
// does. Names are not resolved, so the result may have too many. Names selected from imported packages that are not own
// are ignored.
func runningGo(files []*ast.File, own func(importPath string) bool) map[string]bool {
	mentionedBy := map[string][]string{}
	var found []string
	for _, f := range files {
		imports := importNames(f)
		eachDeclaration(f, func(names []string, d ast.Node) {
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					if runsGo(n, imports) {
						found = append(found, names...)
					}
				case *ast.SelectorExpr:
					x, ok := n.X.(*ast.Ident)
					return !ok || imports[x.Name] == "" || own(imports[x.Name])
				case *ast.Ident:
					mentionedBy[n.Name] = append(mentionedBy[n.Name], names...)
				}
				return true
			})
		})
	}
	running := map[string]bool{}
	for len(found) > 0 {
		name := found[0]
		found = found[1:]
		if !running[name] {
			running[name] = true
			found = append(found, mentionedBy[name]...)
		}
	}
	return running
}

// eachDeclaration calls visit for each declaration of functions, variables and constants, with the names it declares.
func eachDeclaration(f *ast.File, visit func(names []string, d ast.Node)) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			visit([]string{d.Name.Name}, d)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					var names []string
					for _, name := range v.Names {
						names = append(names, name.Name)
					}
					visit(names, v)
				}
			}
		}
	}
}

// runsGo reports whether a call is exec.Command("go", ...) or exec.CommandContext(ctx, "go", ...).
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

// importNames returns the import paths of a file by local name. If the file gives no name, it is guessed from the path.
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
