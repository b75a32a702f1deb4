package weave

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestExportedErrorVariablesAreMadeKnownAfterTheirDeclaration(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"errors.go": `package m

import "errors"

var (
	ErrA, errB error = errors.New("a"), errors.New("b")
	ErrC             = errors.New("c")
	ErrText          = "d"
)
`,
		"m.go": "package m\n\nfunc F() error { return ErrA }\n",
	})
	f := weaveModule(t, dir, "example.com/m", "./...")
	woven := string(f.woven.Overlay[filepath.Join(dir, "errors.go")])
	for _, name := range []string{"ErrA", "ErrC"} {
		if !strings.Contains(woven, `.Sentinel("m.`+name+`","example.com/m",&`+name+`)`) {
			t.Errorf("%s is not made known in\n%s", name, woven)
		}
	}
	if n := strings.Count(woven, ".Sentinel("); n != 2 {
		t.Errorf("%d variables are made known in\n%s", n, woven)
	}
}

func TestTargetsKnowTheErrorVariablesOfTheirPackage(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"m.go":      "package m\n\nimport \"errors\"\n\nvar ErrA = errors.New(\"a\")\n\nfunc F() error { return ErrA }\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc FuzzF(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, n int) { F() })\n}\n",
	})
	f := weaveProject(t, project{dir: dir, module: "example.com/m", env: alone, fuzzed: true}, []string{"./..."})
	if woven := string(f.woven.Overlay[filepath.Join(dir, "m_test.go")]); !strings.Contains(woven, `.Sentinel("m.ErrA","example.com/m",&ErrA)`) {
		t.Errorf("no variable is made known in\n%s", woven)
	}
}

func TestExternalTargetsKnowTheErrorVariablesThatThePackageUnderTestImports(t *testing.T) {
	dir := writeModule(t, map[string]string{
		"errs/errs.go": "package errs\n\nimport \"errors\"\n\nvar ErrBad = errors.New(\"bad\")\n",
		"store/store.go": `package store

import "example.com/m/errs"

func Get(n int) error {
	if n > 0 {
		return errs.ErrBad
	}
	return nil
}
`,
		"store/store_test.go": `package store_test

import (
	"testing"

	"example.com/m/store"
)

func FuzzGet(f *testing.F) { f.Fuzz(func(t *testing.T, n int) { store.Get(n) }) }
`,
	})
	f := weaveProject(t, project{dir: dir, module: "example.com/m", env: alone, fuzzed: true}, []string{"./..."})
	woven := string(f.woven.Overlay[filepath.Join(dir, "store", "store_test.go")])
	if !strings.Contains(woven, `.Sentinel("errs.ErrBad","example.com/m/errs",&`) {
		t.Errorf("no variable is made known in\n%s", woven)
	}
	if binary := f.build(t, "example.com/m/store", true); binary == "" {
		t.Error("the woven package has no tests")
	}
}
