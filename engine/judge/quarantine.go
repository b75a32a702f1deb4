package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
)

// A test that fails without a mutant is quarantined once it is known why it fails. If it only needs a looser sandbox,
// more memory, or no other process beside it, it gets that instead.

// Reasons for which a test is quarantined, besides those of [executor.Explanation], as phrases that fit after "it".
const (
	DoesNotEnd     = "does not finish in the available time on the unmodified code" // it exceeds its time limit
	FailsSometimes = "is flaky: it fails in some runs on the unmodified code"
	FailsSomehow   = "fails on the unmodified code, and there was no time to find out why"
)

// More such reasons.
const (
	failsAlone   = "fails on the unmodified code when it runs alone, and the whole suite is too slow to run for every mutant"
	failsWithout = "fails on the unmodified code if the tests that are quarantined do not run before it"
	failsUnnamed = "belongs to a package whose tests fail on the unmodified code, and nothing says which of them"
)

// Quarantined is a test whose results are not used.
type Quarantined struct {
	Package, Test string
	Why           string // phrase that fits after "it"
}

// maxNamed bounds how many names a list shows.
const maxNamed = 3

// QuarantineNotes says which tests are quarantined and why, one note per package and reason. Further notes name the
// tests that hardly ever fail.
func (r *Result) QuarantineNotes() (notes []string) {
	var groups []Quarantined // with Test empty
	names := map[Quarantined][]string{}
	for _, q := range r.AllQuarantined() {
		group := Quarantined{Package: q.Package, Why: q.Why}
		if names[group] == nil {
			groups = append(groups, group)
		}
		names[group] = append(names[group], q.Test)
	}
	for _, group := range groups {
		notes = append(notes, note(group, names[group]))
	}
	for _, v := range r.Surveys {
		notes = append(notes, v.rareNotes()...)
	}
	return notes
}

// rareNotes says which tests hardly ever fail without a mutant and so still judge.
func (v *Survey) rareNotes() (notes []string) {
	for in, n := range v.doubts.Failing() {
		if in.Context != ledger.Alone && slices.Contains(v.Tests, in.Test) {
			notes = append(notes, fmt.Sprintf("%s.%s is flaky: it fails in %d of %d runs on the unmodified code. That is rare enough for its result to count", v.Suite.Package, in.Test, n.Failed, n.Failed+n.Passed))
		}
	}
	slices.Sort(notes)
	return notes
}

// note says that the tests of a package called names are quarantined, all for the same reason.
func note(group Quarantined, names []string) string {
	if len(names) == 1 {
		return fmt.Sprintf("%s.%s is quarantined, so its result is not used: it %s", group.Package, names[0], group.Why)
	}
	return fmt.Sprintf("%d tests of %s are quarantined, so their results are not used: each of %s %s", len(names), group.Package, first(names), group.Why)
}

// first lists the first few names, and says how many more there are.
func first(names []string) string {
	list := strings.Join(names[:min(len(names), maxNamed)], ", ")
	if more := len(names) - maxNamed; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return list
}

// AllQuarantined returns the quarantined tests and the subtests that are left out, sorted by package and name.
func (r *Result) AllQuarantined() (list []Quarantined) {
	for _, v := range r.Surveys {
		list = append(append(list, v.Quarantined...), v.subtests...)
	}
	slices.SortFunc(list, func(a, b Quarantined) int {
		return strings.Compare(a.Package+"."+a.Test, b.Package+"."+b.Test)
	})
	return list
}

// BaselineError says that no test of a package passes without a mutant, so that its tests cannot judge anything.
type BaselineError struct {
	Package string
	Tests   []string // top-level names; empty: unknown
	Message string   // the panic, fatal error or other event; empty for failed assertions
	Output  string
}

func (e *BaselineError) Error() string {
	names := strings.Join(e.Tests, ", ")
	if names == "" {
		names = "the tests"
	}
	how := ""
	if e.Message != "" {
		how = " (" + e.Message + ")"
	}
	output := e.Output
	if cut := len(output) - 2000; cut > 0 {
		output = "[...]" + output[cut:]
	}
	return fmt.Sprintf("%s: %s failed repeatedly on the unmodified code%s\n%s\nhint: make them pass, or leave them out with --skip-tests",
		e.Package, names, how, output)
}

