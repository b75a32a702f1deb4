package program

import (
	"slices"
	"testing"
)

func TestFunctionsThatNothingCallsAreNoted(t *testing.T) {
	p := loaded(t, map[string]string{
		"go.mod": "module m\n\ngo 1.21\n",
		"p/p.go": `package p

import _ "unsafe"

func alone(n int) int { if n > 0 { return alone(n - 1) }; return 0 }

func called() int { return passed(3) }

var Called = called

func passed[T any](T) int { return 0 }

func tested() {}

func elsewhere() {}

//go:linkname linked
func linked() {}

func Exported() {}

func init() {}

type T struct{}

func (T) method() {}
`,
		"p/p_test.go":  "package p\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) { tested() }\n",
		"p/p_plan9.go": "package p\n\nfunc init() { elsewhere() }\n",
	}, "alone", "called", "passed", "tested", "elsewhere", "linked", "Exported", "init", "T.method")
	var uncalled []string
	for _, f := range p.Functions {
		if f.Uncalled {
			uncalled = append(uncalled, f.Name)
		}
	}
	if want := []string{"alone"}; !slices.Equal(uncalled, want) {
		t.Errorf("nothing calls %v, want %v", uncalled, want)
	}
}
