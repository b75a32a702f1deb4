package suggestion

import (
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/packages"
)

func TestATestBelongsToTheFileOfTheCalleesTests(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	const (
		empty = "package p\n"
		calls = "package p\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { F() }\n\nfunc TestG(t *testing.T) { F() }\n"
	)
	for _, tt := range []struct {
		fact  string
		files map[string]string // tests
		want  string            // empty: none
	}{
		{"the one that calls it", map[string]string{"f_test.go": empty, "lines_test.go": empty, "x_test.go": calls}, "x_test.go"},
		{"the one that is named after the altered file", map[string]string{"f_test.go": empty, "lines_test.go": empty, "y_test.go": empty}, "lines_test.go"},
		{"the one that is named after its file", map[string]string{"f_test.go": empty, "y_test.go": empty}, "f_test.go"},
		{"the only one", map[string]string{"y_test.go": empty}, "y_test.go"},
		{"none of several", map[string]string{"y_test.go": empty, "x_test.go": empty}, ""},
	} {
		dir := t.TempDir()
		tt.files["go.mod"], tt.files["f.go"], tt.files["lines.go"] = "module example.com/p\n\ngo 1.23\n", "package p\n\nfunc F() {}\n", "package p\n"
		for name, text := range tt.files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		list, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedForTest, Dir: dir, Tests: true}, ".")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			if p.ForTest == "" || p.PkgPath != "example.com/p" {
				continue
			}
			c := &Call{Callee: p.Types.Scope().Lookup("F").(*types.Func), Package: p.PkgPath}
			path, _, ok := Place([]*packages.Package{p}, c, filepath.Join(dir, "lines.go"), filepath.Join(dir, "f.go"))
			if ok != (tt.want != "") || ok && filepath.Base(path) != tt.want {
				t.Errorf("%s: %s, %t", tt.fact, path, ok)
			}
		}
	}
}