// failedRun is a run of a suite that failed without a mutant.
type failedRun struct {
	executor.Report
	form   int
	repeat func(context.Context) (failed bool, err error) // repeats it, with what ran beside it
}

// quarantine finds out why tests fail without a mutant, and quarantines them. It quarantines nothing if they need a
// looser sandbox, more memory, or no other process beside them: then they get that. It returns a failure if the tests
// fail repeatedly with plain go test, too, or if it cannot name them; then it quarantines all.
func (v *judging) quarantine(ctx context.Context, f *failedRun) (*BaselineError, error) {
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
		spec.Tests = v.ours(spec.Tests)
	}
	if f.ByClock && len(spec.Tests) > 0 { // another run would take too long
		v.exclude(spec.Tests, DoesNotEnd)
		v.all.any = true // what it would have done is unknown
		return nil, nil
	}
	part, cancel := deadline.Part(ctx, diagnosisPart)
	defer cancel()
	failure, err := v.diagnose(part, f, &spec)
	if err == nil || ctx.Err() != nil || part.Err() == nil {
		return failure, err
	}
	v.exclude(spec.Tests, FailsSomehow)
	// When each test runs by itself, the failing one shows, and so do tests behind one that ended the process late.
	v.Large = v.Large || len(spec.Tests) == 0 || f.Kind == ledger.Crash && f.Took > largeSuite
	return nil, nil
}

// diagnose does the part of quarantine that takes runs. If spec has no tests, it is about all of them. diagnose puts
// the failing tests into spec, even if it returns an error.
func (v *judging) diagnose(ctx context.Context, f *failedRun, spec *executor.Spec) (*BaselineError, error) {
	if allowed, err := v.Allow(ctx, *spec); err != nil || allowed {
		return nil, err
	}
	again, err := v.onceMore(ctx, f, spec.Tests)
	if err != nil || again == nil {
		return nil, err
	}
	why, repeated := FailsSometimes, again.Kind != ledger.Pass
	if repeated {
		if named := v.ours(again.Failed); len(named) > 0 {
			spec.Tests = named
		}
		if again.Kind == ledger.Crash {
			if allowed, err := v.crashing(ctx, f, spec); err != nil || allowed {
				return nil, err
			}
		}
		x, err := v.Explain(ctx, *spec)
		if err != nil {
			return nil, err
		}
		if len(x.Woven) > 0 {
			v.exclude(x.Woven, executor.FailsWoven)
			if spec.Tests = slices.DeleteFunc(spec.Tests, func(test string) bool { return slices.Contains(x.Woven, test) }); len(spec.Tests) == 0 {
				return nil, nil
			}
		}
		why, repeated = x.Why, x.Broken
		if repeated && again.Kind == ledger.Test {
			if none, err := v.leaveOut(ctx, spec, again.Failed, why); err != nil || none {
				return nil, err
			}
		}
	} else if rarely, err := v.rare(ctx, f); err != nil || rarely {
		return nil, err
	}
	switch {
	case len(spec.Tests) > 0:
		v.exclude(spec.Tests, why)
	case why == FailsSometimes, why == executor.FailsWoven: // of a test, that means that others or a rebuild make up for it
		v.exclude(slices.Clone(v.Tests), failsUnnamed)
	default:
		v.exclude(slices.Clone(v.Tests), why)
	}
	if !repeated && len(spec.Tests) > 0 {
		return nil, nil
	}
	// Without a test to quarantine, the suite would fail again.
	return &BaselineError{Package: v.Suite.Package, Tests: spec.Tests, Message: f.Message, Output: f.Output}, nil
}

