package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTwoValuesThatBothEndInTheMiddleTellNothing(t *testing.T) {
	for _, tt := range []struct {
		now, with string
		want      bool
	}{
		{`[0]: &p.V{Name: "id", Mapper: p.Map…`, `[0]: &p.V{Flag: &p.Flag{Value: &p.V{…`, false},
		{`&p.V{Name: "id", …}`, `&p.V{Name: "no", …}`, true},
		{`&p.V{Name: "id", Mapper: p.Map…`, "nil", true},
		{`…\"in\":\"header\"}"), _`, `…\"in\":\"header\",\"url\":\"\"}"), _`, true},
		{`…Name: "id"}, p.V{}`, `…Name: "no"}, p.V{}`, false},
	} {
		if got := tells(&results.ExposedBy{Original: tt.now, Mutant: tt.with}); got != tt.want {
			t.Errorf("%s and %s: %v", tt.now, tt.with, got)
		}
	}
}

func TestErrorsWithinResultsAreErrors(t *testing.T) {
	for _, tt := range []struct {
		original, mutant string
		want             bool
	}{
		{`err: error("avro: for long and logical")`, `err: error("avro: for long")`, true},
		{`Errs[0]: *p.Error("a")`, `Errs[0]: *p.Error("b")`, true},
		{`err: error("a")`, `err: nil`, false},
		{`Name: "error(a)"`, `Name: "error(b)"`, false},
		{`1`, `2`, false},
	} {
		if got := differInErrors(&results.ExposedBy{Original: tt.original, Mutant: tt.mutant}); got != tt.want {
			t.Errorf("%s, %s: %t", tt.original, tt.mutant, got)
		}
	}
}

func TestWhatDiffersOnlyInUnexportedFieldsIsHidden(t *testing.T) {
	for _, tt := range []struct {
		original, mutant string
		want             bool
	}{
		{"&p.T{A: 1, n: 2}", "&p.T{A: 1, n: 3}", true},
		{"&p.T{A: 1, n: 2}", "&p.T{A: 2, n: 2}", false},
		{"root: …count: 1}}, count: 4}", "root: …count: 1}}}", true},
		{"Root.list[2].n: 1", "Root.list[2].n: 2", true},
		{"Root.List[2].N: 1", "Root.List[2].N: 2", false},
		{"Root: …count: 1}}, Count: 4}", "Root: …count: 1}}}", false},
	} {
		if got := onlyHidden(&results.ExposedBy{Original: tt.original, Mutant: tt.mutant}); got != tt.want {
			t.Errorf("%s, %s: %t", tt.original, tt.mutant, got)
		}
	}
}

func TestACallThatNobodyReadsIsNoExample(t *testing.T) {
	for size, want := range map[int]bool{maxReadable: true, maxReadable + 1: false} {
		m := survivor("a1", exposed)
		m.ExposedBy.Driver, m.ExposedBy.Setup, m.ExposedBy.Test = true, []string{"x := f()"}, "func TestF(t *testing.T) {}"
		m.ExposedBy.Call = strings.Repeat("x", size-len(m.ExposedBy.Setup[0]))
		test, _ := testOf(testsFor([]*results.Mutant{&m}), verb{})
		if got := example(&m) != nil; got != want || (test != "") != want {
			t.Errorf("of %d bytes: an example %t, a test %t; want %t", size, got, test != "", want)
		}
	}
}

func TestResultsThatLookTheSameAreNoExample(t *testing.T) {
	m := survivor("a1", exposed)
	m.ExposedBy.Original, m.ExposedBy.Mutant = "…0\\x00…", "…0\\x00…"
	if example(&m) != nil {
		t.Error("an example")
	}
}

func TestWhatOtherPackagesCannotSeeIsNoChangeOfBehaviour(t *testing.T) {
	for _, tt := range []struct {
		original, mutant string
		hidden           bool
	}{
		{"[0]: &p.Pattern{}", "[0]: &p.Pattern{matchType: 4}", true},
		{"p.Pattern{matchType: 1, n: 2}, nil", "p.Pattern{matchType: 4}, nil", true},
		{"p.Pattern{Type: 1}, nil", "p.Pattern{Type: 4}, nil", false},
		{"1, p.Pattern{n: 1}", "2, p.Pattern{n: 1}", false},
		{`p.Pattern{n: 1, Name: "a"}`, `p.Pattern{n: 1, Name: "b"}`, false},
		{"[]int{1}", "[]int{2}", false},
		{`&p.S{key: "A b", list: []string{"B"}}`, "&p.S{}", true},
		{`&p.S{key: "A b", Inner: p.T{at: 1}}, nil`, `&p.S{Inner: p.T{}}, nil`, true},
		{`&p.S{key: "A b", Name: "a"}`, `&p.S{key: "A b"}`, false},
	} {
		m := survivor("a1", undone)
		m.ExposedBy = &results.ExposedBy{Driver: true, Call: "F()", Original: tt.original, Mutant: tt.mutant}
		m.Stage = results.Propagated
		if f := Findings(&results.Results{Mutants: []results.Mutant{m}}); len(f) != 1 || (f[0].Kind == Gap) != tt.hidden {
			t.Errorf("%s, else %s: %+v", tt.original, tt.mutant, f)
		}
	}
}
