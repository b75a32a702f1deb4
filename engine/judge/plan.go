package judge

import (
	"cmp"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
)

// plan returns what m has to pass to survive the suite.
func (v *Survey) plan(m *Mutant) ledger.Plan { return v.planFor(m, v.unsteady(m)) }

// planFor returns the plan of m, which unsteady tests reach. If there are any, it has to pass twice.
func (v *Survey) planFor(m *Mutant, unsteady []string) ledger.Plan {
	p := ledger.Plan{Alone: v.passesAlone, Long: v.long, Infected: v.mayInfect(m, unsteady), Quarantined: v.quarantined(), Twice: len(unsteady) > 0}
	if v.Large {
		quick, slow := v.divided(m)
		if len(quick) > 0 {
			p.Runs = []ledger.Step{{Context: ledger.InQuick}}
		}
		for _, test := range slow {
			p.Runs = append(p.Runs, ledger.Step{Context: ledger.InSlow, Test: test})
		}
	}
	if v.Cut {
		p.Missed = v.Missed
	}
	if v.whole.infects(m) || p.Twice {
		p.Missed = v.Missed                 // empty unless the suite is large
		if len(p.Runs)+len(p.Missed) == 0 { // not a large suite, or no single test infects m
			p.Runs, p.LeftOut = []ledger.Step{{Context: ledger.InSuite}}, v.leftOut(m, p.Infected)
		}
	}
	return p
}

// unsteady returns the tests that reach m and have contradicted themselves with some mutant. Such a test behaves
// differently from run to run, so it may infect m though no survey saw that. For a slow suite unsteady returns none:
// another run would cost more than it tells.
func (v *Survey) unsteady(m *Mutant) (tests []string) {
	if v.Took >= longSuite || v.doubts.Steady() {
		return nil
	}
	for _, test := range v.Tests {
		if c := v.by[test]; c != nil && c.reaches(m) && v.doubts.Contradicted(test) {
			tests = append(tests, test)
		}
	}
	return tests
}

// mayInfect returns the tests that are known to infect m, the cheapest first, and then the unsteady ones that reach it.
func (v *Survey) mayInfect(m *Mutant, unsteady []string) []string {
	tests := v.infected(m)
	for _, test := range unsteady {
		if !slices.Contains(tests, test) {
			tests = append(tests, test)
		}
	}
	return tests
}

// leftOut returns the tests that take a while and are not among those that may infect m. It returns none if no test may.
func (v *Survey) leftOut(m *Mutant, infecting []string) (tests []string) {
	if len(infecting) == 0 {
		return nil
	}
	for _, test := range v.Tests {
		if c := v.by[test]; c != nil && c.took >= spareTest && !c.infects(m) && !slices.Contains(infecting, test) {
			tests = append(tests, test)
		}
	}
	return tests
}

// decide returns the decision of the suite's tests on m.
func (v *Survey) decide(m *Mutant) ledger.Decision {
	if d, ok := v.known[m.Number]; ok {
		return d
	}
	d, _ := ledger.Decide(v.plan(m), v.runs.Of(m.Number))
	return d
}

// outcome returns the decision on m as far as it is known. A mutant that has passed, but has to pass again because a
// test contradicts itself, counts as survived until then.
func (v *Survey) outcome(m *Mutant) ledger.Decision {
	d := v.decide(m)
	if d.Status == ledger.Undecided && len(v.unsteady(m)) > 0 {
		if once, _ := ledger.Decide(v.planFor(m, nil), v.runs.Of(m.Number)); once.Status == ledger.Survived {
			return once
		}
	}
	return d
}

// infected returns the tests that are known to infect m, the cheapest first. These are the tests with the fewest
// steps; but long tests come last, since they may do their work where no steps are counted.
func (v *Survey) infected(m *Mutant) (tests []string) {
	if !v.whole.infects(m) { // as most suites of dependents: there may be many, with many tests
		return nil
	}
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

// divided returns the tests of a large suite that are known to infect m: those that run together with it, and those
// that run by themselves.
func (v *Survey) divided(m *Mutant) (quick, slow []string) {
	colliding := ledger.Colliding(v.runs.Of(m.Number))
	for _, test := range v.infected(m) {
		if v.apart(test) || slices.Contains(colliding, test) {
			slow = append(slow, test)
		} else {
			quick = append(quick, test)
		}
	}
	return quick, slow
}

// passesAlone reports whether a test passes alone without a mutant. It returns true if that is unknown.
func (v *Survey) passesAlone(test string) bool {
	passes, known := v.alone.Load(test)
	return !known || passes.(bool)
}

// Reaches reports whether a test that is not quarantined runs the code of m.
func (v *Survey) Reaches(m *Mutant) bool { return v.whole.reaches(m) }

// Infects reports whether a test that is not quarantined may infect the state with m.
func (v *Survey) Infects(m *Mutant) bool { return v.whole.infects(m) }

// Runs reports whether a test that is not quarantined is to be run with m.
func (v *Survey) Runs(m *Mutant) bool { return v.whole.infects(m) || len(v.unsteady(m)) > 0 }

// onlyQuarantined reports whether some tests of m's own package infect the state with m, all of them quarantined. What
// else these may run elsewhere, beyond their point of failure, the call graph tells: see package suites.
func (v *Survey) onlyQuarantined(m *Mutant) bool {
	return v.Suite.Package == m.Package && v.done && len(v.Missed) == 0 && !v.Runs(m) && v.all.infects(m)
}

// Covering returns the tests that are known to run the code of m, in the order of go test.
func (v *Survey) Covering(m *Mutant) (tests []string) {
	for _, test := range v.Tests {
		if c := v.by[test]; c != nil && c.reaches(m) {
			tests = append(tests, test)
		}
	}
	return tests
}
