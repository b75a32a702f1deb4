package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestOnlyTheMutantsAskedForAreChecked(t *testing.T) {
	a := &auditor{res: &results.Results{
		Mutants: []results.Mutant{
			{ID: "a", Status: results.Survived, Stage: results.Infected},
			{ID: "b", Status: results.Survived, Stage: results.Infected},
			{ID: "c", Status: results.Killed, KilledBy: &results.KilledBy{Name: "p.TestX"}},
		},
		Crashes: []results.Crash{{Harness: "p.FuzzX"}},
	}}
	a.n = 10
	if got := a.draw(); len(got) != 4 {
		t.Errorf("without IDs %d verdicts are drawn, want 4", len(got))
	}
	a.ids = []string{"c", "b"}
	var names []string
	for _, v := range a.draw() {
		names = append(names, v.name())
	}
	if got := strings.Join(names, " "); got != "c b" {
		t.Errorf("drawn: %s", got)
	}
}

func TestFindingsAreReportedAsJSON(t *testing.T) {
	findings := []finding{
		{verdict: verdict{kind: survived, mutant: &results.Mutant{ID: "a"}}},
		{verdict: verdict{kind: byTest, mutant: &results.Mutant{ID: "b"}}, wrong: "p.TestX passes with the mutant"},
	}
	var out bytes.Buffer
	if status := reportJSON(&out, findings); status != 1 {
		t.Errorf("status %d with a disagreement", status)
	}
	if status := reportJSON(&bytes.Buffer{}, findings[:1]); status != 0 {
		t.Errorf("status %d without any", status)
	}
	var lines []struct{ ID, Verdict, Wrong string }
	for dec := json.NewDecoder(&out); dec.More(); {
		lines = append(lines, struct{ ID, Verdict, Wrong string }{})
		if err := dec.Decode(&lines[len(lines)-1]); err != nil {
			t.Fatal(err)
		}
	}
	if len(lines) != 2 || lines[0].ID != "a" || lines[0].Wrong != "" || lines[1].Verdict != byTest || lines[1].Wrong != findings[1].wrong {
		t.Errorf("lines: %+v", lines)
	}
}
