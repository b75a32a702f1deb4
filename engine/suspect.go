package engine

import (
	"context"
	"fmt"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

// Suspects are tests that do not always pass when they run alone, without any mutant.
// What they say in company counts, but one failure there proves little.

const (
	// suspectRuns is how often a test that fails alone has to fail in company, or one
	// that comes and goes alone, but with the mutant nearly always fails.
	suspectRuns = 8
	// A test that now and then fails alone without a mutant passes in company if it
	// fails there no more often.
	rarely = 0.25
)

// told is what tests that come and go alone say of a mutant when they run many times in
// one process: most of these runs are in the company of one before.
type told int

// What they say.
const (
	toldNothing told = iota // they cannot run so
	toldUsual               // they fail as often as without it
	toldMore                // ... or more often
	toldFails               // ... or nearly always
)

// screen returns what the tests of s that come and go alone say of m, many times in one
// process, and the one that says most.
func (u *unit) screen(ctx context.Context, sl *slot, m *mutant, s *suite) (what told, by *test, err error) {
	what = toldUsual
	for _, t := range s.heard {
		if !t.infects(m) {
			continue
		}
		f, run, err := u.runTogether(ctx, sl, m.number, t)
		switch {
		case err != nil:
			return toldNothing, nil, err
		case f.runs() == 0 && run.outcome.Kind != "" || f.runs() > 0 && f.fails():
			return toldFails, t, nil
		case f.runs() == 0:
			return toldNothing, nil, nil
		case f.failed > t.usually+f.runs()/usualPart:
			what, by = toldMore, t
		}
	}
	return what, by, nil
}

// Without a mutant a test that comes and goes runs usualRuns times many times in one
// process, to find out how many of these fail at most. One in usualPart more says
// nothing: that is far less than rarely.
const (
	usualRuns = 3
	usualPart = 8
)

// learnUsual finds out how often t fails when it runs many times in one process.
func (u *unit) learnUsual(ctx context.Context, t *test) error {
	sl := u.slots.take()
	defer u.slots.give(sl)
	for range usualRuns {
		f, _, err := u.runTogether(ctx, sl, probe.Original, t)
		if err != nil {
			return err
		}
		t.usually = max(t.usually, f.failed)
	}
	return nil
}

// weighInCompany runs m against t and the tests before it until it is clear what t says of
// it there.
func (u *unit) weighInCompany(ctx context.Context, sl *slot, m *mutant, all, t *test, what told) error {
	enough := unanimous
	if what == toldFails {
		enough = suspectRuns
	}
	w := weighing{test: all.upTo(t), by: t, most: all.within(weighTime, few, weighings), sure: func(f frequency) bool {
		return f.agrees(enough) || f.runs() >= several && f.apart(mostly, 2) && f.apart(rarely, 2)
	}}
	if err := u.runUntilSure(ctx, sl, m, &w); err != nil {
		return err
	}
	switch {
	case float64(w.failed) <= rarely*float64(w.runs()):
		return nil
	case !w.fails():
		m.unclear = fmt.Sprintf("%s passes as well as fails with it", t)
		return nil
	}
	return u.killInCompany(ctx, sl, m, all, t, w.failure.outcome)
}

// upTo is the company t without the tests after last, as far as none of them can have run
// before that is through.
func (t *test) upTo(last *test) *test {
	if t.parallel {
		return t
	}
	var after []string
	for _, other := range t.tests {
		if other.order > last.order {
			after = append(after, other.name)
		}
	}
	if len(after) == 0 {
		return t
	}
	skip := worker.Anchor(after...)
	if t.skip != "" {
		skip = t.skip + "|" + skip
	}
	return &test{suite: t.suite, skip: skip, duration: t.duration, steps: t.steps}
}

// killInCompany kills m, unless the test that did it, which fails alone, fails in
// company too without m.
func (u *unit) killInCompany(ctx context.Context, sl *slot, m *mutant, all, by *test, o worker.Outcome) error {
	for i := 0; i < minSurveys && by.needsCompany(); i++ {
		run, err := u.surveyRun(ctx, sl, i, all)
		if err != nil {
			return err
		}
		if run.outcome.Kind != "" {
			m.unclear = "tests that fail when they run alone may notice it"
			return nil
		}
	}
	m.killInCompany(killedBy([]*test{by}, o))
	return nil
}
