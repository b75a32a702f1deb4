package judge

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
)

// Config says what to judge, and by which tests.
type Config struct {
	executor.Executor
	Cache   Cache // verdicts of earlier analyses; nil: none
	Mutants []*Mutant
	Own     []*executor.Suite // of the mutated packages
	// Dependents returns the next suites of packages that depend on the mutated ones, the nearest first. It is called
	// while mutants are alive, until it returns none. Nil: there are none.
	Dependents func(ctx context.Context, alive []*Mutant) ([]*executor.Suite, error)
	// DependentsTime returns how long dependents may take from when tests reach every urgent mutant that is alive.
	// Nil, or a result of 0: as long as there is time.
	DependentsTime func() time.Duration
	// Urgent is the last class of urgent mutants: these are judged to the end before the others.
	Urgent int
	// Done is called for each mutant that the tests of a suite have judged, from several goroutines. Nil: no calls.
	Done func(*Mutant)
	// ClassDone is called when the packages' own tests have judged all mutants up to a class. Nil: no calls.
	ClassDone func(class int)
}

// Result is the result of judging.
type Result struct {
	Surveys   []*Survey
	OwnDone   bool              // the packages' own tests have judged every mutant
	nextClass int               // mutants of lower classes were judged by them
	missing   []string          // packages whose tests did not judge everything they should
	cut       bool              // there was no time for all dependents
	done      []string          // packages whose tests have judged all mutants that were alive
	unbuilt   []string          // packages whose tests may notice something, but do not build
	expected  []string          // see Expect
	altered   map[string]string // see Alters
}

// Cut reports whether there was no time for the tests of all dependents.
func (r *Result) Cut() bool { return r.cut }

// Done reports whether the tests of pkg have judged all mutants that were alive when it was their turn.
func (r *Result) Done(pkg string) bool { return slices.Contains(r.done, pkg) }

// Unbuilt sets the packages whose tests may notice mutants but do not build.
func (r *Result) Unbuilt(pkgs []string) { r.unbuilt = pkgs }

// Expect sets the dependents whose tests are part of the change. Until all of them have judged, [Decision.Awaits]
// replaces [Decision.OwnOnly]: the change may come with a test that notices the survivor.
func (r *Result) Expect(pkgs []string) { r.expected = pkgs }

// Alters sets the tests that the change adds or alters, as import/path.Test, with what it does to each. If they fail
// without a mutant, they may notice what many others do not.
func (r *Result) Alters(tests map[string]string) { r.altered = tests }

// Left runs the tests of dependents that there was no time for on mutants, and returns what all tests say about these.
// What was surveyed and decided before does not run again, as with Continue.
func (r *Result) Left(ctx context.Context, c Config) (*Result, error) {
	more := &Result{Surveys: slices.Clone(r.Surveys), OwnDone: true, done: slices.Clone(r.done), expected: r.expected, altered: r.altered}
	err := more.dependents(ctx, &c)
	r.Surveys = more.Surveys
	return more, err
}

// Tests judges the mutants by the tests of all suites. If ctx ends, it returns what was found so far, and the error.
//
// The packages' own tests judge the mutants class by class, slow tests last. The tests of dependents run after all of
// them, and can only add kills.
func Tests(ctx context.Context, c Config) (*Result, error) {
	r := &Result{}
	return r, r.Continue(ctx, c)
}

// Continue goes on where time ran out: what was surveyed and decided does not run again. c may leave out mutants that
// need no verdict any more. If it has those that tests killed, they are judged again where such a test is found to be
// flaky.
func (r *Result) Continue(ctx context.Context, c Config) error {
	err := r.own(ctx, &c)
	if err == nil && r.missedIn(c.Own) { // the packages' own tests tell more than dependents can add
		err = r.own(ctx, &c)
	}
	if err != nil {
		r.cut = r.cut || c.Dependents != nil // it is not their turn any more
		return err
	}
	return r.dependents(ctx, &c)
}

