package engine

import (
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/module"
)

// clocks are the functions of package time whose results or duration differ from
// run to run.
var clocks = []string{"After", "AfterFunc", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until"}

// drawing are the import paths, as far as they are known, of what draws other values for tests
// in every run, unless told otherwise.
var drawing = []string{
	"github.com/brianvoe/gofakeit", "github.com/go-faker/faker", "github.com/jaswdr/faker", "github.com/leanovate/gopter",
	"pgregory.net/rapid", "sigs.k8s.io/randfill",
}

// unsteady returns the names that files declare of what may not always do the
// same: functions that ask for the time or for random numbers or start
// goroutines or processes, and whatever leads to one. A name too many only costs time.
func unsteady(files []*ast.File, own func(importPath string) bool) map[string]int {
	var random []string
	for _, f := range files {
		imports := importNames(f)
		for _, d := range f.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GoStmt:
					random = append(random, declared(d)...)
				case *ast.SelectorExpr:
					if x, ok := n.X.(*ast.Ident); ok && differs(imports[x.Name], n.Sel.Name) {
						random = append(random, declared(d)...)
					}
				}
				return true
			})
		}
	}
	return distances(files, own, random)
}

// A seed in whole seconds is the same in all processes that start within one: however many
// run, they do the same, and a second later something else.

// seeded returns the names that files declare of functions that seed random numbers so, and of
// whatever leads to one; everywhere, if one runs before all tests.
func seeded(files []*ast.File, own func(importPath string) bool) (names map[string]int, everywhere bool) {
	var seeding []string
	for _, f := range files {
		imports := importNames(f)
		for _, d := range f.Decls {
			if !seeds(d, imports) {
				continue
			}
			seeding = append(seeding, declared(d)...)
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				everywhere = everywhere || fn.Name.Name == "init" || fn.Name.Name == "TestMain"
			}
		}
	}
	return distances(files, own, seeding), everywhere
}

// seeds reports whether d has the time in whole seconds and a source of random numbers that
// takes a seed.
func seeds(d ast.Decl, imports map[string]string) bool {
	var seconds, source bool
	ast.Inspect(d, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		seconds = seconds || sel.Sel.Name == "Unix" && len(call.Args) == 0
		if x, ok := sel.X.(*ast.Ident); ok && strings.HasPrefix(imports[x.Name], "math/rand") {
			source = source || slices.Contains([]string{"Seed", "NewSource", "NewPCG"}, sel.Sel.Name)
		}
		return true
	})
	return seconds && source
}

// asking returns the IDs of the touched functions that by themselves, or by what they
// mention, ask for what may differ from run to run.
func (u *unit) asking() map[string]bool {
	ids := map[string]bool{}
	for _, p := range u.typed.touched {
		steps := unsteady(p.Syntax, u.isOwn)
		for _, f := range u.functions {
			if f.Package == p.PkgPath && asks(steps, nameIn(f.ID)) {
				ids[f.ID] = true
			}
		}
	}
	return ids
}

// asks reports whether a function by itself, or by what it mentions, asks for what may differ.
func asks(steps map[string]int, name string) bool {
	n, leads := steps[name]
	return leads && n <= 1
}

// importNames returns the paths that f imports by the names it has for them.
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

// differs reports whether what a name in an imported package stands for gives
// something else from run to run.
func differs(imported, name string) bool {
	switch imported {
	case "time":
		return slices.Contains(clocks, name)
	case "math/rand", "math/rand/v2", "crypto/rand", "testing/quick", "hash/maphash", "os/exec": // a process has its own M
		return true
	case "os":
		return name == "StartProcess"
	}
	return slices.ContainsFunc(drawing, func(prefix string) bool {
		return imported == prefix || strings.HasPrefix(imported, prefix+"/")
	})
}

// inAnyOrder returns the names of functions in the tests of a package that range over
// maps, if what they do in one order may leave something for the next to see.
func (u *unit) inAnyOrder(pkg string) (names []string) {
	if len(u.memory.names) == 0 {
		return nil
	}
	for _, p := range slices.Concat(u.typed.touched, u.typed.tests) {
		if strings.TrimSuffix(p.PkgPath, "_test") != pkg {
			continue
		}
		for i, f := range p.Syntax {
			if !strings.HasSuffix(p.CompiledGoFiles[i], "_test.go") {
				continue
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && rangesOverMap(p.TypesInfo, fn) {
					names = append(names, fn.Name.Name)
				}
			}
		}
	}
	return names
}

// rangesOverMap reports whether a function ranges over a map, whose order differs
// from run to run.
func rangesOverMap(info *types.Info, fn *ast.FuncDecl) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok && info.TypeOf(r.X) != nil {
			_, isMap := info.TypeOf(r.X).Underlying().(*types.Map)
			found = found || isMap
		}
		return !found
	})
	return found
}
