package wire

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"strings"
	"testing"
)

func TestWireImportsTheStandardLibraryOnly(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Fields(string(out)); len(got) != 1 || !strings.HasSuffix(got[0], "/engine/wire") {
		t.Errorf("wire depends on %q, want nothing but itself", got)
	}
}

func TestWireDoesNothingOnItsOwn(t *testing.T) {
	sources := Sources()
	if sources["wire.go"] == "" || sources["job.go"] == "" {
		t.Fatal("sources are missing")
	}
	for name, text := range sources {
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
				t.Errorf("%s has an init function", name)
			}
		}
	}
}