// onceMore repeats a failed run. In a slow suite it first runs just the failed tests, with no other process beside
// them, and the whole suite only if not all of them fail again. Otherwise it repeats the whole suite, since a test
// may fail in most runs alone and in hardly any beside others. It returns nil if the tests fail only beside other
// processes. The suite then runs apart.
func (v *judging) onceMore(ctx context.Context, f *failedRun, tests []string) (*executor.Report, error) {
	if len(tests) > 0 && len(tests) < len(v.Tests) && f.Took >= longSuite {
		apart := *v.Suite
		apart.Apart = true
		spec := v.spec(f.form)
		spec.Suite, spec.Tests = &apart, tests
		r, err := v.Run(ctx, spec)
		if err != nil || r.Kind == f.Kind && len(v.ours(r.Failed)) == len(tests) {
			return &r, err
		}
	}
	if collides, err := v.collides(ctx, f); err != nil || collides {
		return nil, err
	}
	r, err := v.Run(ctx, v.spec(f.form))
	return &r, err
}

// rare reports whether the only failed test of f, which passed when f was repeated, hardly ever fails.
func (v *judging) rare(ctx context.Context, f *failedRun) (bool, error) {
	tests := v.ours(f.Failed)
	if len(tests) != 1 || v.Large {
		return false, nil
	}
	in := ledger.Step{Context: ledger.InSuite, Test: tests[0]}
	v.doubts.Add(in, true, f.Took)
	return v.failsRarely(ctx, in, v.spec(f.form))
}

// crashing adds to found.Tests the other tests that crash the process without a mutant: each crash hides the tests
// after it. It stops if the suite turns out to be large, as its tests then run one by one. It reports whether one of
// the tests fails only because of the sandbox, which is then loosened.
func (v *judging) crashing(ctx context.Context, f *failedRun, found *executor.Spec) (allowed bool, err error) {
	v.Large = v.Large || f.Took > largeSuite
	spec := v.spec(f.form)
	for known := found.Tests; len(known) > 0 && !v.Large; {
		spec.Skip = append(spec.Skip, known...)
		r, err := v.Run(ctx, spec)
		v.Large = v.Large || err == nil && r.Took > largeSuite
		if err != nil || v.Large || r.Kind != ledger.Crash {
			return false, err
		}
		known = slices.DeleteFunc(v.ours(r.Failed), func(test string) bool { return slices.Contains(spec.Skip, test) })
		found.Tests = append(found.Tests, known...)
		for _, test := range known {
			one := v.spec(f.form)
			one.Tests = []string{test}
			if allowed, err := v.Allow(ctx, one); err != nil || allowed {
				return allowed, err
			}
		}
	}
	return false, nil
}

// leaveOut leaves out failed subtests instead of their whole tests, where many more subtests of the same test pass: at
// least outnumbered for each failed one; see [Outnumber]. It removes these tests from spec, and reports
// whether none is left.
func (v *judging) leaveOut(ctx context.Context, spec *executor.Spec, failed []string, why string) (none bool, err error) {
	red := innermost(failed)
	before, one := v.Suite.Without, v.spec(spec.Mutant)
	for _, test := range spec.Tests {
		if len(red[test]) > 0 {
			one.Tests = append(one.Tests, test)
			v.Suite.Without = append(slices.Clip(v.Suite.Without), red[test]...)
		}
	}
	if one.Verbose = true; len(one.Tests) == 0 {
		return false, nil
	}
	r, err := v.Run(ctx, one)
	v.Suite.Without = before
	if err != nil || r.Kind != ledger.Pass {
		return false, err
	}
	green := innermost(r.Passed)
	spec.Tests = slices.DeleteFunc(spec.Tests, func(test string) bool {
		if len(red[test]) == 0 || len(green[test]) < outnumbered*len(red[test]) {
			return false
		}
		v.Suite.Without = append(slices.Clip(v.Suite.Without), red[test]...)
		for _, name := range red[test] {
			v.subtests = append(v.subtests, Quarantined{v.Suite.Package, name, why})
		}
		return true
	})
	return len(spec.Tests) == 0, nil
}

