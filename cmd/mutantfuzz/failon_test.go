package main

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestFailOnListsAreReadStrictly(t *testing.T) {
	for list, want := range map[string]failOn{
		"":                               {},
		" ":                              {},
		"crash":                          {crash: true},
		"survivor, exposed":              {survivor: true, exposed: true},
		"crash,score<80":                 {crash: true, score: 80},
		"score<99.5":                     {score: 99.5},
		"score<100,crash,crash":          {crash: true, score: 100},
		"exposed,crash,survivor,score<1": {crash: true, survivor: true, exposed: true, score: 1},
	} {
		got, err := parseFailOn(list)
		if err != nil || got != want {
			t.Errorf("parseFailOn(%q) = %+v, %v; want %+v", list, got, err, want)
		}
	}
	for _, list := range []string{",", "crash,", "crashes", "Crash", "score", "score<", "score<0", "score<-1", "score<101", "score<NaN", "score<Inf", "score>5", "score<80%"} {
		if got, err := parseFailOn(list); err == nil {
			t.Errorf("parseFailOn(%q) = %+v without an error", list, got)
		} else if !strings.Contains(err.Error(), "\nhint: ") {
			t.Errorf("parseFailOn(%q): no hint in %q", list, err)
		}
	}
}

func TestFindingsFailWhereNamed(t *testing.T) {
	half := 0.5
	crash := func(introduced string) *results.Results {
		return &results.Results{Crashes: []results.Crash{{Introduced: introduced}}}
	}
	mended := func(introduced string) *results.Results {
		return &results.Results{Crashes: []results.Crash{{Introduced: introduced, MendedBy: "m1"}}}
	}
	scored := func(s results.Score) *results.Results { return &results.Results{Score: s} }
	for _, test := range []struct {
		name  string
		list  string
		r     *results.Results
		fails bool
	}{
		{"an introduced crash", "crash", crash(results.IntroducedYes), true},
		{"a crash on base", "crash", crash(results.IntroducedNo), false},
		{"a crash of unknown origin", "crash", crash(results.IntroducedUnknown), false},
		{"a crash of unknown origin that undoing the change mends", "crash", mended(results.IntroducedUnknown), true},
		{"a crash on base that undoing the change mends", "crash", mended(results.IntroducedNo), false},
		{"an introduced crash, unnamed", "survivor,exposed,score<100", crash(results.IntroducedYes), false},
		{"a survivor", "survivor", scored(results.Score{Survived: 1}), true},
		{"a survivor that is not exposed", "exposed", scored(results.Score{Survived: 1}), false},
		{"an exposed mutant", "exposed", scored(results.Score{Survived: 1, Exposed: 1}), true},
		{"an exposed mutant is a survivor", "survivor", scored(results.Score{Survived: 1, Exposed: 1}), true},
		{"a score below", "score<50.1", scored(results.Score{Test: &half}), true},
		{"a score that is equal", "score<50", scored(results.Score{Test: &half}), false},
		{"no score", "score<50", scored(results.Score{}), false},
		{"nothing named", "", scored(results.Score{Survived: 1, Exposed: 1, Test: &half}), false},
	} {
		f, err := parseFailOn(test.list)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.check(test.r); (err != nil) != test.fails {
			t.Errorf("%s with %q: %v", test.name, test.list, err)
		}
	}
}
