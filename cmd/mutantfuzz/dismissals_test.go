package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/internal/config"
)

func TestWhatIsDismissedInAReviewIsLeftOutLater(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "corpus")
	for _, n := range []string{"1", "2", "1"} { // "1" comes twice, and is stored once
		dismissed := []config.Dismissal{{Function: "m.F", Operator: "relational", Edit: "n > " + n + " → n >= " + n, Reason: "callers check"}}
		if err := storeDismissals(t.Context(), dir, dismissed); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, config.Store))
	if err != nil || strings.Count(string(data), "function") != 2 {
		t.Fatalf("%v, it has\n%s", err, data)
	}
	var d team
	if warning := d.loadDismissals(dir); warning != "" {
		t.Fatal(warning)
	}
	got := ""
	for _, m := range d.choose(new(mutate.Function), []mutate.Mutant{
		{Function: "m.F", Operator: "relational", Original: "n > 1", Replacement: "n >= 1"},
		{Function: "m.F", Operator: "relational", Original: "n > 3", Replacement: "n >= 3"},
		{Function: "m.G", Operator: "relational", Original: "n > 2", Replacement: "n >= 2"},
	}) {
		got += "/" + m.Ignored
	}
	if want := "/dismissed in a review: callers check//"; got != want {
		t.Errorf("reasons %q, want %q", got, want)
	}
}

func TestNothingIsKeptOfReviewsWithoutAPlaceForIt(t *testing.T) {
	t.Chdir(t.TempDir())
	one := []config.Dismissal{{Function: "m.F", Reason: "x"}}
	for dir, list := range map[string][]config.Dismissal{"": one, noCorpus: one, "corpus": nil} {
		if err := storeDismissals(t.Context(), dir, list); err != nil {
			t.Errorf("%q: %v", dir, err)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestWhatCannotBeReadAgainIsNotKept(t *testing.T) {
	dir := t.TempDir()
	list := []config.Dismissal{{Function: "m.F", Edit: strings.Repeat("x", 1001), Reason: "long"}, {Function: "m.G", Operator: "gone", Reason: "unknown"}, {Function: "m.H", Reason: "fits"}}
	if err := storeDismissals(t.Context(), dir, list); err != nil {
		t.Fatal(err)
	}
	var d team
	if warning := d.loadDismissals(dir); warning != "" || len(d.reviews.Dismissed) != 1 || d.reviews.Dismissed[0].Function != "m.H" {
		t.Errorf("%s %+v", warning, d.reviews.Dismissed)
	}
}

func TestABrokenStoreOfDismissalsStopsNoAnalysis(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(outside, []byte("dismissed:\n- {function: m.F, reason: x}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func(file string) error{
		"no YAML":               func(file string) error { return os.WriteFile(file, []byte("{"), 0o644) },
		"a folder":              func(file string) error { return os.Mkdir(file, 0o755) },
		"a link that leads out": func(file string) error { return os.Symlink(outside, file) },
	} {
		dir := t.TempDir()
		if err := make(filepath.Join(dir, config.Store)); err != nil {
			t.Skip(err) // not every system can make links
		}
		var d team
		if warning := d.loadDismissals(dir); !strings.Contains(warning, config.Store) || len(d.reviews.Dismissed) > 0 {
			t.Errorf("%s: warning %q, %v", name, warning, d.reviews.Dismissed)
		}
		if err := storeDismissals(t.Context(), dir, []config.Dismissal{{Function: "m.F", Reason: "x"}}); err == nil || !strings.Contains(err.Error(), "\nhint: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheOldestDismissalsGoFirst(t *testing.T) {
	dir := t.TempDir()
	var list []config.Dismissal
	for i := range 1003 {
		list = append(list, config.Dismissal{Function: fmt.Sprintf("m.F%d", i), Reason: "x"})
	}
	if err := storeDismissals(t.Context(), dir, list); err != nil {
		t.Fatal(err)
	}
	var d team
	if warning := d.loadDismissals(dir); warning != "" || len(d.reviews.Dismissed) != 1000 || d.reviews.Dismissed[0].Function != "m.F3" {
		t.Errorf("%s, %d of them", warning, len(d.reviews.Dismissed))
	}
}
