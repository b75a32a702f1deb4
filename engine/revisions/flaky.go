package revisions

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/testdiff"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Bounds on repeating the tests that the change adds or alters. A test that fails in one of ten runs passes in two of
// three surveys.
const (
	repeats     = 20              // runs of the woven binary, each with all of these tests of its package
	repeatsTime = 3 * time.Second // after this time no further run of a woven binary begins
	plainTime   = 4 * time.Second // likewise for the plain binary, per test that failed in a woven run or in the survey
	failures    = 2               // failures that make a test flaky; with fewer it gets up to as many runs again
	repeatPart  = 0.1             // of the remaining time, for all packages together
)

// maybeFlaky has the reasons for which a test is quarantined that may pass in some runs. One that failed twice and then passed
// without instrumentation may have done so by chance.
var maybeFlaky = []string{judge.FailsSometimes, judge.FailsSomehow, executor.FailsWoven}

// Repeat runs the tests that the change adds or alters again and again without a mutant, and notes in Flaky those that
// pass in some runs and fail in others. Nothing else must run meanwhile. The plain binaries have the last word.
// Verdicts stay as they are. Running out of time is no error.
func (t *Tests) Repeat(ctx context.Context) error {
	if t.BaseTree == "" {
		return nil
	}
	part, cancel := deadline.Part(ctx, repeatPart)
	defer cancel()
	until := time.Now().Add(repeatsTime)
	for _, c := range t.changedTests() {
		v := t.Judged.SurveyOf(c.pkg)
		if v == nil || v.Failure != nil {
			continue
		}
		if err := t.repeat(part, c, v, until); err != nil && (ctx.Err() != nil || part.Err() == nil) {
			return err
		}
	}
	return nil
}

// repeat repeats the tests of one package: in the woven binary until a time and then, with repeatPlain, those that
// failed there or in the survey.
func (t *Tests) repeat(ctx context.Context, c changedTests, v *judge.Survey, until time.Time) error {
	failing := map[string]bool{}
	for _, q := range t.Judged.AllQuarantined() {
		if test := ledger.TopLevel(q.Test); q.Package == c.pkg && slices.Contains(maybeFlaky, q.Why) && c.changes[test] != "" {
			failing[test] = true
		}
	}
	tests := slices.DeleteFunc(slices.Clone(v.Tests), func(test string) bool { return c.changes[test] == "" })
	for n := 0; len(tests) > 0 && n < repeats && time.Now().Before(until); n++ {
		r, err := pool.Executor{Runner: t.Runner}.Run(ctx, executor.Spec{Suite: v.Suite, Tests: tests, Mutant: wire.Original, Takes: max(v.Took, time.Nanosecond)})
		if err != nil {
			return err
		}
		for _, test := range r.Failed {
			if test = ledger.TopLevel(test); slices.Contains(tests, test) {
				failing[test] = true
			}
		}
	}
	for _, test := range slices.Sorted(maps.Keys(failing)) {
		if err := t.repeatPlain(ctx, c, test); err != nil {
			return err
		}
	}
	return nil
}

// repeatPlain repeats a test in the plain binary, and notes it if it is flaky.
func (t *Tests) repeatPlain(ctx context.Context, c changedTests, test string) error {
	binary, err := t.Plain(ctx, c.pkg)
	if err != nil {
		return gotool.UnlessBroken(err)
	}
	f := results.FlakyTest{Test: c.pkg + "." + test, Change: c.changes[test]}
	sl := t.Take()
	defer t.Give(sl)
	for began := time.Now(); (f.Runs < repeats || f.Failed < failures && f.Runs < 2*repeats) && time.Since(began) < plainTime; f.Runs++ {
		run, err := t.RunPlain(ctx, sl, binary, whole(t.Judged.Plain(c.pkg, []string{test})))
		if err != nil {
			return err
		}
		if kind := run.Outcome.Kind; kind == results.KindTest || kind == results.KindCrash {
			f.Failed++
			f.Message = cmp.Or(run.Outcome.Message, run.Exit.Complaint(), f.Message)
		}
	}
	if f.Failed < failures || f.Failed == f.Runs {
		return nil
	}
	file, line := testdiff.Read(c.dir).Place(test)
	f.File, f.Line = t.Rel(filepath.Join(c.dir, file)), line
	t.Flaky = append(t.Flaky, f)
	return nil
}
