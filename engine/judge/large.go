package judge

import (
	"context"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
)

// In a large suite, each mutant runs only on the tests that infect it. So its tests are surveyed one by one.

// surveyPart is the share of the remaining time that surveying the tests of a large suite may take. The rest is for
// judging mutants.
const surveyPart = 0.5

// oneByOne surveys the tests of a large suite one by one: first those that may reach mutants, the nearest first. It
// runs the others only if the whole suite reaches a mutant that none of the first do. If the suite is surveyed
// already, it surveys the tests that were missed.
func (v *judging) oneByOne(ctx context.Context) error {
	if v.done {
		return v.again(ctx)
	}
	within, cancel := deadline.Part(ctx, surveyPart)
	defer cancel()
	v.Took, v.by = v.start, map[string]*coverage{}
	near := v.near(within)
	err := v.each(within, near)
	unexplained := func(m *Mutant) bool { return v.whole.reaches(m) && len(v.Covering(m)) == 0 }
	if err == nil && slices.ContainsFunc(v.Mutants, unexplained) {
		rest := slices.DeleteFunc(slices.Clone(v.Tests), func(test string) bool { return slices.Contains(near, test) })
		err = v.each(within, rest)
	}
	quarantined := v.quarantined()
	mayPass := slices.ContainsFunc(v.Tests, func(name string) bool { return !slices.Contains(quarantined, name) })
	v.Tests = slices.DeleteFunc(v.Tests, func(name string) bool { return v.by[name] == nil })
	if err == nil {
		err = v.skips(within)
	}
	if within.Err() != nil && ctx.Err() == nil {
		err = nil // the reasons of survivors name the missed tests
	}
	v.done = err == nil
	if v.done && !mayPass {
		v.Failure = v.failed
	}
	return err
}

// near returns the tests that may reach mutants, the nearest first; where these are not known, all of them, the likely ones
// first.
func (v *judging) near(ctx context.Context) []string {
	ours := func(tests []string) []string {
		return slices.DeleteFunc(tests, func(test string) bool { return !slices.Contains(v.Tests, test) })
	}
	if v.Suite.Near == nil {
		return v.Tests
	}
	if known := v.Suite.Near(ctx); known != nil {
		return ours(known)
	}
	if v.Suite.Likely == nil {
		return v.Tests
	}
	likely := ours(v.Suite.Likely())
	return append(likely, slices.DeleteFunc(slices.Clone(v.Tests), func(test string) bool { return slices.Contains(likely, test) })...)
}

// again surveys the tests that were missed for want of time. What other tests have decided stays: each of these tests
// runs by itself with mutants.
func (v *judging) again(ctx context.Context) error {
	missed := v.Missed
	if len(missed) == 0 {
		return nil
	}
	within, cancel := deadline.Part(ctx, surveyPart)
	defer cancel()
	v.Missed = nil
	err := v.each(within, missed)
	for _, test := range missed {
		if v.by[test] != nil {
			v.Tests, v.late[test] = append(v.Tests, test), true
		}
	}
	if within.Err() != nil && ctx.Err() == nil {
		return nil
	}
	return err
}

// skips finds out which quick tests skip the rest of themselves, if some urgent mutant is not reached. That takes an
// extra run: it needs -test.v, but a survey runs tests as they run with mutants, without that flag.
func (v *judging) skips(ctx context.Context) error {
	if !slices.ContainsFunc(v.urgent(), func(m *Mutant) bool { return m.Package == v.Suite.Package && !v.whole.reaches(m) }) {
		return nil
	}
	quick := slices.DeleteFunc(slices.Clone(v.Tests), func(test string) bool { return v.by[test].took > longTest })
	if len(quick) == 0 {
		return nil
	}
	r, err := v.Run(ctx, executor.Spec{Suite: v.Suite, Tests: quick, Mutant: wire.Probed, Limit: largeSuite, Verbose: true})
	for _, test := range r.Skipped {
		if c := v.by[ledger.TopLevel(test)]; c != nil {
			c.skips = true
		}
	}
	return err
}

