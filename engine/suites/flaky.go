package suites

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/testdiff"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Bounds on running the tests that the change adds or alters again and again, package by package. A test that fails in one of ten runs
// passes in two surveys of three.
const (
	repeats     = 20              // runs of the woven binary, all of its tests at once
	repeatsTime = 3 * time.Second // after which none begins in any package
	plainTime   = 4 * time.Second // likewise of the plain binary, for each test that failed in one of these, or in a survey
	failures    = 2               // without which it counts for nothing, and there are up to as many runs again
	repeatPart  = 0.1             // of the remaining time, for all packages together
)

// Repeat runs the tests that the change adds or alters again and again without a mutant, while nothing else runs, and notes those that
// pass in some runs and fail in others. Plain binaries have the last word. Verdicts stay as they are. That there is no time is no error.
func (s *Suites) Repeat(ctx context.Context) error {
	part, cancel := deadline.Part(ctx, repeatPart)
	defer cancel()
	until := time.Now().Add(repeatsTime)
	for _, v := range s.Judged.Surveys {
		if v.Failure != nil {
			continue
		}
		if err := s.repeat(part, v, until); err != nil && (ctx.Err() != nil || part.Err() == nil) {
			return err
		}
	}
	return nil
}

// repeat does so with the tests of a suite, of the woven binary up to a time.
func (s *Suites) repeat(ctx context.Context, v *judge.Survey, until time.Time) error {
	changed := func(test string) bool { return changeTo(s.changedTests(), v.Suite.Package, test) != "" }
	failing := map[string]bool{}
	for _, q := range s.Judged.AllQuarantined() {
		if q.Package == v.Suite.Package && q.Why == judge.FailsSometimes && changed(q.Test) {
			failing[ledger.TopLevel(q.Test)] = true
		}
	}
	tests := slices.DeleteFunc(slices.Clone(v.Tests), func(test string) bool { return !changed(test) })
	for n := 0; len(tests) > 0 && n < repeats && time.Now().Before(until); n++ {
		r, err := s.executor().Run(ctx, judge.Spec{Suite: v.Suite, Tests: tests, Mutant: wire.Original, Takes: max(v.Took, time.Nanosecond)})
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
		if err := s.repeatPlain(ctx, v, test); err != nil {
			return err
		}
	}
	return nil
}

// repeatPlain runs a test of a plain binary again and again, and notes that it is flaky if it is.
func (s *Suites) repeatPlain(ctx context.Context, v *judge.Survey, test string) error {
	pkg := v.Suite.Package
	binary, err := s.Plain(ctx, pkg)
	if err != nil {
		return err
	}
	f := results.FlakyTest{Test: pkg + "." + test, Change: changeTo(s.changedTests(), pkg, test)}
	sl := s.Take()
	defer s.Give(sl)
	for began := time.Now(); (f.Runs < repeats || f.Failed < failures && f.Runs < 2*repeats) && time.Since(began) < plainTime; f.Runs++ {
		run, err := s.RunPlain(ctx, sl, binary, judge.Spec{Suite: v.Suite, Tests: []string{test}, Takes: max(v.Took, time.Nanosecond)})
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
	file, line := testdiff.Read(s.Packages[pkg].Dir).Place(test)
	f.File, f.Line = s.Rel(filepath.Join(s.Packages[pkg].Dir, file)), line
	s.flaky = append(s.flaky, f)
	return nil
}

// addFlaky adds the flaky tests to the results, sorted by name.
func (s *Suites) addFlaky(res *results.Results) {
	res.FlakyTests = append(res.FlakyTests, s.flaky...)
	slices.SortFunc(res.FlakyTests, func(a, b results.FlakyTest) int { return strings.Compare(a.Test, b.Test) })
	res.FlakyTests = res.FlakyTests[:min(len(res.FlakyTests), results.MaxQuarantined)]
}