// innermost returns those of tests that are subtests without subtests of their own, by top-level test.
func innermost(tests []string) map[string][]string {
	subtests := map[string][]string{}
	for _, name := range tests {
		within := func(other string) bool { return strings.HasPrefix(other, name+"/") }
		if top := ledger.TopLevel(name); top != name && !slices.ContainsFunc(tests, within) && !slices.Contains(subtests[top], name) {
			subtests[top] = append(subtests[top], name)
		}
	}
	return subtests
}

// diagnosisPart is the share of the remaining time that finding out why tests fail may take.
const diagnosisPart = 0.2

// collides reports whether a failed run passes while no other process runs, and fails again beside others. If so, the
// suite runs apart from then on.
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

// ours returns the tests in v.Tests among those that a run reports as failed. Its output may name others, since tests
// may print anything.
func (v *judging) ours(failed []string) (tests []string) {
	for _, name := range failed {
		if top := ledger.TopLevel(name); slices.Contains(v.Tests, top) && !slices.Contains(tests, top) {
			tests = append(tests, top)
		}
	}
	return tests
}

// exclude quarantines tests for the reason why.
func (v *judging) exclude(tests []string, why string) {
	for _, test := range tests {
		v.Quarantined = append(v.Quarantined, Quarantined{v.Suite.Package, test, why})
		v.Tests = slices.DeleteFunc(v.Tests, func(name string) bool { return name == test })
	}
}

// quarantined returns the names of the quarantined tests.
func (v *Survey) quarantined() (names []string) {
	for _, q := range v.Quarantined {
		names = append(names, q.Test)
	}
	return names
}

// Disowns reports whether a test, named as in [Decision].Test, is quarantined, so that it does not kill any more what it
// killed before. A Plain test kills nothing but plain rebuilds.
func (r *Result) Disowns(test string) bool {
	return slices.ContainsFunc(r.Surveys, func(v *Survey) bool {
		name, ok := strings.CutPrefix(test, v.Suite.Package+".")
		name = ledger.TopLevel(name)
		return ok && slices.Contains(v.quarantined(), name) && !v.Plain(name)
	})
}

// watchPart is the share of the remaining time that watching quarantined tests may take.
const watchPart = 0.1

// watch records what quarantined tests do until they fail, or for as long as largeSuite. Each runs once, in a process
// of its own. At most maxApart of them run. If there are no other tests, nothing can be said of the package without them.
func (v *judging) watch(ctx context.Context) error {
	names := v.quarantined()
	switch {
	case len(names) == 0:
		return nil
	case len(v.Tests) == 0:
		v.all.any = true // what they would do if they passed is unknown
		return nil
	}
	within, cancel := deadline.Part(ctx, watchPart)
	defer cancel()
	reports := make([]executor.Report, min(len(names), maxApart))
	g, each := errgroup.WithContext(within)
	g.SetLimit(v.Width())
	for i := range reports {
		g.Go(func() (err error) {
			reports[i], err = v.Run(each, executor.Spec{Suite: v.Suite, Tests: names[i : i+1], Mutant: wire.Probed, Limit: largeSuite})
			return err
		})
	}
	err := g.Wait()
	for i, r := range reports {
		v.ofQuarantined[names[i]] = new(coverage)
		v.ofQuarantined[names[i]].add(r) // stays empty for a test that did not run in time
	}
	if within.Err() != nil && ctx.Err() == nil {
		return nil
	}
	return err
}

// mayNotice returns the quarantined tests that may infect the state with m: whether they pass with it is unknown. It
// leaves out Plain tests.
func (v *Survey) mayNotice(m *Mutant) []string {
	return slices.DeleteFunc(v.quarantined(), func(test string) bool {
		return v.Plain(test) || v.ofQuarantined[test] == nil || !v.ofQuarantined[test].infects(m)
	})
}

// Plain reports whether a test is quarantined but passes uninstrumented, as a test that counts allocations may. Such
// tests run on the plain rebuilds of survivors.
func (v *Survey) Plain(test string) bool {
	return slices.ContainsFunc(v.Quarantined, func(q Quarantined) bool { return q.Test == test && q.Why == executor.FailsWoven })
}