// each surveys tests, each in a process of its own, and notes those that did not run before ctx ended.
func (v *judging) each(ctx context.Context, tests []string) error {
	reports, err := v.byThemselves(ctx, tests)
	for _, r := range reports {
		v.start = min(v.start, r.Took) // the very first process may have to wait for files
	}
	if err == nil {
		err = v.confined(ctx, reports)
	}
	var failed []string
	for _, test := range tests {
		switch r, ran := reports[test]; {
		case !ran:
			v.Missed = append(v.Missed, test)
		case r.ByClock:
			v.fails(test, DoesNotEnd, r)
			v.all.any = true
		case r.Kind != ledger.Pass:
			failed = append(failed, test)
		default:
			v.passes(test, r)
		}
	}
	if err != nil {
		v.Missed = append(v.Missed, failed...)
		return err
	}
	if slices.ContainsFunc(failed, func(test string) bool { return reports[test].TooBig }) {
		v.Suite.Roomy, v.Suite.Apart = true, true
	}
	return v.eachApart(ctx, failed)
}

// confined runs tests once more that failed because of the sandbox, which is loosened for them. An earlier run of the
// whole suite that was cut short may not have got to them.
func (v *judging) confined(ctx context.Context, reports map[string]executor.Report) error {
	failed := slices.DeleteFunc(slices.Sorted(maps.Keys(reports)), func(test string) bool {
		return reports[test].Kind == ledger.Pass || reports[test].ByClock
	})
	if len(failed) == 0 {
		return nil
	}
	allowed, err := v.Allow(ctx, executor.Spec{Suite: v.Suite, Tests: failed, Mutant: wire.Probed})
	if err != nil || !allowed {
		return err
	}
	again, err := v.byThemselves(ctx, failed)
	maps.Copy(reports, again)
	return err
}

// eachApart surveys the tests that failed beside others, while no other process runs. If some pass then, and fail
// again beside others, the suite runs apart from then on.
func (v *judging) eachApart(ctx context.Context, tests []string) error {
	before := v.Suite.Apart
	v.Suite.Apart = true
	apart, err := v.byThemselves(ctx, tests)
	v.Suite.Apart = before
	passing := slices.DeleteFunc(slices.Clone(tests), func(test string) bool {
		r, ran := apart[test]
		return !ran || r.Kind != ledger.Pass
	})
	if err == nil && !before {
		var again map[string]executor.Report
		again, err = v.byThemselves(ctx, passing)
		v.Suite.Apart = slices.ContainsFunc(passing, func(test string) bool { return again[test].Kind != ledger.Pass })
	}
	for _, test := range tests {
		switch r, ran := apart[test]; {
		case !ran:
			v.Missed = append(v.Missed, test)
		case r.Kind != ledger.Pass:
			v.fails(test, failsAlone, r)
		case v.Suite.Apart:
			v.passes(test, r)
		default:
			v.fails(test, FailsSometimes, r)
		}
	}
	return err
}

// byThemselves runs each test in a process of its own, several at once unless the suite runs apart. It returns the
// reports of the tests that there was time for.
func (v *judging) byThemselves(ctx context.Context, tests []string) (map[string]executor.Report, error) {
	var mu sync.Mutex
	reports := map[string]executor.Report{}
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(v.Width())
	for _, test := range tests {
		g.Go(func() error {
			r, err := v.Run(within, executor.Spec{Suite: v.Suite, Tests: []string{test}, Mutant: wire.Probed})
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			reports[test] = r
			return nil
		})
	}
	return reports, g.Wait()
}

// passes notes that a test passes by itself, and what it covers.
func (v *judging) passes(test string, r executor.Report) {
	r = v.withoutStart(r)
	v.covers(test, r)
	v.alone.Store(test, true)
	v.Took += r.Took
}

// fails quarantines a test that fails by itself.
func (v *judging) fails(test, why string, r executor.Report) {
	v.Quarantined = append(v.Quarantined, Quarantined{v.Suite.Package, test, why})
	v.all.add(r)
	v.ofQuarantined[test] = new(coverage)
	v.ofQuarantined[test].add(r)
}
