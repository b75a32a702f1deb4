package suggestion

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/packages"
)

func TestErrorsAreNamedWhereOneVariableHasTheirText(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.23\n",
		"m.go": `package m

import "errors"

var (
	ErrUnit  = errors.New("unknown unit")
	errInner = errors.New("inner")
	ErrOne   = errors.New("twice")
	ErrTwo   = errors.New("twice")
	ErrAlso  = errors.New("written elsewhere")
)

func Fail() error { return errors.New("written elsewhere") }
`,
		"m_test.go": `package m

import "testing"

func TestIt(t *testing.T) {
	if Fail().Error() == "unknown unit" {
		t.Error()
	}
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedForTest, Dir: dir, Tests: true}, ".")
	if err != nil {
		t.Fatal(err)
	}
	tables := TablesOf(pkgs)
	for _, tt := range []struct {
		text, pkg string
		inside    bool
		want      string
	}{
		{"unknown unit", "example.com/m", true, "m.ErrUnit"},
		{"unknown unit", "example.com/m", false, "m.ErrUnit"},
		{"unknown unit", "example.com/other", true, ""},
		{"size: unknown unit", "example.com/m", true, ""},
		{"inner", "example.com/m", true, "m.errInner"},
		{"inner", "example.com/m", false, ""},
		{"twice", "example.com/m", true, ""},
		{"written elsewhere", "example.com/m", true, ""},
	} {
		if got := tables.ErrorNamed(tt.text, tt.pkg, tt.inside); got != tt.want {
			t.Errorf("%q of %s, inside %v: %q, want %q", tt.text, tt.pkg, tt.inside, got, tt.want)
		}
	}
}

func TestPackagesGoByTheNamesThatTheFileGivesThem(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p_test.go", "package p\n\nimport (\n\t\"errors\"\n\tinout \"io\"\n)\n\nvar _ = errors.New\nvar rows = []error{inout.EOF}\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{Importer: importer.Default()}
	pkg, err := config.Check("example.com/p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var rows *ast.CompositeLit
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok {
			rows = lit
		}
		return true
	})
	tab := &table{pkg: &packages.Package{Types: pkg, Fset: fset}, rows: rows}
	for _, imported := range pkg.Imports() {
		want := map[string]string{"io": "inout", "errors": "errors"}[imported.Path()]
		if got := tab.qualifier(imported); got != want {
			t.Errorf("%s: %q, want %q", imported.Path(), got, want)
		}
	}
	if got := tab.qualifier(pkg); got != "" {
		t.Errorf("its own: %q", got)
	}
}
