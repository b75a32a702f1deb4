package engine

import (
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

func TestWhatAsksForProcessorsIsToldBySource(t *testing.T) {
	for code, want := range map[string]bool{
		`import "runtime"; var n = runtime.NumCPU()`:             true,
		`import rt "runtime"; func f() { rt.GOMAXPROCS(1) }`:     true,
		`import "runtime"; func f() { runtime.GC() }`:            false,
		`import "example.com/runtime"; var n = x.NumCPU()`:       false,
		`import "example.com/runtime"; var n = runtime.NumCPU()`: false,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p; "+code, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := countProcessors(f); got != want {
			t.Errorf("%s: %t", code, got)
		}
	}
}

func TestMutantsRunOnOneProcessorOnlyWhereCompanyFollows(t *testing.T) {
	gathers := &suite{gathers: true}
	frugal := &test{suite: gathers, frugal: true, remembers: true}
	chancy := &test{suite: gathers, frugal: true, remembers: true}
	chancy.chancy.Store(true)
	for i, tt := range []struct {
		m     mutant
		tests []*test
		want  bool
	}{
		{tests: []*test{frugal}, want: true},
		{tests: []*test{frugal, chancy}},
		{tests: []*test{frugal, {suite: gathers, frugal: true, remembers: true, unsteady: true}}},
		{tests: []*test{frugal, {suite: gathers, remembers: true}}},
		{tests: []*test{frugal, {suite: gathers, frugal: true}}},
		{tests: []*test{{suite: &suite{}, frugal: true, remembers: true}}},
		{m: mutant{thorough: true}, tests: []*test{frugal}},
		{m: mutant{unsteady: true}, tests: []*test{frugal}},
	} {
		if got := tt.m.isHasty(tt.tests); got != tt.want {
			t.Errorf("%d: %t", i, got)
		}
	}
}

func TestWhatPassedOnOneProcessorIsOwed(t *testing.T) {
	s, other := &suite{pkg: "p", gathers: true}, &suite{pkg: "q", gathers: true}
	a, b, c := &test{suite: s, name: "TestA"}, &test{suite: s, name: "TestB"}, &test{suite: other, name: "TestC"}
	owing := func() *mutant {
		return &mutant{due: map[string]int{}, passed: []*test{a, b, c}, owes: []owed{{tests: []*test{b}}, {tests: []*test{c}}}}
	}
	m := owing()
	if got := m.untried(); got != 2 {
		t.Errorf("%d tests are left before all run together", got)
	}
	s.collectOwed(m)
	if got := m.untried(); got != 2 || m.due["p"] != 1 || !slices.Equal(m.passed, []*test{a, c}) || !m.thorough {
		t.Errorf("%d tests are left after that, %d due, %d passed, thorough: %t", got, m.due["p"], len(m.passed), m.thorough)
	}

	m = owing()
	(&unit{}).settleOwed(s, m)
	s.collectOwed(m)
	if got := m.untried(); got != 1 || len(m.due) > 0 || len(m.passed) != 3 || m.thorough {
		t.Errorf("%d tests are left of a mutant that passed in company, %d due, %d passed, thorough: %t", got, len(m.due), len(m.passed), m.thorough)
	}
}