// own judges the mutants by the packages' own tests. Called again, it judges by the tests that were missed before.
func (r *Result) own(ctx context.Context, c *Config) error {
	r.missing = nil
	first, later := c.byUrgency()
	if r.missedIn(c.Own) {
		r.OwnDone, r.nextClass, first, later = false, 0, c.Own, nil
	}
	for _, s := range later {
		r.missing = append(r.missing, s.Package)
	}
	surveys, err := r.surveyAll(ctx, c, first, c.urgent())
	if err != nil {
		return err
	}
	o := own{Result: r, Config: c, surveys: surveys, classes: classes(c.Mutants)}
	if err := o.judge(ctx, later); err != nil {
		return err
	}
	r.OwnDone = true
	return nil
}

// Missed reports whether some tests of a large suite were not surveyed in time, so that Continue has work to do.
func (r *Result) Missed() bool {
	return slices.ContainsFunc(r.Surveys, func(v *Survey) bool { return len(v.Missed) > 0 })
}

// missedIn is like Missed, for the given suites only.
func (r *Result) missedIn(suites []*executor.Suite) bool {
	return slices.ContainsFunc(suites, func(s *executor.Suite) bool {
		return r.SurveyOf(s.Package) != nil && len(r.SurveyOf(s.Package).Missed) > 0
	})
}

// byUrgency divides the packages' own suites into those of packages with urgent mutants and the others. What the
// others do need not be known before the urgent mutants are judged.
func (c *Config) byUrgency() (first, later []*executor.Suite) {
	urgent := c.urgent()
	for _, s := range c.Own {
		if slices.ContainsFunc(urgent, func(m *Mutant) bool { return m.Package == s.Package }) {
			first = append(first, s)
		} else {
			later = append(later, s)
		}
	}
	return first, later
}

// urgent returns the mutants that are judged to the end before the others.
func (c *Config) urgent() []*Mutant {
	return slices.DeleteFunc(slices.Clone(c.Mutants), func(m *Mutant) bool { return m.Class > c.Urgent })
}

// own judges mutants by the packages' own tests.
type own struct {
	*Result
	*Config
	surveys []*judging
	classes [][]*Mutant
}

// judge judges all mutants: first the urgent ones to the end, then all, also by the suites in later. Before any slow
// test runs, all mutants are tried: that takes little and kills most of them.
func (o *own) judge(ctx context.Context, later []*executor.Suite) error {
	urgent := slices.IndexFunc(o.classes, func(class []*Mutant) bool { return class[0].Class > o.Urgent })
	if urgent < 0 {
		urgent = len(o.classes)
	}
	if err := o.each(ctx, o.classes[:urgent], (*judging).quick); err != nil {
		return err
	}
	if o.undecided(o.classes[:urgent]) {
		if err := o.each(ctx, o.classes[urgent:], (*judging).first); err != nil {
			return err
		}
	}
	if err := o.finish(ctx, o.classes[:urgent]); err != nil {
		return err
	}
	o.missing = slices.DeleteFunc(o.missing, func(pkg string) bool {
		return slices.ContainsFunc(later, func(s *executor.Suite) bool { return s.Package == pkg })
	})
	more, err := o.surveyAll(ctx, o.Config, later, o.Mutants)
	if err != nil {
		return err
	}
	o.surveys = append(o.surveys, more...)
	// Run all classes: the suites in later may notice mutants of earlier classes, and a test that killed some may
	// have turned out to be flaky.
	if err := o.each(ctx, o.classes, (*judging).quick); err != nil {
		return err
	}
	if err := o.finish(ctx, o.classes); err != nil {
		return err
	}
	// A test may contradict itself meanwhile. What it reaches has to pass again, and what it killed is judged again.
	return settled(o.surveys, func() error { return o.each(ctx, o.classes, (*judging).slow) })
}

// finish runs the slow tests on the first classes. It starts the mutants of all of them in order, without waiting for
// a class to end: while the tests of some mutants sleep, those of others run.
func (o *own) finish(ctx context.Context, first [][]*Mutant) error {
	left := slices.DeleteFunc(slices.Clone(first), func(class []*Mutant) bool { return class[0].Class < o.nextClass })
	if err := o.each(ctx, [][]*Mutant{slices.Concat(left...)}, (*judging).slow); err != nil {
		return err
	}
	for _, class := range left {
		o.nextClass = class[0].Class + 1
		if o.ClassDone != nil {
			o.ClassDone(class[0].Class)
		}
	}
	return nil
}

