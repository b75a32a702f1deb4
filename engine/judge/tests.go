package judge

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
)

// Config is what to judge, and by which tests.
type Config struct {
	Executor
	Cache   Cache // verdicts of earlier analyses; nil: none
	Mutants []*Mutant
	Own     []*Suite // of the packages that are mutated
	// Dependents returns the next suites of packages that depend on those, the nearest
	// first, as long as some mutants are alive; an empty list ends it. Nil: there are
	// none.
	Dependents func(ctx context.Context, alive []*Mutant) ([]*Suite, error)
	// DependentsTime says how long dependents may take once some test reaches each of the urgent
	// mutants that are alive; 0, or nil: as long as there is time.
	DependentsTime func() time.Duration
	// Urgent is the last class that is judged to the end before the others.
	Urgent int
	// Done is called for each mutant that the tests of a suite have judged; nil: no calls.
	// They come from several goroutines.
	Done func(*Mutant)
	// ClassDone is called when the packages' own tests have judged all mutants up to a
	// class; nil: no calls.
	ClassDone func(class int)
}

// Result is the result of judging.
type Result struct {
	Surveys   []*Survey
	OwnDone   bool     // the packages' own tests have judged every mutant
	nextClass int      // mutants of classes before it were judged by them
	missing   []string // packages whose tests did not judge all there was to judge
	cut       bool     // there was no time for all dependents
	done      []string // packages whose tests have judged what was alive
	unbuilt   []string // packages that may notice something, and whose tests do not build
	expected  []string // see Expect
}

// Cut reports whether there was no time for the tests of all dependents.
func (r *Result) Cut() bool { return r.cut }

// Done reports whether the tests of a package have judged what was alive when it was their turn.
func (r *Result) Done(pkg string) bool { return slices.Contains(r.done, pkg) }

// Unbuilt notes packages whose tests may notice mutants, and do not build.
func (r *Result) Unbuilt(pkgs []string) { r.unbuilt = pkgs }

// Expect names the dependents whose tests are part of the change: as long as one of them has not judged, a survivor is not
// one of its own package's tests alone, because the change may come with a test that notices it.
func (r *Result) Expect(pkgs []string) { r.expected = pkgs }

// Left lets the tests of dependents judge mutants that survive as far as there was time, and returns what all tests say of
// these. What was surveyed and decided before is not run again.
func (r *Result) Left(ctx context.Context, c Config) (*Result, error) {
	more := &Result{Surveys: slices.Clone(r.Surveys), OwnDone: true, expected: r.expected}
	err := more.dependents(ctx, &c)
	r.Surveys = more.Surveys
	return more, err
}

// Tests judges the mutants by the tests of all suites. When ctx ends, it returns what
// was found until then, with the error.
//
// Classes of mutants are judged one after the other by the packages' own tests, slow tests last. The
// tests of dependents run after all of them: they can only add kills.
func Tests(ctx context.Context, c Config) (*Result, error) {
	r := &Result{}
	return r, r.Continue(ctx, c)
}

// Continue goes on where time ended before OwnDone: what was surveyed and decided is not run again. Mutants
// that need no verdict any more may be missing from c.
func (r *Result) Continue(ctx context.Context, c Config) error {
	if err := r.own(ctx, &c); err != nil {
		return err
	}
	if r.missedIn(c.Own) { // what the packages' own tests say is worth more than what those of dependents can add
		if err := r.own(ctx, &c); err != nil {
			return err
		}
	}
	return r.dependents(ctx, &c)
}

// own judges the mutants by the packages' own tests. Called again, it judges by those that were missed before.
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

// Missed reports whether there was no time to survey some tests of a large suite, so that Continue has something to do.
func (r *Result) Missed() bool {
	return slices.ContainsFunc(r.Surveys, func(v *Survey) bool { return len(v.Missed) > 0 })
}

// missedIn is Missed of some suites.
func (r *Result) missedIn(suites []*Suite) bool {
	return slices.ContainsFunc(suites, func(s *Suite) bool { return r.SurveyOf(s.Package) != nil && len(r.SurveyOf(s.Package).Missed) > 0 })
}

// byUrgency returns the packages' own suites: first those of packages with urgent mutants. There is no use in knowing
// what the others do before these are judged.
func (c *Config) byUrgency() (first, later []*Suite) {
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

// urgent are the mutants that are judged to the end before the others.
func (c *Config) urgent() []*Mutant {
	return slices.DeleteFunc(slices.Clone(c.Mutants), func(m *Mutant) bool { return m.Class > c.Urgent })
}

// own lets the packages' own tests judge mutants.
type own struct {
	*Result
	*Config
	surveys []*judging
	classes [][]*Mutant
}

// judge judges all mutants: the urgent ones to the end, then the others, also by the suites that come later. Before any
// slow test runs, all mutants are tried, which takes little and kills most of them.
func (o *own) judge(ctx context.Context, later []*Suite) error {
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
		return slices.ContainsFunc(later, func(s *Suite) bool { return s.Package == pkg })
	})
	more, err := o.surveyAll(ctx, o.Config, later, o.Mutants)
	if err != nil {
		return err
	}
	o.surveys = append(o.surveys, more...)
	// All classes: those before may be noticed by the suites that came later, and a test that killed some may be
	// known to be flaky since.
	if err := o.each(ctx, o.classes, (*judging).quick); err != nil {
		return err
	}
	if err := o.finish(ctx, o.classes); err != nil {
		return err
	}
	if err := o.each(ctx, o.classes, (*judging).slow); err != nil {
		return err
	}
	return o.each(ctx, o.classes, (*judging).slow) // what a test that contradicted itself meanwhile may notice has to pass again
}

