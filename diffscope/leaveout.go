package diffscope

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// Reasons to leave the functions of a file out.
const (
	outOfModules = "in no module below the folder"
	keptOut      = "in no module: a go.mod without a module line excludes the folder"
	inBroken     = "in a module that the go command cannot load"
	notAsked     = "in a package that was not asked for"
	excluded     = "excluded by build constraints"
	generated    = "generated, left alone"
	example      = "an example program, left alone unless its package is named"
	testHelper   = "a helper of tests, left alone unless its package is named"
)

// leaveOut returns the reason to leave out the functions of a file, or "".
func (f *finder) leaveOut(file *declaration.File) string {
	dir := f.folder(file)
	at, ok := f.layout.Place(dir)
	p := f.packages[dir]
	switch base := filepath.Base(file.Name); {
	case !ok && f.layout.BrokenAt(dir) != nil:
		return f.leaveOutBroken(dir)
	case !ok || p == nil:
		return outOfModules
	case !f.layout.Wanted(dir, at):
		return notAsked
	case slices.Contains(p.IgnoredGoFiles, base):
		return excluded
	case gotool.Generated(file.Syntax):
		return generated
	case len(f.cfg.Packages) == 0 && isExample(file):
		return example
	case len(f.cfg.Packages) == 0 && helpsTests(file):
		return testHelper
	}
	return ""
}

// isExample reports whether a file belongs to a main package below a folder for examples or tutorials, which exists
// to be read.
func isExample(file *declaration.File) bool {
	return file.Syntax.Name.Name == "main" && slices.ContainsFunc(strings.Split(file.Dir(), "/"), func(name string) bool {
		return slices.Contains([]string{"example", "examples", "_example", "_examples", "tutorial", "tutorials", "demo", "demos", "sample", "samples"}, name)
	})
}

// helperName matches names of packages, folders and files (without .go) of test helpers: "testutil", "test_helpers".
var helperName = regexp.MustCompile(`^test(ing)?_?(utils?|helpers?|mocks?)(_[a-z0-9]+)?$`)

// helpsTests reports whether a non-test file exists for tests, judging by the names of its folders, its package and
// itself. The tests that call it would show its faults.
func helpsTests(file *declaration.File) bool {
	names := append(strings.Split(file.Dir(), "/"), file.Syntax.Name.Name, strings.TrimSuffix(filepath.Base(file.Name), ".go"))
	return !file.IsTest() && slices.ContainsFunc(names, helperName.MatchString)
}