// each calls run with the live mutants of every class, for every suite.
func (o *own) each(ctx context.Context, classes [][]*Mutant, run func(*judging, context.Context, []*Mutant) error) error {
	for _, class := range classes {
		for _, v := range o.surveys {
			if err := run(v, ctx, o.alive(class)); err != nil {
				return err
			}
		}
	}
	return nil
}

// undecided reports whether some mutant still needs slow tests.
func (r *Result) undecided(classes [][]*Mutant) bool {
	return slices.ContainsFunc(classes, func(class []*Mutant) bool {
		return slices.ContainsFunc(class, func(m *Mutant) bool {
			return slices.ContainsFunc(r.Surveys, func(v *Survey) bool { return v.decide(m).Status == ledger.Undecided })
		})
	})
}

// classes returns the mutants grouped by class, in ascending order.
func classes(mutants []*Mutant) (list [][]*Mutant) {
	for _, m := range slices.SortedStableFunc(slices.Values(mutants), func(a, b *Mutant) int { return a.Class - b.Class }) {
		if n := len(list); n > 0 && list[n-1][0].Class == m.Class {
			list[n-1] = append(list[n-1], m)
		} else {
			list = append(list, []*Mutant{m})
		}
	}
	return list
}

// surveyAll surveys the suites that are not surveyed yet, several at once, and returns those that can judge.
// Surveying a large suite test by test may take half of the time. So before that, each of the other suites judges the
// mutants of its own package as soon as it is surveyed.
func (r *Result) surveyAll(ctx context.Context, c *Config, suites []*executor.Suite, mutants []*Mutant) (surveyed []*judging, err error) {
	r.Surveys = slices.DeleteFunc(r.Surveys, func(v *Survey) bool { return !v.done })
	mutants = r.alive(mutants)
	living := *c
	living.Mutants = r.alive(c.Mutants) // the others hardly ever run again
	var all []*judging
	for _, s := range suites {
		r.Surveys = slices.DeleteFunc(r.Surveys, func(v *Survey) bool { return v.Suite.Package == s.Package && !v.Suite.Has(s) })
		if r.SurveyOf(s.Package) == nil {
			r.Surveys = append(r.Surveys, newSurvey(s))
		}
		all = append(all, &judging{&living, r.SurveyOf(s.Package)})
	}
	err = c.inParallel(ctx, all, func(v *judging, ctx context.Context) error {
		if err := v.survey(ctx); err != nil || !v.judges() || len(v.Missed) > 0 {
			return err
		}
		return v.own(ctx, mutants)
	})
	if err == nil {
		err = c.inParallel(ctx, all, (*judging).oneByOne)
	}
	for _, v := range all {
		switch {
		case v.judges():
			surveyed = append(surveyed, v)
		case !v.done || v.Failure != nil:
			r.missing = append(r.missing, v.Suite.Package)
		}
	}
	slices.SortFunc(surveyed, func(a, b *judging) int { return strings.Compare(a.Suite.Package, b.Suite.Package) })
	return surveyed, err
}

// inParallel calls run for several suites at once.
func (c *Config) inParallel(ctx context.Context, suites []*judging, run func(*judging, context.Context) error) error {
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(c.Width())
	for _, v := range suites {
		g.Go(func() error { return run(v, within) })
	}
	return g.Wait()
}

// alive returns the mutants that nothing has killed.
func (r *Result) alive(mutants []*Mutant) []*Mutant {
	return slices.DeleteFunc(slices.Clone(mutants), func(m *Mutant) bool { return r.Decide(m).Status == ledger.Killed })
}

// dependents lets the tests of dependent packages judge what is alive. It returns no error if only the time for
// dependents is up.
func (r *Result) dependents(ctx context.Context, c *Config) error {
	if c.Dependents == nil {
		return nil
	}
	r.cut = false
	d := &dependents{Result: r, Config: c, within: ctx, cancel: func() {}}
	defer func() { d.cancel() }()
	for alive := r.alive(c.Mutants); len(alive) > 0; alive = r.alive(c.Mutants) {
		if !r.awaits() {
			d.limit(ctx)
		}
		suites, err := c.Dependents(d.within, alive)
		if err == nil && len(suites) == 0 {
			r.cut = d.short
			return nil
		}
		if err == nil {
			err = d.judge(ctx, suites)
		}
		if err != nil {
			r.cut = true
			if d.within.Err() != nil && ctx.Err() == nil {
				return nil
			}
			return err
		}
	}
	return nil
}

