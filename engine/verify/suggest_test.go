package verify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/patch"
	"github.com/mutantfuzz/mutantfuzz/engine/suggestion"
)

func TestATestFailsIfASubtestOfItDoes(t *testing.T) {
	failed := failures{"TestSize/empty", "TestParse"}
	for test, want := range map[string]bool{"TestSize": true, "TestParse": true, "TestPars": false, "TestOther": false} {
		if got := failed.has(test); got != want {
			t.Errorf("%s: %t, want %t", test, got, want)
		}
	}
}

func TestAFunctionIsOfferedWhereARowCannotBe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f_test.go")
	source := "package p\n\nvar  rows = []int{1}\n" // gofmt would leave one blank
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	row := &candidate{Edit: patch.Edit{Path: path, At: strings.Index(source, "}"), Text: ", 2"}, row: &suggestion.Row{}}
	function := &candidate{Edit: patch.Edit{Path: path, At: len(source), Text: "\nfunc TestF() {}\n", Decl: true}}
	files := edited([]*candidate{row, function})
	if row.state != dropped || function.state == dropped || !strings.Contains(string(files[path]), "TestF") {
		t.Errorf("row %v, function %v, in\n%s", row.state, function.state, files[path])
	}
	row.state = untried
	if found := dropBroken(path+":3:1: no", "", []*candidate{row, function}, nil); !found || row.state != dropped || function.state == dropped {
		t.Errorf("of a file that does not compile: row %v, function %v", row.state, function.state)
	}
	if found := dropBroken(path+":3:1: no", "", []*candidate{row, function}, nil); !found || function.state != dropped {
		t.Errorf("of one that still does not: function %v", function.state)
	}
}

func TestAnImportThatDoesNotFitCostsNoOtherSuggestion(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f_test.go")
	source := "package p\n\nimport \"errors\"\n\nvar rows = []int{1}\n"
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	row := &candidate{Edit: patch.Edit{Path: path, At: strings.Index(source, "}"), Text: ", 2"}, row: &suggestion.Row{}}
	other := &candidate{Edit: patch.Edit{Path: path, At: len(source), Text: "\nfunc TestE() {}\n", Decl: true, Imports: []string{`"example.com/errors"`}}}
	function := &candidate{Edit: patch.Edit{Path: path, At: len(source), Text: "\nfunc TestF() {}\n", Decl: true, Imports: []string{`"testing"`}}}
	text := string(edited([]*candidate{row, other, function})[path])
	if row.state == dropped || other.state != dropped || function.state == dropped || !strings.Contains(text, "{1, 2}") || !strings.Contains(text, "TestF") {
		t.Errorf("row %v, others %v and %v, in\n%s", row.state, other.state, function.state, text)
	}
	missing := &candidate{Edit: patch.Edit{Path: path + "x"}}
	if files := edited([]*candidate{missing}); len(files) > 0 || missing.state != dropped {
		t.Errorf("a file that cannot be read: %v", files)
	}
}

func TestATestOfWhatSomeBuildsHaveIsNotForAFileOfAllBuilds(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"p_test.go": "package p\n", "p_linux_test.go": "package p\n", "x_test.go": "//go:build linux\n\npackage p\n"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, constraint := range []string{"", "linux"} {
			r := &regression{Function: suggestion.Function{Constraint: constraint}}
			if got, want := suits(r, path), constraint == "" || name != "p_test.go"; got != want {
				t.Errorf("a test for %q in %s: %t, want %t", constraint, name, got, want)
			}
		}
	}
}

func TestOnlyTheFilesThatTheGoCommandNamesAreBlamed(t *testing.T) {
	file := filepath.Join("/m", "p", "parse_test.go")
	for output, want := range map[string]bool{
		"# m/p\n" + file + ":3:1: no":                                true,
		"# m/p\n" + filepath.Join("p", "parse_test.go") + ":3:1: no": true,
		filepath.Join("/m", "p", "expr_parse_test.go") + ":3:1: no":  false,
		filepath.Join("/m", "q", "parse_test.go") + ":3:1: no":       false,
		filepath.Join("/m", "p", "parse.go") + ":3:1: no":            false,
		"p.go:3:1: unlike " + file + ":3:1":                          false,
	} {
		if got := blames(output, filepath.FromSlash("/m"), file); got != want {
			t.Errorf("%q: %t, want %t", output, got, want)
		}
	}
	if !blames("."+string(filepath.Separator)+"parse_test.go:3:1: no", filepath.Join("/m", "p"), file) {
		t.Error("a file in the folder itself is not")
	}
}

func TestWhatIsNewOfAListLeavesTheListAlone(t *testing.T) {
	a, b := &evidence.Mutant{}, &evidence.Mutant{}
	list, known := []*evidence.Mutant{a, b}, map[*evidence.Mutant]bool{a: true}
	if got := fresh(list, known); len(got) != 1 || got[0] != b || list[0] != a || list[1] != b {
		t.Errorf("%v of %v", got, list)
	}
}
