// Package suites judges the mutants of a program by the tests of its packages: first those of the touched packages,
// then those of packages that depend on them, then those that build the program with the go command.
package suites

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/reach"
	"github.com/mutantfuzz/mutantfuzz/engine/testdiff"
	"github.com/mutantfuzz/mutantfuzz/engine/verdicts"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Config says which tests judge which mutants.
type Config struct {
	*pool.Runner
	Reach    *reach.Reach
	Mutants  evidence.Mutants
	Judged   *judge.Result   // filled in by Judge
	All      bool            // tests of every package judge, not only of those that depend on touched ones
	Brief    bool            // dependents take no longer than all before them, or minDependents if that is more
	Verdicts *verdicts.Store // of earlier analyses; nil: none are used or kept
	Fresh    bool            // do not use verdicts of earlier analyses
	Began    time.Time       // of the analysis
	Stats    *results.Stats
	Seconds  *results.Seconds
}

// Suites judges mutants by tests.
type Suites struct {
	Config
	config     judge.Config // without the mutants
	own        []string     // the touched packages with tests
	others     []string     // packages with tests that depend on them, or with All, all others
	dependents reach.Queue  // those of others that have not judged yet
	unbuilt    []string     // those of others whose tests do not build
	late       bool         // time ran out before all was judged
	builders   []*reach.Builder
	specs      []executor.Spec   // runs of the first builders
	changed    map[string]string // see changedTests; nil: not determined yet

	unseenBefore map[*evidence.Mutant]bool // those that are Unseen whatever the tests do
}

// New finds the tests that judge. It runs none.
func New(c Config) *Suites {
	s := &Suites{Config: c, unseenBefore: map[*evidence.Mutant]bool{}}
	for _, m := range c.Mutants {
		s.unseenBefore[m] = m.Unseen
	}
	s.own = slices.DeleteFunc(slices.Clone(c.Touched), func(pkg string) bool { return c.Of(pkg) == "" })
	if c.Reach.Dependents {
		s.others = c.Reach.Others(s.own, c.All)
	}
	c.Judged.Expect(s.ofChange())
	c.Judged.Alters(s.changedTests())
	s.config = s.judging()
	s.builders = c.Reach.Builders(slices.Concat(s.own, s.others), c.Skips)
	s.awaitBuilders()
	return s
}

// Judge runs the tests of the touched packages on the mutants, then those of their dependents, then those that build
// the program with the go command. Called again, it does what is still missing.
func (s *Suites) Judge(ctx context.Context) error {
	if !s.Judged.OwnDone || s.Judged.Missed() {
		if err := s.judge(ctx); err != nil {
			return err
		}
	}
	return s.judgeBuilt(ctx)
}

// judge judges by the tests whose binaries hold the mutants.
func (s *Suites) judge(ctx context.Context) error {
	c := s.config
	for _, m := range s.Mutants.Live().Ranked() {
		c.Mutants = append(c.Mutants, m.AsJudged())
	}
	alive := len(c.Mutants)
	c.Mutants = append(c.Mutants, s.killed()...)
	if s.Verdicts != nil {
		cache := verdicts.NewCache(ctx, verdicts.CacheConfig{
			Binaries: s.Binaries, Mutants: s.Mutants, Books: s.Verdicts, Fresh: s.Fresh,
			Settings: append([]string{string(s.Sandbox), s.Tests.Skipped()}, s.Tests.Flags...),
		})
		defer func() { cache.Close(); s.Stats.Reused += cache.Reused() }()
		c.Cache = cache
	}
	s.Phase("tests", alive)
	s.queue()
	err := s.Judged.Continue(ctx, c)
	s.Judged.Unbuilt(s.unbuilt)
	s.Mutants.Judged(s.Judged, s.changedTests())
	s.settle()
	s.unseen(ctx)
	s.late = err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded)
	if err != nil {
		return err
	}
	return s.baselineFails()
}

// killed returns the mutants that the tests have killed. They do not run again, unless the test that killed one turns
// out to be flaky.
func (s *Suites) killed() (list []*judge.Mutant) {
	for _, m := range s.Mutants.With(results.Killed) {
		if j := m.AsJudged(); s.Judged.Decide(j).Status == ledger.Killed {
			list = append(list, j)
		}
	}
	return list
}

// minDependents is how long the tests of dependents may take in any case, even if all before them took less.
const minDependents = 20 * time.Second

