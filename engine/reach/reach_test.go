package reach

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/journal"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

func TestWithoutTimeForTheCallGraphOnlyTargetsOfTouchedPackagesCount(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "fuzz_test.go"), []byte("package p\n\nimport \"testing\"\n\nfunc FuzzP(f *testing.F) {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	fuzzed := func(path string, imports ...string) *gotool.Package {
		return &gotool.Package{ImportPath: path, Name: "p", Dir: dir, TestGoFiles: []string{"fuzz_test.go"}, TestImports: imports, Deps: imports}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	for _, tt := range []struct {
		late bool
		want []string
	}{{true, []string{"m/touched"}}, {false, []string{"m/far", "m/touched"}}} {
		j := new(journal.Journal)
		r := &Reach{
			Program: &program.Program{
				Touched: []string{"m/touched"}, Packages: map[string]*gotool.Package{"m/touched": fuzzed("m/touched"), "m/far": fuzzed("m/far", "m/touched")},
			},
			Journal: j, noGraph: true, late: tt.late,
		}
		if got := r.Targets(ctx); !slices.Equal(got, tt.want) {
			t.Errorf("late: %v: targets of %q, want %q", tt.late, got, tt.want)
		}
		if noted := len(j.Warnings()) > 0; noted != tt.late {
			t.Errorf("late: %v: noted: %v", tt.late, noted)
		}
	}
}

func TestPackagesThatComeFirstAreFirstInTheQueue(t *testing.T) {
	q := Queue{Reach: &Reach{Everything: true}, Left: []string{"m/a", "m/b", "m/c", "m/d"}, First: []string{"m/c"}}
	var got [][]string
	for group := q.Next(t.Context(), nil, 1); len(group) > 0; group = q.Next(t.Context(), nil, 1) {
		got = append(got, group)
	}
	if want := [][]string{{"m/c"}, {"m/a", "m/b"}, {"m/d"}}; !slices.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWhatTestsCallIsKnownAfterTimeIsOver(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":    "module m\n\ngo 1.24\n",
		"m.go":      "package m\n\nfunc F() {}\n\nfunc G() {}\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { F() }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := &program.Program{Tool: gotool.Go{Dir: dir, Env: append(os.Environ(), "GOPROXY=off")}, Touched: []string{"m"}, Packages: map[string]*gotool.Package{}}
	all, err := p.Tool.List(t.Context(), nil, "./...")
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range all {
		p.Packages[pkg.ImportPath] = pkg
	}
	late, cancel := context.WithCancel(t.Context())
	cancel()
	r := &Reach{Program: p, Journal: new(journal.Journal)}
	if _, known := r.Calls(late, "m", "TestF"); known {
		t.Error("without the graph it cannot be known")
	}
	before, known := r.Calls(t.Context(), "m", "TestF")
	after, still := r.Calls(late, "m", "TestF")
	_, f := after["m.F"]
	_, g := after["m.G"]
	if !known || !still || len(before) != len(after) || !f || g {
		t.Errorf("%v, known: %v; later %v, known: %v", before, known, after, still)
	}
	if !r.MayReach("m", "m.G") {
		t.Error("before the walk from all tests of the package it is not known what they reach")
	}
	r.Steps(t.Context(), map[string]bool{"m.F": true}, "m")
	for function, want := range map[string]bool{"m.F": true, "m.G": false} {
		if got := r.MayReach("m", function); got != want {
			t.Errorf("%s: %v, want %v", function, got, want)
		}
	}
	if r.Everything = true; !r.MayReach("m", "m.G") {
		t.Error("no test is left out because of the call graph")
	}
}

func TestTestsThatMentionAFunctionAreLikelyToReachIt(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a_test.go": "package m\n\nimport \"testing\"\n\nfunc TestOther(t *testing.T) { g() }\n\nfunc TestBoth(t *testing.T) { t.Run(\"f\", func(t *testing.T) { f(); g() }) }\n\nfunc helper() { f() }\n",
		"b_test.go": "package m_test\n\nimport \"testing\"\n\nfunc TestMethod(t *testing.T) { (&m.T{}).Purge() }\n",
		"c_test.go": "package m\n\nfunc TestCut(t *testing.T) { f()\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := &Reach{Program: &program.Program{Packages: map[string]*gotool.Package{
		"m": {ImportPath: "m", Dir: dir, TestGoFiles: []string{"a_test.go", "c_test.go"}, XTestGoFiles: []string{"b_test.go"}},
	}}}
	got := r.Likely("m", map[string]bool{"m.f": true, "m.T.Purge": true})
	if want := []string{"TestBoth", "TestMethod"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := r.Likely("m/unknown", map[string]bool{"m.f": true}); got != nil {
		t.Errorf("of a package that is not there: %q", got)
	}
}
