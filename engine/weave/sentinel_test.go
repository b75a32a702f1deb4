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
		if !strings.Contains(woven, `.Sentinel("m.`+name+`",&`+name+`)`) {
			t.Errorf("%s is not made known in\n%s", name, woven)
		}
	}
	if n := strings.Count(woven, ".Sentinel("); n != 2 {
		t.Errorf("%d variables are made known in\n%s", n, woven)
	}
}
