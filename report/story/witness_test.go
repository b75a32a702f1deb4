package story

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestACallThatNobodyReadsIsNoExample(t *testing.T) {
	for size, want := range map[int]bool{prose.MaxInline: true, prose.MaxInline + 1: false} {
		m := Survivor("a1", Exposed)
		m.ExposedBy.Driver, m.ExposedBy.Setup, m.ExposedBy.Test = true, []string{"x := f()"}, "func TestF(t *testing.T) {}"
		m.ExposedBy.Call = strings.Repeat("x", size-len(m.ExposedBy.Setup[0]))
		test, _ := testOf(testsFor([]*results.Mutant{&m}), verb{})
		if got := fact.Example(&m) != nil; got != want || (test != "") != want {
			t.Errorf("of %d bytes: an example %t, a test %t; want %t", size, got, test != "", want)
		}
	}
}

func TestACallOfADriverShowsNoDecoding(t *testing.T) {
	for call, want := range map[string]string{
		"v.Verify(fuzzed.bytes(), fuzzed.bytes(), key)": "v.Verify(…, …, key)",
		"F(T(fuzzed2.int()), a, 7)":                     "F(…, a, 7)",
		"F(a, b)":                                       "F(a, b)",
		"fuzzedText":                                    "fuzzedText",
	} {
		x := results.ExposedBy{Driver: true, Site: "driver: " + call}
		if got := siteCall(&x); got != want {
			t.Errorf("%s: %s, want %s", call, got, want)
		}
	}
	if x := (results.ExposedBy{Site: "f_test.go:9: F(fuzzed)"}); siteCall(&x) != "F(fuzzed)" {
		t.Error("a target's own variable is left out")
	}
}