// judging returns the configuration for the tests whose binaries hold the mutants.
func (s *Suites) judging() judge.Config {
	c := judge.Config{
		Executor: s.executor(), Urgent: evidence.ClassChanged, Done: func(*judge.Mutant) { s.Step() },
		ClassDone: func(class int) {
			if class <= evidence.ClassChanged {
				s.Seconds.Changed = time.Since(s.Began).Seconds()
			}
		},
	}
	for _, pkg := range s.own {
		near := func(ctx context.Context) []string { return s.Reach.Tests(ctx, pkg, s.InScope()) }
		c.Own = append(c.Own, &executor.Suite{Package: pkg, Near: near, Likely: func() []string { return s.likely(pkg) }})
	}
	if len(s.others) > 0 {
		c.Dependents = s.next
	}
	if s.Brief {
		c.DependentsTime = func() time.Duration { return max(minDependents, time.Since(s.Began)) }
	}
	return c
}

// ofChange returns the dependents with tests that the change adds or alters.
func (s *Suites) ofChange() []string {
	return slices.DeleteFunc(slices.Clone(s.others), func(pkg string) bool { return !slices.Contains(s.TestedIn, pkg) })
}

// changedTests returns the tests that the change adds or alters, as import/path.Test, and which of the two it does.
func (s *Suites) changedTests() map[string]string {
	if s.changed != nil || s.BaseTree == "" {
		return s.changed
	}
	s.changed = map[string]string{}
	for _, pkg := range s.Sorted() {
		if !slices.Contains(s.TestedIn, pkg.ImportPath) {
			continue
		}
		base := filepath.Join(s.BaseTree, s.Rel(pkg.Dir))
		for test, change := range testdiff.Read(pkg.Dir).Changes(testdiff.Read(base), results.TestAdded) {
			s.changed[pkg.ImportPath+"."+test] = change
		}
	}
	return s.changed
}

// likely returns the tests of a package that probably reach what the change touches: those that it adds or alters, and those
// that mention a function by name.
func (s *Suites) likely(pkg string) (tests []string) {
	for _, test := range slices.Sorted(maps.Keys(s.changedTests())) {
		if name, of := strings.CutPrefix(test, pkg+"."); of {
			tests = append(tests, name)
		}
	}
	for _, name := range s.Reach.Likely(pkg, s.Reach.InScope()) {
		if !slices.Contains(tests, name) {
			tests = append(tests, name)
		}
	}
	return tests
}

// changeTo returns what the change does to a test, or to the parent of a subtest; "": nothing.
func changeTo(changed map[string]string, pkg, test string) string {
	return changed[pkg+"."+ledger.TopLevel(test)]
}

// executor returns what runs the tests.
func (s *Suites) executor() pool.Executor { return pool.Executor{Runner: s.Runner} }

// next builds the tests of the next dependents that may reach a mutant in alive, and removes those that have judged all,
// unless they run again. It returns none if there are no more.
func (s *Suites) next(ctx context.Context, alive []*judge.Mutant) (list []*executor.Suite, err error) {
	functions := map[string]bool{}
	for _, m := range alive {
		functions[s.Mutants.ByNumber(m.Number).Function] = true
	}
	s.Judged.Expect(s.Reach.Nearest(ctx, s.ofChange(), functions))
	s.Drop(slices.DeleteFunc(slices.Clone(s.others), func(pkg string) bool { return !s.Judged.Done(pkg) || s.runsAgain(pkg) }))
	for len(list) == 0 {
		group := s.dependents.Next(ctx, functions, s.Workers)
		if len(group) == 0 {
			return nil, nil
		}
		if err := s.Add(ctx, group); err != nil {
			return nil, err
		}
		for _, pkg := range group {
			if s.Of(pkg) == "" {
				s.unbuilt = append(s.unbuilt, pkg)
				s.Judged.Unbuilt(s.unbuilt)
				continue
			}
			list = append(list, &executor.Suite{Package: pkg, Only: s.Reach.Tests(ctx, pkg, functions)})
		}
	}
	return list, nil
}

// runsAgain reports whether tests of a package run once more after they have judged all mutants: those that build programs
// do in judgeBuilt, and those that the change adds or alters are repeated.
func (s *Suites) runsAgain(pkg string) bool {
	v := s.Judged.SurveyOf(pkg)
	return v != nil && s.ofTheChange(pkg, v.Tests) || slices.ContainsFunc(s.builders, func(by *reach.Builder) bool { return by.Package == pkg })
}

