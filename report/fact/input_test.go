package fact

import (
	"testing"

	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
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
		if got := Tells(&results.ExposedBy{Original: tt.now, Mutant: tt.with}); got != tt.want {
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
		if got := DifferInErrors(&results.ExposedBy{Original: tt.original, Mutant: tt.mutant}); got != tt.want {
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
		{"{all: &sync.Map, max: 3, log: &&p.Log{}}", "{all: &sync.Map, max: 3}", true},
		{`{name: "a\", Max: {", Max: 3}`, `{name: "b", Max: 3}`, true},
		{`{Name: "a, max: 3", max: 3}`, `{Name: "a, max: 4", max: 3}`, false},
		{`{Name: "a, max: 3, min: 4", max: 3}`, `{Name: "a, max: 3, min: 5", max: 3}`, false},
		{"{all: &p.T{n: 1, A: 2}, B: 1}", "{all: &p.T{n: 1, A: 3}, B: 1}", true},
		{"{a: 1, b: 2, C: 3}", "{a: 2, b: 1, C: 3}", true},
		{"map[bool]int{true: 1}", "map[bool]int{true: 2}", false},
		{"&p.T{n: p.U{A: 1, B: []int{1, 2}}, B: 2}, nil", "&p.T{n: nil, B: 2}, nil", true},
		{"&p.T{n: 1}, 2", "&p.T{n: 1}, 3", false},
		{"Root: …count: 1}}, Count: 4}", "Root: …count: 1}}}", false},
	} {
		if got := OnlyHidden(&results.ExposedBy{Original: tt.original, Mutant: tt.mutant}); got != tt.want {
			t.Errorf("%s, %s: %t", tt.original, tt.mutant, got)
		}
	}
}

func TestResultsThatLookTheSameAreNoExample(t *testing.T) {
	m := Survivor("a1", Exposed)
	m.ExposedBy.Original, m.ExposedBy.Mutant = "…0\\x00…", "…0\\x00…"
	if Example(&m) != nil {
		t.Error("an example")
	}
}

func TestWhatNoMachineHasTheMemoryForIsNoInput(t *testing.T) {
	for ends, want := range map[string]bool{"": true, results.CrashFatal: false} {
		m := Survivor("a1", Exposed)
		m.ExposedBy.Driver, m.ExposedBy.Call, m.ExposedBy.Ends, m.ExposedBy.Mutant = true, "F(1)", ends, "fatal error: runtime: out of memory"
		if got := Witness(&m) != nil; got != want {
			t.Errorf("where it ends with %q: an input: %v", ends, got)
		}
	}
}
