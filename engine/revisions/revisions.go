// Package revisions runs the tests of one revision on the code of the other. Tests that the change deletes, alters or
// leaves as they are run on the changed program; tests that it adds or alters run on the base. It also repeats the
// latter on the changed program, to find flaky ones.
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

// testDeadline bounds one run of tests that are run one by one, or on the base.
const testDeadline = 20 * time.Second

// Tests compares the tests of the base with those of the change, and holds what it finds.
type Tests struct {
	*pool.Runner
	Judged  *judge.Result // what the tests of the change say
	Mutants evidence.Mutants
	Old     []results.OldTest // tests of the base that fail on the changed program
	New     []results.NewTest // tests of the change that pass on the base; all of them if Known is true
	Known   bool
	Flaky   []results.FlakyTest // tests of the change

	killed  bool // see noticed
	looked  bool // changed is filled in
	changed []changedTests
}

// Look notes what is known of the mutants before Compare, beside which they may change.
func (t *Tests) Look() { t.killed = t.noticed() }

// Compare fills in Old, New and Known. Look comes first. Running out of time is no error.
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

// noticed reports whether a test kills a mutant that undoes part of the change. Then some tests would most likely fail
// without the whole change, and building them for the base is not worth the time.
func (t *Tests) noticed() bool {
	return slices.ContainsFunc(t.Mutants, func(m *evidence.Mutant) bool {
		return m.Hunk != nil && m.Verdict().Status == results.Killed
	})
}
