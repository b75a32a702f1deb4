package diffscope

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

const testsOutside = "tests of another module, which are not run"

// addOutside notes modules whose tests may run functions in scope that other modules of the tree hold: many keep tests that need a
// database in a module of their own, which replaces the one that is tested by its folder.
func (f *finder) addOutside() {
	for i := range f.scope.Units {
		if !slices.ContainsFunc(f.scope.Functions, func(fn Function) bool { return fn.Unit == i }) {
			continue
		}
		u := &f.scope.Units[i]
		for n, other := range f.layout.found {
			for _, m := range other.Modules {
				if n == i || !slices.ContainsFunc(u.Modules, func(own Module) bool { return slices.Contains(m.Replaces, own.Dir) }) {
					continue
				}
				if imported := importedByTested(m.Dir, u.Modules); len(imported) > 0 {
					f.notes.add(testsOutside, f.layout.name(m.Dir, ""))
					u.Outside = append(u.Outside, imported...)
				}
			}
		}
		slices.Sort(u.Outside)
		u.Outside = slices.Compact(u.Outside)
	}
}

// importedByTested returns which packages of some modules the Go files of the module in dir import; none if it has no test file. What
// cannot be read imports nothing.
func importedByTested(dir string, modules []Module) (imported []string) {
	tested := false
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && path != dir && (gotool.Ignored(d.Name()) || isModuleDir(path)):
			return fs.SkipDir
		case !d.Type().IsRegular() || !strings.HasSuffix(path, ".go"):
			return nil
		}
		tested = tested || strings.HasSuffix(path, "_test.go")
		imported = append(imported, importsOf(path, modules)...)
		return nil
	})
	if !tested {
		return nil
	}
	return imported
}

// importsOf returns the imports of a Go file that are packages of some modules, or would be if these had them.
func importsOf(path string, modules []Module) (imported []string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err == nil && slices.ContainsFunc(modules, func(m Module) bool { return name == m.Path || strings.HasPrefix(name, m.Path+"/") }) {
			imported = append(imported, name)
		}
	}
	return imported
}

// isModuleDir reports whether dir holds a go.mod.
func isModuleDir(dir string) bool {
	found, err := filepath.Glob(filepath.Join(dir, "go.mod"))
	return err == nil && len(found) > 0
}
