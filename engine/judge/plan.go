package judge

import (
	"cmp"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
)

// plan is what m has to pass.
func (v *Survey) plan(m *Mutant) ledger.Plan { return v.planFor(m, v.unsteady(m)) }

// planFor is what m has to pass where some tests that reach it contradict themselves: all tests together then, twice.
func (v *Survey) planFor(m *Mutant, unsteady []string) ledger.Plan {
	infected := v.infected(m)
	p := ledger.Plan{Alone: v.passesAlone, Long: v.long, Infected: infected, Quarantined: v.quarantined(), Twice: len(unsteady) > 0}
	for _, test := range unsteady {
		if !slices.Contains(infected, test) {
			p.Infected = append(p.Infected, test)
		}
	}
	if v.Large {
		var slow []ledger.Step
		for _, test := range infected {
			if v.apart(test) {
				slow = append(slow, ledger.Step{Context: ledger.InSlow, Test: test})
			}
		}
		if len(slow) < len(infected) {
			p.Runs = []ledger.Step{{Context: ledger.InQuick}}
		}
		p.Runs = append(p.Runs, slow...)
	}
	if v.Cut {
		p.Missed = v.Missed
	}
	if v.whole.infects(m) || p.Twice {
		p.Missed = v.Missed                 // none of a suite that is not large
		if len(p.Runs)+len(p.Missed) == 0 { // or only all tests together infect it
			p.Runs = []ledger.Step{{Context: ledger.InSuite}}
			if !p.Twice {
				p.LeftOut = v.leftOut(m)
			}
		}
	}
	return p
}

// unsteady are the tests that contradict themselves with some mutant, and reach m: what they do in a survey is not what they do in each run,
// so that one may infect m though no survey saw it. In a suite that takes long there is none: to run it again would cost more than it tells.
func (v *Survey) unsteady(m *Mutant) (tests []string) {
	if v.Took >= longSuite || v.doubts.steady() {
		return nil
	}
	for _, test := range v.Tests {
		if c := v.by[test]; c != nil && c.reaches(m) && v.doubts.contradicted(test) {
			tests = append(tests, test)
		}
	}
	return tests
}

// leftOut are the tests that take a while and do not infect m, as far as is known: none if it is not known
// which tests do.
func (v *Survey) leftOut(m *Mutant) (tests []string) {
	if len(v.infected(m)) == 0 {
		return nil
	}
	for _, test := range v.Tests {
		if c := v.by[test]; c != nil && c.took >= spareTest && !c.infects(m) {
			tests = append(tests, test)
		}
	}
	return tests
}

// decide is the decision on a mutant by the suite's tests.
func (v *Survey) decide(m *Mutant) ledger.Decision {
	if d, ok := v.known[m.Number]; ok {
		return d
	}
	d, _ := ledger.Decide(v.plan(m), v.runs.Of(m.Number))
	return d
}

// outcome is the decision on a mutant as far as it is known: what has to pass once more because a test contradicts itself has survived
// until it does.
func (v *Survey) outcome(m *Mutant) ledger.Decision {
	d := v.decide(m)
	if d.Status == ledger.Undecided && len(v.unsteady(m)) > 0 {
		if once, _ := ledger.Decide(v.planFor(m, nil), v.runs.Of(m.Number)); once.Status == ledger.Survived {
			return once
		}
	}
	return d
}

// infected are the tests that infect m, as far as is known, the least work first: that is the
// fewest steps, but long tests, which may do theirs where no steps are counted, come last.
func (v *Survey) infected(m *Mutant) (tests []string) {
	for _, test := range v.Tests {
		if c := v.by[test]; c != nil && c.infects(m) {
			tests = append(tests, test)
		}
	}
	long := func(test string) int { return int(v.by[test].took / longTest) }
	slices.SortStableFunc(tests, func(a, b string) int {
		return cmp.Or(cmp.Compare(long(a), long(b)), cmp.Compare(v.by[a].steps, v.by[b].steps))
	})
	return tests
}

// passesAlone reports whether a test passes alone without a mutant; true if unknown.
func (v *Survey) passesAlone(test string) bool {
	passes, known := v.alone.Load(test)
	return !known || passes.(bool)
}

// Reaches reports whether any test that is not quarantined runs the code of m.
func (v *Survey) Reaches(m *Mutant) bool { return v.whole.reaches(m) }

// Infects reports whether any test that is not quarantined may infect the state with m.
func (v *Survey) Infects(m *Mutant) bool { return v.whole.infects(m) }

// Runs reports whether any test that is not quarantined is run with m.
func (v *Survey) Runs(m *Mutant) bool { return v.whole.infects(m) || len(v.unsteady(m)) > 0 }

// onlyQuarantined reports whether, of the tests of m's own package, only quarantined ones may infect
// the state with m.
func (v *Survey) onlyQuarantined(m *Mutant) bool {
	return v.Suite.Package == m.Package && v.done && len(v.Missed) == 0 && !v.Runs(m) && v.all.infects(m)
}

// Covering are the tests that are known to run the code of m, in the order of go test.
func (v *Survey) Covering(m *Mutant) (tests []string) {
	for _, test := range v.Tests {
		if c := v.by[test]; c != nil && c.reaches(m) {
			tests = append(tests, test)
		}
	}
	return tests
}
