package report

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTheFunctionAtFaultIsFoundInStacksOfEitherForm(t *testing.T) {
	r := &results.Results{Scope: []results.Function{{ID: "m/p.F", Name: "F"}, {ID: "m/p.T.Do", Name: "T.Do"}}}
	for stack, want := range map[string]string{
		"m/p.F(0x1)\n\tf.go:3\n":                            "F",
		"m/p.F\n\tf.go:3\n":                                 "F",
		"m/p.Fourth\n\tf.go:9\nm/p.(*T).Do\n\tt.go:4\n":     "T.Do",
		"m/p.F.func1\n\tf.go:3\nm/p.FuzzF\n\tf_test.go:1\n": "F", // a literal in it
	} {
		if got := culprit(r, &results.Crash{Harness: "m/p.FuzzF", Stack: stack}); got != want {
			t.Errorf("%q: %s, want %s", stack, got, want)
		}
	}
}
