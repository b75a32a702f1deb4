package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// survivor returns a verified survivor in its own line of its own function,
// adjusted by the given changes.
func survivor(id string, changes ...func(*results.Mutant)) results.Mutant {
	var line int
	fmt.Sscanf(strings.TrimLeft(id, "abcdefghijklmnopqrstuvwxyz"), "%d", &line)
	m := results.Mutant{
		ID: id, Function: "p.F" + id, Operator: "op", File: "f.go", Line: 100 + line, Column: 1,
		Original: "a" + id, Replacement: "b" + id,
		Status: results.Survived, Stage: results.Infected, Verified: true,
	}
	for _, change := range changes {
		change(&m)
	}
	return m
}

func line(n int) func(*results.Mutant)        { return func(m *results.Mutant) { m.Line = n } }
func function(f string) func(*results.Mutant) { return func(m *results.Mutant) { m.Function = f } }
func category(c string) func(*results.Mutant) { return func(m *results.Mutant) { m.Category = c } }
func status(s, stage string) func(*results.Mutant) {
	return func(m *results.Mutant) { m.Status, m.Stage = s, stage }
}
func unverified(m *results.Mutant) { m.Verified = false }
func notReached(m *results.Mutant) { m.Stage = results.NotReached }
func onDiff(m *results.Mutant)     { m.Evidence.OnDiff = true }
func undone(m *results.Mutant)     { m.Evidence.Changed = "1-2" }
func removal(m *results.Mutant)    { m.Replacement = "if false { " + m.Original + " }" }
func exposed(m *results.Mutant) {
	m.Stage, m.ExposedBy = results.Propagated, &results.ExposedBy{Call: "F()", Original: "1", Mutant: "2"}
}

func TestFindingsAreInOrderOfUse(t *testing.T) {
	tests := []struct {
		name    string
		mutants []results.Mutant
		want    string
	}{
		{"none", nil, ""},
		{"reversals, then exposed, then others",
			[]results.Mutant{survivor("a1"), survivor("b2", exposed), survivor("c3", undone)}, "c3 b2 a1"},
		{"an exposed reversal is a reversal",
			[]results.Mutant{survivor("a1", exposed), survivor("b2", undone, exposed)}, "b2 a1"},
		{"changed lines before others",
			[]results.Mutant{survivor("a1"), survivor("b2", onDiff)}, "b2 a1"},
		{"productive operators before others",
			[]results.Mutant{survivor("a1"), survivor("b2", category(results.CategoryUnary)),
				survivor("c3", category(results.CategoryConnector)), survivor("d4", category(results.CategoryRelational))},
			"d4 c3 b2 a1"},
		{"one of every function before the second of any",
			[]results.Mutant{survivor("a1", function("p.F")), survivor("b2", function("p.F")), survivor("c3", function("p.G"))},
			"a1 c3 b2"},
		{"one of every category before the second of any",
			[]results.Mutant{survivor("a1", function("p.F"), category(results.CategoryRelational)),
				survivor("b2", function("p.F"), category(results.CategoryRelational)),
				survivor("c3", function("p.F"), category(results.CategoryUnary))},
			"a1 c3 b2"},
		{"what runs before what does not",
			[]results.Mutant{survivor("a1", notReached, onDiff), survivor("b2")}, "b2 a1"},
		{"one of a function that does not run",
			[]results.Mutant{survivor("a1", notReached, function("p.F")), survivor("b2", notReached, function("p.F"))}, "a1"},
		{"one a line, the best",
			[]results.Mutant{survivor("a1", line(7)), survivor("b2", line(7), exposed), survivor("c3", line(8))}, "b2 c3"},
		{"the same source once",
			[]results.Mutant{survivor("a1"), survivor("b2", function("p.Fa1"), func(m *results.Mutant) { m.Original, m.Replacement = "aa1", "ba1" })},
			"a1"},
		{"no removal unless exposed",
			[]results.Mutant{survivor("a1", removal), survivor("b2", removal, exposed), survivor("c3", category(results.CategoryRemoval))}, "b2"},
		{"a reversal that removes",
			[]results.Mutant{survivor("a1", undone, func(m *results.Mutant) { m.Replacement = "" })}, "a1"},
		{"only what was confirmed",
			[]results.Mutant{survivor("a1", unverified), survivor("b2", line(101))}, "b2"},
		{"only survivors",
			[]results.Mutant{
				survivor("a1", status(results.Killed, results.Revealed)), survivor("b2", status(results.Equivalent, "")),
				survivor("c3", status(results.Unviable, "")), survivor("d4", status(results.Ignored, "")),
				survivor("e5", status(results.NotRun, "")), survivor("f6")},
			"f6"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, ids(Findings(&results.Results{Mutants: tt.mutants}))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// ids returns the IDs of mutants and the entries of crashes.
func ids(findings []Finding) string {
	var all []string
	for _, f := range findings {
		if f.Crash != nil {
			all = append(all, f.Crash.Entry)
		} else {
			all = append(all, f.Mutant.ID)
		}
	}
	return strings.Join(all, " ")
}

func TestCrashesComeFirstAndIntroducedOnesBeforeAll(t *testing.T) {
	r := &results.Results{
		Mutants: []results.Mutant{survivor("m1", undone)},
		Crashes: []results.Crash{
			{Harness: "p.FuzzA", Entry: "base", Introduced: results.IntroducedNo},
			{Harness: "p.FuzzB", Entry: "unknown", Introduced: results.IntroducedUnknown},
			{Harness: "p.FuzzC", Entry: "new", Message: "index out of range [3] with length 3", Introduced: results.IntroducedYes},
			{Harness: "p.FuzzC", Entry: "again", Message: "index out of range [41] with length 40", Introduced: results.IntroducedYes},
		},
	}
	if got, want := ids(Findings(r)), "new unknown base m1"; got != want {
		t.Errorf("findings %s, want %s", got, want)
	}
}

func TestCandidatesNeedNoConfirmation(t *testing.T) {
	r := &results.Results{Mutants: []results.Mutant{survivor("a1", unverified), survivor("b2", unverified, undone)}}
	var got []string
	for _, m := range Candidates(r) {
		got = append(got, m.ID)
	}
	if diff := cmp.Diff([]string{"b2", "a1"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestKeysDependOnSourceOnly(t *testing.T) {
	base := survivor("a1", func(m *results.Mutant) { m.Original, m.Replacement = "f(x, y)", "f(x)" })
	tests := []struct {
		name   string
		change func(*results.Mutant)
		same   bool
	}{
		{"line", line(999), true},
		{"ID", func(m *results.Mutant) { m.ID = "zz" }, true},
		{"layout", func(m *results.Mutant) { m.Original = "f(x,\n\t y)" }, true},
		{"comment", func(m *results.Mutant) { m.Original = "f(x, /* why */ y) // how" }, true},
		{"function", function("p.G"), false},
		{"operator", func(m *results.Mutant) { m.Operator = "other" }, false},
		{"source", func(m *results.Mutant) { m.Original = "f(x, z)" }, false},
		{"replacement", func(m *results.Mutant) { m.Replacement = "f(y)" }, false},
		{"string", func(m *results.Mutant) { m.Original = `f("x", y)` }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			changed := base
			tt.change(&changed)
			if same := mutantKey(&base) == mutantKey(&changed); same != tt.same {
				t.Errorf("the key stays the same: %t, want %t", same, tt.same)
			}
		})
	}
}
