package fact

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Broken returns the reason why mutants have no verdict, if the program or its tests do not build, its tests fail
// without any mutant, or the machine lacks room. Otherwise it returns "".
func Broken(r *results.Results) string {
	for i := range r.Mutants {
		if m := &r.Mutants[i]; m.Status == results.NotRun && slices.Contains([]string{results.TestsFail, results.DoesNotBuild, results.NoRoom}, m.Reason) {
			return m.Reason
		}
	}
	return ""
}

// AddedTests returns how many tests the change adds that pass even without it: that says more than any finding. Tests that
// it only alters do not count, because most of them should pass before and after.
func AddedTests(r *results.Results) (n int) {
	for _, t := range r.NewTests {
		if t.Change != results.TestAltered {
			n++
		}
	}
	return n
}
