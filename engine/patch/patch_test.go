package patch

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestEditsKeepTheGroupsOfImports(t *testing.T) {
	const body = "\n\nvar x = 1\n"
	for _, tt := range []struct{ name, src, spec, want string }{
		{"none", "package p" + body, `"errors"`, "package p\n\nimport \"errors\"" + body},
		{"not in parentheses", "package p\n\nimport \"testing\"" + body, `"errors"`, "package p\n\nimport \"testing\"\nimport \"errors\"" + body},
		{"there already", "package p\n\nimport (\n\t\"errors\"\n)" + body, `"errors"`, "package p\n\nimport (\n\t\"errors\"\n)" + body},
		{"there already, with the name that it has", "package p\n\nimport (\n\t\"a.b/c/v2\"\n)" + body, `c "a.b/c/v2"`, "package p\n\nimport (\n\t\"a.b/c/v2\"\n)" + body},
		{"there already, named as it is", "package p\n\nimport (\n\tc \"a.b/c/v2\"\n)" + body, `"a.b/c/v2"`, "package p\n\nimport (\n\tc \"a.b/c/v2\"\n)" + body},
		{
			"of another module with the same version", "package p\n\nimport (\n\t\"a.b/c/v2\"\n)" + body, `"a.b/d/v2"`,
			"package p\n\nimport (\n\t\"a.b/c/v2\"\n\t\"a.b/d/v2\"\n)" + body,
		},
		{
			"of the standard library", "package p\n\nimport (\n\t\"testing\"\n\n\t\"a.b/c\"\n)" + body, `"errors"`,
			"package p\n\nimport (\n\t\"errors\"\n\t\"testing\"\n\n\t\"a.b/c\"\n)" + body,
		},
		{
			"of the standard library, after others", "package p\n\nimport (\n\t\"a.b/c\"\n\n\t\"testing\" // t\n)" + body, `"errors"`,
			"package p\n\nimport (\n\t\"a.b/c\"\n\n\t\"errors\"\n\t\"testing\" // t\n)" + body,
		},
		{
			"the first of another module", "package p\n\nimport (\n\t\"testing\"\n)" + body, `"a.b/c"`,
			"package p\n\nimport (\n\t\"testing\"\n\n\t\"a.b/c\"\n)" + body,
		},
		{
			"the first of the standard library", "package p\n\nimport (\n\t\"a.b/c\"\n)" + body, `"errors"`,
			"package p\n\nimport (\n\t\"errors\"\n\n\t\"a.b/c\"\n)" + body,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Apply([]byte(tt.src), Edit{Imports: []string{tt.spec}})
			if err != nil || string(got) != tt.want {
				t.Errorf("%v\n%s\nwant\n%s", err, got, tt.want)
			}
		})
	}
}

func TestEditsThatWouldChangeMoreAreRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		src  string
		edit Edit
	}{
		"not formatted":               {"package p\nvar  x = 1\n", Edit{At: 9}},
		"another name":                {"package p\n\nimport e \"errors\"\n", Edit{Imports: []string{`"errors"`}}},
		"the name of something else":  {"package p\n\nimport e \"embed\"\n", Edit{Imports: []string{`e "errors"`}}},
		"the name of another package": {"package p\n\nimport \"errors\"\n", Edit{Imports: []string{`"github.com/pkg/errors"`}}},
		"its name in another version": {"package p\n\nimport \"gopkg.in/yaml.v3\"\n", Edit{Imports: []string{`"example.com/yaml/v2"`}}},
		"after the end":               {"package p\n", Edit{At: 99}},
		"no Go":                       {"package p\n", Edit{At: 10, Text: "}"}},
	} {
		if got, err := Apply([]byte(tt.src), tt.edit); err == nil {
			t.Errorf("%s: no error, but\n%s", name, got)
		}
	}
}

func TestADeclarationGoesIntoAFileThatAnotherGofmtFormatted(t *testing.T) {
	src := "package p\n\nimport \"b\"\n\nvar x = 1E3\n\nvar y = 1\n"
	at := strings.Index(src, "\n\nvar y")
	got, err := Apply([]byte(src), Edit{At: at, Text: "\n\nfunc TestX(t *testing.T) {\nf( )\n}\n", Decl: true, Imports: []string{`"testing"`}})
	want := "package p\n\nimport \"b\"\nimport \"testing\"\n\nvar x = 1E3\n\nfunc TestX(t *testing.T) {\n\tf()\n}\n\nvar y = 1\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	src = "package p\n\nvar  x = 1\n"
	got, err = Apply([]byte(src), Edit{At: len(src), Text: "\n\nfunc f() {}\n", Decl: true})
	if want := "package p\n\nvar  x = 1\n\nfunc f() {}\n"; err != nil || string(got) != want {
		t.Errorf("at the end: %v\n%q", err, got)
	}
}

func TestEditsOfOneFileGoTogether(t *testing.T) {
	src := []byte("package p\n\nvar list = []int{\n\t1,\n}\n")
	at := strings.Index(string(src), ",") + 1
	got, err := Apply(src, Edit{At: at, Text: "\n2,", Imports: []string{`"a"`}}, Edit{At: at, Text: "\n3,", Imports: []string{`"a"`}})
	want := "package p\n\nimport \"a\"\n\nvar list = []int{\n\t1,\n\t2,\n\t3,\n}\n"
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestPatchesAreTakenByGit(t *testing.T) {
	for name, before := range map[string][]byte{"a b_test.go": nil, "c_test.go": []byte("1\n2\n3\n4\n5\n6\n7\n8"), "d_test.go": {}} {
		dir := t.TempDir()
		if before != nil {
			if err := os.WriteFile(filepath.Join(dir, name), before, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		after := append([]byte("0\n"), append(before, "9\n"...)...)
		cmd := exec.Command("git", "apply", "-")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(Diff(name, before, after))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s\n%s", name, err, out, Diff(name, before, after))
			continue
		}
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != string(after) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestImportsThatAFileHasAreNotMissing(t *testing.T) {
	src := []byte("package p\n\nimport (\n\t\"errors\"\n\n\tx \"example.com/x\"\n)\n")
	e := Edit{Imports: []string{`x "example.com/x"`, `"testing"`, `"errors"`, `"example.com/y"`, `"testing"`}}
	if got, err := e.Missing(src); err != nil || !slices.Equal(got, []string{`"example.com/y"`, `"testing"`}) {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := (Edit{Imports: []string{`z "example.com/x"`}}).Missing(src); err == nil {
		t.Error("a package imported by another name is no error")
	}
}

func TestStandardLibraryIsImportedFirst(t *testing.T) {
	got := ImportBlock([]string{`"example.com/a"`, `"reflect"`, `b "github.com/x/b"`, `"testing"`})
	if want := "import (\n\t\"reflect\"\n\t\"testing\"\n\n\t\"example.com/a\"\n\tb \"github.com/x/b\"\n)\n"; got != want {
		t.Errorf("%s", got)
	}
}