// finish runs the slow tests on the first classes. All of them are under way at once, in their order: while the tests of some mutants sleep,
// those of others may run.
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

// each runs every class that is alive on every suite.
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

// undecided reports whether some mutant has to run on slow tests.
func (r *Result) undecided(classes [][]*Mutant) bool {
	return slices.ContainsFunc(classes, func(class []*Mutant) bool {
		return slices.ContainsFunc(class, func(m *Mutant) bool {
			return slices.ContainsFunc(r.Surveys, func(v *Survey) bool { return v.decide(m).Status == ledger.Undecided })
		})
	})
}

// classes are the mutants by class, the first one first.
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

// surveyAll surveys suites that are not yet, several at once, and returns those that judge. To survey a large one test by
// test may take half of the time. So before that the others judge those of mutants that are of their own packages, each
// as soon as it is surveyed.
func (r *Result) surveyAll(ctx context.Context, c *Config, suites []*Suite, mutants []*Mutant) (surveyed []*judging, err error) {
	r.Surveys = slices.DeleteFunc(r.Surveys, func(v *Survey) bool { return !v.done })
	mutants = r.alive(mutants)
	var all []*judging
	for _, s := range suites {
		if r.SurveyOf(s.Package) == nil {
			r.Surveys = append(r.Surveys, newSurvey(s))
		}
		all = append(all, &judging{c, r.SurveyOf(s.Package)})
	}
	err = c.inParallel(ctx, all, func(v *judging, ctx context.Context) error {
		if err := v.survey(ctx); err != nil || !v.judges() {
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

// alive are the mutants that nothing has killed.
func (r *Result) alive(mutants []*Mutant) []*Mutant {
	return slices.DeleteFunc(slices.Clone(mutants), func(m *Mutant) bool { return r.Decide(m).Status == ledger.Killed })
}

// dependents lets the tests of other packages judge what is alive. That the time set
// for them is up is no error.
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

// awaits reports whether tests of the change have not judged that can be built.
func (r *Result) awaits() bool {
	return slices.ContainsFunc(r.expected, func(pkg string) bool { return !r.Done(pkg) && !slices.Contains(r.unbuilt, pkg) })
}

// dependents are the suites of packages that depend on those that are mutated.
type dependents struct {
	*Result
	*Config
	within  context.Context // ends with the time that they may take
	cancel  context.CancelFunc
	limited bool
	short   bool // there was no time to survey some of their tests
}

// limit lets the time that dependents may take begin, once every urgent mutant that is alive is reached by a test that is
// surveyed: before that, nothing else judges some of them. Nor does it begin before the urgent mutants are judged by tests of the change.
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

// judge lets the tests of some packages judge what is alive, class by class.
func (d *dependents) judge(ctx context.Context, suites []*Suite) error {
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
	for _, v := range surveys { // once more, as in own
		if err := v.judge(d.within, d.alive(d.Mutants)); err != nil {
			return err
		}
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

// Failure is the failure of a package of which no test passes without a mutant; nil: some do, or
// there are none.
func (r *Result) Failure(pkg string) *BaselineError {
	if v := r.SurveyOf(pkg); v != nil {
		return v.Failure
	}
	return nil
}

// SurveyOf is the survey of a package's suite; nil: there is none.
func (r *Result) SurveyOf(pkg string) *Survey {
	i := slices.IndexFunc(r.Surveys, func(v *Survey) bool { return v.Suite.Package == pkg })
	if i < 0 {
		return nil
	}
	return r.Surveys[i]
}

// SuiteOf is the suite of a package, as it was surveyed where it was.
func (r *Result) SuiteOf(pkg string) *Suite {
	if v := r.SurveyOf(pkg); v != nil {
		return v.Suite
	}
	return &Suite{Package: pkg}
}

// Plain is a run of tests of a package in a binary that is not woven; nil: of all but some.
func (r *Result) Plain(pkg string, tests []string, but ...string) Spec {
	spec := Spec{Suite: r.SuiteOf(pkg), Tests: tests, Takes: time.Nanosecond}
	if v := r.SurveyOf(pkg); v != nil {
		spec.Takes = max(v.Took, spec.Takes)
	}
	if len(tests) == 0 {
		spec.Skip = but
	}
	return spec
}

// QuarantinedOf are the tests of a package that are quarantined.
func (r *Result) QuarantinedOf(pkg string) []string {
	if v := r.SurveyOf(pkg); v != nil {
		return v.quarantined()
	}
	return nil
}

// Ran are the counters that the tests moved without a mutant, quarantined ones included.
func (r *Result) Ran() map[int]bool {
	ran := map[int]bool{}
	for _, v := range r.Surveys {
		maps.Copy(ran, v.whole.blocks)
		maps.Copy(ran, v.all.blocks)
	}
	return ran
}
