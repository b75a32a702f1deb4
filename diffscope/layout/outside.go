package layout

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

// Outside returns the import paths of the packages of a unit that modules of other units import from the unit's folders,
// sorted, and the folders of these modules, if they have tests. Many projects keep tests that need a database in a
// module of their own, which takes the tested module from its folder.
func (l *Layout) Outside(unit int) (importPaths, dirs []string) {
	for n, other := range l.Units {
		for _, m := range other.Modules {
			if n == unit || !replacesOneOf(m, l.Units[unit]) {
				continue
			}
			if imported := importedByTested(m, l.Units[unit]); len(imported) > 0 {
				importPaths, dirs = append(importPaths, imported...), append(dirs, m.Dir)
			}
		}
	}
	slices.Sort(importPaths)
	return slices.Compact(importPaths), dirs
}

// replacesOneOf reports whether m takes a module of a unit from its folder, by a replace directive.
func replacesOneOf(m gotool.Module, u gotool.Unit) bool {
	return slices.ContainsFunc(u.Modules, func(own gotool.Module) bool { return slices.Contains(m.Replaces, own.Dir) })
}

// importedByTested returns the packages of a unit that m imports; none if m has no test, but perhaps benchmarks. It skips
// files that cannot be read.
func importedByTested(m gotool.Module, u gotool.Unit) (imported []string) {
	tested := false
	_ = filepath.WalkDir(m.Dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil
		case d.IsDir() && path != m.Dir && (gotool.Ignored(d.Name()) || isModuleDir(path)):
			return fs.SkipDir
		case d.Type().IsRegular() && strings.HasSuffix(path, ".go"):
			tested = tested || strings.HasSuffix(path, "_test.go") && hasTest(path)
			imported = append(imported, importsOf(path, u)...)
		}
		return nil
	})
	if !tested {
		return nil
	}
	return imported
}

// hasTest reports whether a test file has a test, or cannot be parsed.
func hasTest(path string) bool {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	return err != nil || len(gotool.TestsIn(file)) > 0
}

// importsOf returns the imports of a Go file that are packages of a unit.
func importsOf(path string, u gotool.Unit) (imported []string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	for _, spec := range file.Imports {
		if name, err := strconv.Unquote(spec.Path.Value); err == nil && mayHave(u, name) {
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
