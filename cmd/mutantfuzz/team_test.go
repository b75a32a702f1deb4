package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/internal/config"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func decisions(t *testing.T, text string) *team {
	t.Helper()
	c, err := config.Decode([]byte(text), operatorNames())
	if err != nil {
		t.Fatal(err)
	}
	return &team{Config: *c}
}

func TestWhatTheFileLeavesOut(t *testing.T) {
	d := decisions(t, `
operators: {disable: [logical]}
dismissed:
- {function: m.F, edit: "leave out the branch where n > 1", reason: first}
- {function: m.F, operator: relational, reason: second}
- {function: m.G, reason: third}
`)
	got := d.choose(new(mutate.Function), []mutate.Mutant{
		{ID: "1", Function: "m.F", Operator: "early-return", Original: "n > 1", Replacement: "n > 1 && false"},
		{ID: "2", Function: "m.F", Operator: "logical", Original: "a && b", Replacement: "a || b"},
		{ID: "3", Function: "m.F", Operator: "relational", Original: "n > 1", Replacement: "n >= 1"},
		{ID: "4", Function: "m.F", Operator: "relational", Original: "n > 2", Replacement: "n >= 2", Ignored: "arid code: logging"},
		{ID: "5", Function: "m.F", Operator: "return-value", Original: "n", Replacement: "0"},
	})
	var said []string
	for _, m := range got {
		said = append(said, m.ID+" "+m.Ignored)
	}
	want := []string{"1 dismissed in mutantfuzz.yml: first", "3 dismissed in mutantfuzz.yml: second", "4 arid code: logging", "5 "}
	if !slices.Equal(said, want) {
		t.Errorf("mutants %q, want %q", said, want)
	}
}

func TestEntriesThatMatchNothingAreNamed(t *testing.T) {
	d := decisions(t, `dismissed:
- {function: m.F, operator: relational, reason: used}
- {function: m.F, operator: logical, reason: not used}
- {function: m.Skipped, reason: not known}
- {function: m.None, reason: its function has no mutants}
- {function: m.Elsewhere, reason: not in scope}
`)
	r := &results.Results{
		Scope:   []results.Function{{ID: "m.F"}, {ID: "m.Skipped", Skipped: "x"}, {ID: "m.None"}},
		Mutants: []results.Mutant{{Function: "m.F", Operator: "relational"}},
	}
	for _, partial := range []bool{false, true} {
		r.Partial = partial
		want := []int{3, 5}
		if partial {
			want = []int{3} // a partial run may not have got to m.None
		}
		var lines []int
		for _, entry := range d.stale(r) {
			lines = append(lines, entry.Line)
		}
		if !slices.Equal(lines, want) {
			t.Errorf("partial %t: lines %v, want %v", partial, lines, want)
		}
	}
}

func TestWarningsAreFewAndShort(t *testing.T) {
	long := "m." + strings.Repeat("F", 900)
	var text strings.Builder
	text.WriteString("dismissed:\n")
	for range 1000 {
		fmt.Fprintf(&text, "- {function: %s, operator: logical, reason: x}\n", long)
	}
	list := decisions(t, text.String()).warnings(&results.Results{Scope: []results.Function{{ID: long}}})
	if len(list) != maxStale+1 || !strings.Contains(list[maxStale], "992 more entries") {
		t.Errorf("%d warnings: %q", len(list), list)
	}
	for _, w := range list {
		if shown := prose.OneLine(w, 200); shown != w || !strings.Contains(w, "any more") {
			t.Errorf("a report cuts the warning %q", w)
		}
	}
}

func TestFileOptionsAndReviewsAgreeOnTheMostFindings(t *testing.T) {
	var schema struct {
		Defs struct {
			Options struct {
				Properties struct {
					MaxFindings struct{ Minimum, Maximum int } `json:"max_findings"`
				}
			}
		} `json:"$defs"`
	}
	if err := json.Unmarshal(results.JSONSchema(), &schema); err != nil {
		t.Fatal(err)
	}
	bounds := schema.Defs.Options.Properties.MaxFindings
	if config.MaxFindings != finding.MaxFindings || bounds.Minimum != 1 || bounds.Maximum != finding.MaxFindings {
		t.Errorf("the file may say %d, a review %d, results.json %+v", config.MaxFindings, finding.MaxFindings, bounds)
	}
}
