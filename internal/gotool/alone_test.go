package gotool

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPackagesListedAloneAreThoseThatAreListedWithWhatTheyDependOn(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	g := Go{Dir: root}
	want, err := g.List(t.Context(), []string{"-tags=x"}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	got, err := g.ListAlone(t.Context(), []string{"-tags=x"}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]bool{}
	for _, p := range want {
		own[p.ImportPath] = true
	}
	for _, list := range [][]*Package{want, got} {
		for _, p := range list {
			// Of other modules, ListAlone only knows what is imported directly, and no errors.
			p.Deps = slices.DeleteFunc(p.Deps, func(path string) bool { return !own[path] })
			slices.Sort(p.Deps)
			p.Errors = nil
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
