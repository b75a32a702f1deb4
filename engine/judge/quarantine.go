package judge

import (
	"context"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
)

// A test that fails without a mutant is quarantined, once it is known why it fails: a sandbox that can be
// loosened, another process, or memory that can be had are no fault of its own.

// Why a test is quarantined, in words that fit after "it".
const (
	failsSometimes = "is flaky: it fails in some runs on the unmodified code"
	failsSomehow   = "fails on the unmodified code, and there was no time to find out why"
	doesNotEnd     = "does not finish in the available time on the unmodified code"
	failsAlone     = "fails on the unmodified code when it runs alone, and the whole suite is too slow to run for every mutant"
)

// Quarantined is a test whose results are not used.
type Quarantined struct {
	Package, Test string
	Why           string // in words that fit after "it"
}

// Failure says that tests fail without any mutant.
type Failure struct {
	Package string
	Tests   []string // top-level ones; empty: unknown
	Message string
	Output  string
}

// failedRun is a run of a suite that fails without a mutant.
type failedRun struct {
	Report
	form   int
	repeat func(context.Context) (failed bool, err error) // runs it once more, and what ran beside it
}

// quarantine finds out why tests fail without a mutant, and quarantines them, unless it
// was because of the sandbox, which is then loosened, of the limit on memory, which is then higher,
// or of other processes, without which the suite then runs. It returns a failure if tests fail
// repeatedly.
func (v *judging) quarantine(ctx context.Context, f *failedRun) (*Failure, error) {
	if f.TooBig && !v.Suite.Roomy {
		v.Suite.Roomy, v.Suite.Apart = true, true
		return nil, nil
	}
	spec := v.spec(f.form)
	spec.Tests = v.ours(f.Failed)
	if len(spec.Tests) == 0 {
		var err error
		if spec.Tests, err = v.Blame(ctx, spec); err != nil {
			return nil, err
		}
	}
	if f.ByClock && len(spec.Tests) > 0 { // there is no time for another run
		v.exclude(spec.Tests, doesNotEnd)
		v.all.any = true
		return nil, nil
	}
	part, cancel := deadline.Part(ctx, diagnosisPart)
	defer cancel()
	failure, err := v.diagnose(part, f, spec)
	if err != nil && ctx.Err() == nil && part.Err() != nil && len(spec.Tests) > 0 {
		v.exclude(spec.Tests, failsSomehow)
		v.all.any = true
		return nil, nil
	}
	return failure, err
}

// diagnose does the part of quarantine that takes runs. Without tests in spec it is about all of them.
func (v *judging) diagnose(ctx context.Context, f *failedRun, spec Spec) (*Failure, error) {
	if allowed, err := v.Allow(ctx, spec); err != nil || allowed {
		return nil, err
	}
	if collides, err := v.collides(ctx, f); err != nil || collides {
		return nil, err
	}
	again, err := v.Run(ctx, v.spec(f.form))
	if err != nil {
		return nil, err
	}
	why, repeated := failsSometimes, again.Kind != Pass
	if repeated {
		if named := v.ours(again.Failed); len(named) > 0 {
			spec.Tests = named
		}
		if why, repeated, err = v.Explain(ctx, spec); err != nil {
			return nil, err
		}
		v.all.any = v.all.any || !repeated && len(spec.Tests) > 0 // it passes plainly, where it may run other code
	}
	v.exclude(spec.Tests, why)
	if !repeated && len(spec.Tests) > 0 {
		return nil, nil
	}
	// Where there is no test to quarantine, it would fail again.
	return &Failure{Package: v.Suite.Package, Tests: spec.Tests, Message: f.Message, Output: f.Output}, nil
}

// diagnosisPart is how much of the remaining time it may take to find out why tests fail.
const diagnosisPart = 0.2

// collides reports whether a run that failed passes while no other process runs, and fails beside
// others once more. The suite then runs apart from now on.
func (v *judging) collides(ctx context.Context, f *failedRun) (bool, error) {
	if v.Suite.Apart {
		return false, nil
	}
	v.Suite.Apart = true
	failed, err := f.repeat(ctx)
	v.Suite.Apart = false
	if err != nil || failed {
		return false, err
	}
	v.Suite.Apart, err = f.repeat(ctx)
	return v.Suite.Apart, err
}

// ours are, of the tests that a run reports as failed, those in v.Tests. A run may report
// others: tests may print anything.
func (v *judging) ours(failed []string) (tests []string) {
	for _, name := range failed {
		if top := TopLevel(name); slices.Contains(v.Tests, top) && !slices.Contains(tests, top) {
			tests = append(tests, top)
		}
	}
	return tests
}

// exclude quarantines tests.
func (v *judging) exclude(tests []string, why string) {
	for _, test := range tests {
		v.Quarantined = append(v.Quarantined, Quarantined{v.Suite.Package, test, why})
		v.Tests = slices.DeleteFunc(v.Tests, func(name string) bool { return name == test })
	}
}

// quarantined are the names of the quarantined tests.
func (v *Survey) quarantined() (names []string) {
	for _, q := range v.Quarantined {
		names = append(names, q.Test)
	}
	return names
}
