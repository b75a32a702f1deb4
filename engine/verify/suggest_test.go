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
	if found := dropBroken(path+":3:1: no", []*candidate{row, function}, nil); !found || row.state != dropped || function.state == dropped {
		t.Errorf("of a file that does not compile: row %v, function %v", row.state, function.state)
	}
	if found := dropBroken(path+":3:1: no", []*candidate{row, function}, nil); !found || function.state != dropped {
		t.Errorf("of one that still does not: function %v", function.state)
	}
}

func TestWhatIsNewOfAListLeavesTheListAlone(t *testing.T) {
	a, b := &evidence.Mutant{}, &evidence.Mutant{}
	list, known := []*evidence.Mutant{a, b}, map[*evidence.Mutant]bool{a: true}
	if got := fresh(list, known); len(got) != 1 || got[0] != b || list[0] != a || list[1] != b {
		t.Errorf("%v of %v", got, list)
	}
}
