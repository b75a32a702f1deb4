// Package revisions runs the tests of one revision on the code of the other: those that the change deletes, alters or leaves as they are on
// the changed program, and those that it adds or alters on the base. The latter it also runs again and again on the program.
package revisions

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// testDeadline bounds one run of some tests on the base.
const testDeadline = 20 * time.Second

// Tests are those of the base and of the change, and what is found of them.
type Tests struct {
	*pool.Runner
	Judged  *judge.Result // of the tests of the change
	Mutants evidence.Mutants
	Old     []results.OldTest // of the base, that fail on the changed program
	New     []results.NewTest // of the change, that pass on the base: all, if Known is true
	Known   bool
	Flaky   []results.FlakyTest // of the change

	looked  bool // for the tests of the change
	changed []changedTests
}

// Compare fills in Old, New and Known. That there is no time is no error.
func (t *Tests) Compare(ctx context.Context) (err error) {
	if t.Old, err = t.failingOldTests(ctx); err != nil {
		return err
	}
	t.New, t.Known, err = t.passingNewTests(ctx)
	return err
}

// AddTo adds what was found to the results.
func (t *Tests) AddTo(res *results.Results) {
	res.OldTests = append(res.OldTests, t.Old...)
	res.NewTests = append(res.NewTests, t.New...)
	res.FlakyTests = append(res.FlakyTests, t.Flaky...)
	slices.SortFunc(res.FlakyTests, func(a, b results.FlakyTest) int { return strings.Compare(a.Test, b.Test) })
	res.FlakyTests = res.FlakyTests[:min(len(res.FlakyTests), results.MaxQuarantined)]
}

// noticed reports whether a test fails with a part of the change undone. Then some would most
// likely fail without all of it, and building them for the base is not worth the time.
func (t *Tests) noticed() bool {
	return slices.ContainsFunc(t.Mutants, func(m *evidence.Mutant) bool {
		return m.Hunk != nil && m.Verdict().Status == results.Killed
	})
}
