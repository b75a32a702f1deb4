package diffscope

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

const testsOutside = "tests of another module, which are not run"

// addOutside fills in Unit.Outside: tests of modules in other units may run functions in scope. Many projects keep
// tests that need a database in a module of their own, which takes the tested module from its folder.
func (f *finder) addOutside() {
	units := f.scope.Units
	for i := range units {
		if !slices.ContainsFunc(f.scope.Functions, func(fn Function) bool { return fn.Unit == i }) {
			continue
		}
		for n, other := range units {
			for _, m := range other.Modules {
				if n != i && m.replacesOneOf(units[i]) {
					f.addTestsOf(m, &units[i])
				}
			}
		}
		slices.Sort(units[i].Outside)
		units[i].Outside = slices.Compact(units[i].Outside)
	}
}

// replacesOneOf reports whether m takes a module of a unit from its folder, by a replace directive.
func (m Module) replacesOneOf(u Unit) bool {
	return slices.ContainsFunc(u.Modules, func(own Module) bool { return slices.Contains(m.Replaces, own.Dir) })
}

// addTestsOf adds to u the packages of it that m imports, if m has a test file. It skips files that cannot be read.
func (f *finder) addTestsOf(m Module, u *Unit) {
	tested := false
	var imported []string
	_ = filepath.WalkDir(m.Dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && path != m.Dir && (gotool.Ignored(d.Name()) || isModuleDir(path)):
			return fs.SkipDir
		case d.Type().IsRegular() && strings.HasSuffix(path, ".go"):
			tested = tested || strings.HasSuffix(path, "_test.go")
			imported = append(imported, importsOf(path, *u)...)
		}
		return nil
	})
	if tested && len(imported) > 0 {
		f.notes.add(testsOutside, f.layout.name(m.Dir, ""))
		u.Outside = append(u.Outside, imported...)
	}
}

// importsOf returns the imports of a Go file that are packages of a unit.
func importsOf(path string, u Unit) (imported []string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	for _, spec := range file.Imports {
		if name, err := strconv.Unquote(spec.Path.Value); err == nil && u.mayHave(name) {
			imported = append(imported, name)
		}
	}
	return imported
}

// isModuleDir reports whether dir holds a go.mod.
func isModuleDir(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, "go.mod"))
	return err == nil
}