// queue lines up the dependents that have not judged all mutants yet, except those that do not build.
func (s *Suites) queue() {
	left := slices.DeleteFunc(slices.Clone(s.others), func(pkg string) bool { return s.Judged.Done(pkg) || slices.Contains(s.unbuilt, pkg) })
	s.dependents = reach.Queue{Reach: s.Reach, Left: left, First: s.TestedIn}
}

// CatchUp runs the tests of dependents that there was no time for. It runs them on those mutants returned by which
// that survive with a reservation. Kills may make room for other mutants there, so CatchUp calls which again until it
// returns no further ones.
func (s *Suites) CatchUp(ctx context.Context, which func() evidence.Mutants) error {
	judged := map[int]bool{}
	for {
		var due []*judge.Mutant
		for _, m := range which() {
			if m.Reserved() && !judged[m.Number] {
				due, judged[m.Number] = append(due, m.AsJudged()), true
			}
		}
		if len(due) == 0 {
			return nil
		}
		s.Phase("tests of dependents", 0)
		if err := s.left(ctx, due); err != nil {
			return err
		}
	}
}

// left runs the tests of dependents that there was no time for on some mutants.
func (s *Suites) left(ctx context.Context, mutants []*judge.Mutant) error {
	s.queue()
	r, err := s.Judged.Left(ctx, judge.Config{Executor: s.executor(), Mutants: slices.Concat(mutants, s.killed()), Dependents: s.next})
	r.Unbuilt(s.unbuilt)
	s.Mutants.JudgedOn(mutants, r, s.changedTests())
	s.settle()
	s.unseen(ctx)
	return err
}

// settle takes back the reservation that tests of dependents have not all run where none of these may reach the mutant.
func (s *Suites) settle() {
	left := slices.DeleteFunc(slices.Clone(s.others), s.Judged.Done)
	for _, m := range s.Mutants.Live() {
		if m.Tests != nil && !slices.ContainsFunc(left, func(pkg string) bool { return s.Reach.MayReach(pkg, m.Function) }) {
			m.Tests.NeedsNoMore()
		}
	}
}

// baselineFails gives up on the mutants of packages in which no test passes without a mutant. It returns an error if
// that holds for all touched packages with tests.
func (s *Suites) baselineFails() error {
	for _, m := range s.Mutants.Live() {
		if s.Judged.Failure(m.Package) != nil {
			m.Tests = &judge.Decision{Decision: ledger.Decision{Status: ledger.Undecided, Reason: results.TestsFail}}
		}
	}
	passes := func(pkg string) bool { return s.Judged.Failure(pkg) == nil }
	if len(s.own) == 0 || slices.ContainsFunc(s.own, passes) {
		return nil
	}
	return s.Judged.Failure(s.own[0])
}

// Note warns of tests that do not build and of quarantined tests. If time ran out, it says what helps.
func (s *Suites) Note() {
	for _, note := range slices.Concat(s.LeftOut(), s.Judged.QuarantineNotes()) {
		s.Warn("%s", note)
	}
	if !s.late {
		return
	}
	if slow := s.Slowest(); len(slow) > 0 {
		s.Warn("not all tests ran in time: use --skip-tests to leave some out, or -- -short to shorten them; most of the time went to %s", strings.Join(slow, ", "))
	}
	if s.Judged.OwnDone {
		s.Warn("not all tests of dependent packages ran in time: use --tests package to run only those of the changed packages")
	}
}

// AddTo adds the number of tests and the quarantined tests to res.
func (s *Suites) AddTo(res *results.Results) {
	for _, v := range s.Judged.Surveys {
		res.Stats.Tests += len(v.Tests)
	}
	list := s.Quarantined()
	res.Quarantined = append(res.Quarantined, list[:min(len(list), results.MaxQuarantined-len(res.Quarantined))]...)
}

// Quarantined returns the quarantined tests as in results.json: first those that the change alters, then those that it
// adds, then the others, each sorted by name.
func (s *Suites) Quarantined() (list []results.Quarantined) {
	for _, q := range s.Judged.AllQuarantined() {
		list = append(list, results.Quarantined{
			Test: q.Package + "." + q.Test, Why: q.Why, Unended: q.Why == judge.DoesNotEnd, Flaky: q.Why == judge.FailsSometimes, Instrumented: q.Why == executor.FailsWoven,
			Undiagnosed: q.Why == judge.FailsSomehow,
			Change:      changeTo(s.changedTests(), q.Package, q.Test),
		})
	}
	slices.SortStableFunc(list, func(a, b results.Quarantined) int { return cmp.Compare(b.Change, a.Change) }) // "" comes last
	return list
}
