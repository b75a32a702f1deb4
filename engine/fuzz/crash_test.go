package fuzz

import (
	"slices"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestAFailureOfADriverIsRecordedOnceAndNotBesideThatOfATarget(t *testing.T) {
	const here, there = "p.F\n\tf.go:3 +0x1\n", "p.F\n\tf.go:9 +0x1\n"
	byTarget := func(stack string) *results.Crash {
		return &results.Crash{Harness: "p.FuzzX", Kind: results.CrashPanic, Stack: stack + "p.FuzzX\n\tf_test.go:5\n"}
	}
	byDriver := func(name, stack string) *results.Crash {
		return &results.Crash{Harness: name, Kind: results.CrashPanic, Call: "F()", Stack: stack + name + "\n\td_test.go:" + name + "\n"}
	}
	calls := func(call string, c *results.Crash) *results.Crash {
		c.Call = call
		return c
	}
	mended := func(c *results.Crash) *results.Crash {
		c.MendedBy = "a1"
		return c
	}
	hang := func(name, stack string) *results.Crash {
		c := byDriver(name, stack)
		c.Kind = results.CrashHang
		return c
	}
	for name, tt := range map[string]struct {
		found []*results.Crash
		want  []string
	}{
		"one makes its argument":                       {[]*results.Crash{calls(`F(T{A: 1})`, byDriver("1", here)), calls(`F(New("a, b"))`, byDriver("2", here))}, []string{"2"}},
		"... which was first":                          {[]*results.Crash{calls(`F(New("a, b"))`, byDriver("1", here)), calls(`F(T{A: 1})`, byDriver("2", here))}, []string{"1"}},
		"one is gone with a part of the change undone": {[]*results.Crash{calls(`F(New("a, b"))`, byDriver("1", here)), mended(calls(`F(T{A: 1})`, byDriver("2", here)))}, []string{"2"}},
		"... which was first, too":                     {[]*results.Crash{mended(calls(`F(T{A: 1})`, byDriver("1", here))), calls(`F(New("a, b"))`, byDriver("2", here))}, []string{"1"}},
		"two drivers":                                  {[]*results.Crash{byDriver("1", here), byDriver("2", here)}, []string{"1"}},
		"two places":                                   {[]*results.Crash{byDriver("1", here), byDriver("2", there)}, []string{"1", "2"}},
		"a hang has no line":                           {[]*results.Crash{hang("1", here), hang("2", there)}, []string{"1"}},
		"another kind":                                 {[]*results.Crash{byDriver("1", here), hang("2", here)}, []string{"1", "2"}},
		"a target after it":                            {[]*results.Crash{byDriver("1", here), byTarget(here)}, []string{"p.FuzzX"}},
		"a target before it":                           {[]*results.Crash{byTarget(here), byDriver("1", here)}, []string{"p.FuzzX"}},
		"a target somewhere else":                      {[]*results.Crash{byTarget(there), byDriver("1", here)}, []string{"p.FuzzX", "1"}},
	} {
		f, target := newTestFuzzer()
		for _, c := range tt.found {
			f.addCrash(&claim{target: target, verdict: &verdict{crash: c}})
		}
		var got []string
		for _, c := range f.Crashes {
			got = append(got, c.Harness)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