// awaits reports whether tests of the change that build have not judged yet.
func (r *Result) awaits() bool {
	return slices.ContainsFunc(r.expected, func(pkg string) bool { return !r.Done(pkg) && !slices.Contains(r.unbuilt, pkg) })
}

// dependents judges by the suites of packages that depend on the mutated ones.
type dependents struct {
	*Result
	*Config
	within  context.Context // ends when dependents have used up their time
	cancel  context.CancelFunc
	limited bool
	short   bool // some of their tests were not surveyed in time
}

// limit starts the time of dependents once surveyed tests reach every urgent mutant that is alive: before that,
// nothing else judges some of them. While awaits reports true, only judge calls it, after the urgent mutants.
func (d *dependents) limit(ctx context.Context) {
	unreached := slices.ContainsFunc(d.alive(d.urgent()), func(m *Mutant) bool {
		return !slices.ContainsFunc(d.Surveys, func(v *Survey) bool { return v.Reaches(m) })
	})
	if d.limited || d.DependentsTime == nil || unreached {
		return
	}
	d.limited = true
	if limit := d.DependentsTime(); limit > 0 {
		d.within, d.cancel = context.WithTimeout(ctx, limit)
	}
}

// judge lets the tests of suites judge what is alive, class by class.
func (d *dependents) judge(ctx context.Context, suites []*executor.Suite) error {
	surveys, err := d.surveyAll(d.within, d.Config, suites, nil)
	if err != nil {
		return err
	}
	for _, class := range classes(d.alive(d.Mutants)) {
		if class[0].Class > d.Urgent {
			d.limit(ctx)
		}
		for _, v := range surveys {
			if err := v.judge(d.within, d.alive(class)); err != nil {
				d.missing = append(d.missing, v.Suite.Package)
				return err
			}
		}
	}
	err = settled(surveys, func() error { // as in own.judge
		for _, v := range surveys {
			if err := v.judge(d.within, d.alive(d.Mutants)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, s := range suites {
		if v := d.SurveyOf(s.Package); len(v.Missed) > 0 {
			d.short = true
		} else {
			d.done = append(d.done, s.Package)
		}
	}
	return nil
}

// Failure returns the failure of a package that has tests, none of which passes without a mutant. It returns nil for
// other packages.
func (r *Result) Failure(pkg string) *BaselineError {
	if v := r.SurveyOf(pkg); v != nil {
		return v.Failure
	}
	return nil
}

// SurveyOf returns the survey of a package's suite; nil if there is none.
func (r *Result) SurveyOf(pkg string) *Survey {
	i := slices.IndexFunc(r.Surveys, func(v *Survey) bool { return v.Suite.Package == pkg })
	if i < 0 {
		return nil
	}
	return r.Surveys[i]
}

// SuiteOf returns the suite of pkg as it was surveyed, or a new one.
func (r *Result) SuiteOf(pkg string) *executor.Suite {
	if v := r.SurveyOf(pkg); v != nil {
		return v.Suite
	}
	return &executor.Suite{Package: pkg}
}

// Plain returns the run of tests of pkg in a binary that is not woven. Without tests, it is all of them except but.
func (r *Result) Plain(pkg string, tests []string, but ...string) executor.Spec {
	spec := executor.Spec{Suite: r.SuiteOf(pkg), Tests: tests, Takes: time.Nanosecond}
	if v := r.SurveyOf(pkg); v != nil {
		spec.Takes = max(v.Took, spec.Takes)
	}
	if len(tests) == 0 {
		spec.Skip = but
	}
	return spec
}

// QuarantinedOf returns the names of the quarantined tests of pkg.
func (r *Result) QuarantinedOf(pkg string) []string {
	if v := r.SurveyOf(pkg); v != nil {
		return v.quarantined()
	}
	return nil
}

// Hides reports whether tests of pkg run although no output shows it.
func (r *Result) Hides(pkg string) bool {
	v := r.SurveyOf(pkg)
	return v != nil && v.hides()
}

// Ran returns the counters that the tests, including quarantined ones, moved without a mutant.
func (r *Result) Ran() map[int]bool {
	ran := map[int]bool{}
	for _, v := range r.Surveys {
		maps.Copy(ran, v.whole.blocks)
		maps.Copy(ran, v.all.blocks)
	}
	return ran
}
