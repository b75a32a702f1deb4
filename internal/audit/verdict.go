package main

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Kinds of verdicts, in the order of the report.
const (
	byTest   = "killed by test"
	byEntry  = "killed by entry"
	survived = "survived"
	exposed  = "exposed"
	crash    = "crash"
)

var kinds = []string{byTest, byEntry, survived, exposed, crash}

// verdict is one claim of the results: about a mutant, or about a crash of the program.
type verdict struct {
	kind   string
	mutant *results.Mutant // nil: a crash
	crash  *results.Crash
}

func (v verdict) name() string {
	if v.mutant == nil {
		return v.crash.Harness + "/" + v.crash.Entry
	}
	return v.mutant.ID
}

// describe says what the verdict claims.
func (v verdict) describe() string {
	m := v.mutant
	if m == nil {
		return fmt.Sprintf("crash of %s: %s", v.name(), v.crash.Message)
	}
	text := fmt.Sprintf("%s %s:%d %s: %q -> %q\n  %s, %s", m.ID, m.File, m.Line, m.Operator, m.Original, m.Replacement, v.kind, m.Stage)
	switch {
	case m.KilledBy != nil:
		text += fmt.Sprintf(" by %s %s (%s)", m.KilledBy.Name, m.KilledBy.Entry, m.KilledBy.Kind)
	case m.ExposedBy != nil:
		e := m.ExposedBy
		text += fmt.Sprintf(" by %s %s at %s, call %s: %s, with the mutant %s", e.Harness, e.Entry, e.Site, e.Call, e.Original, e.Mutant)
	}
	return text
}

// finding is the outcome of checking a verdict.
type finding struct {
	verdict
	wrong string // what go test says against it; empty: nothing
}

func (f finding) summary() string {
	if f.wrong == "" {
		return "agree"
	}
	first, _, _ := strings.Cut(f.wrong, "\n")
	return "DISAGREE: " + first
}

func indent(s string) string { return strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n  ") }

// draw picks up to n verdicts of every kind at random, by the seed, among those asked for. Crashes are asked for
// unless the IDs of mutants are given. Verdicts of a kind come in the order of the results.
func (a *auditor) draw() []verdict {
	byKind := map[string][]verdict{}
	for i := range a.res.Mutants {
		m := &a.res.Mutants[i]
		if kind := kindOf(m); kind != "" && (len(a.ids) == 0 || slices.Contains(a.ids, m.ID)) {
			byKind[kind] = append(byKind[kind], verdict{kind: kind, mutant: m})
		}
	}
	for i := range a.res.Crashes {
		if len(a.ids) == 0 {
			byKind[crash] = append(byKind[crash], verdict{kind: crash, crash: &a.res.Crashes[i]})
		}
	}
	random := rand.New(rand.NewPCG(a.seed, 0))
	var drawn []verdict
	for _, kind := range kinds {
		list := byKind[kind]
		picked := random.Perm(len(list))[:min(a.n, len(list))]
		slices.SortFunc(picked, cmp.Compare[int])
		for _, i := range picked {
			drawn = append(drawn, list[i])
		}
	}
	return drawn
}

// kindOf returns the kind of m's verdict, or "" if it claims nothing that go test could check.
func kindOf(m *results.Mutant) string {
	switch {
	case m.Status == results.Killed && m.KilledBy != nil && m.KilledBy.Entry != "":
		return byEntry
	case m.Status == results.Killed && m.KilledBy != nil:
		return byTest
	case m.Exposed():
		return exposed
	case m.Status == results.Survived:
		return survived
	}
	return ""
}
