package judge

import (
	"cmp"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
)

// plan is what m has to pass.
func (v *Survey) plan(m *Mutant) ledger.Plan {
	p := ledger.Plan{Alone: v.passesAlone, Long: v.long, Infected: v.infected(m), Quarantined: v.quarantined()}
	if v.Large {
		var slow []ledger.Step
		for _, test := range p.Infected {
			if v.apart(test) {
				slow = append(slow, ledger.Step{Context: ledger.InSlow, Test: test})
			}
		}
		if len(slow) < len(p.Infected) {
			p.Runs = []ledger.Step{{Context: ledger.InQuick}}
		}
		p.Runs = append(p.Runs, slow...)
	}
	if v.Cut {
		p.Missed = v.Missed
	}
	if v.whole.infects(m) || len(p.Infected) > 0 {
		p.Missed = v.Missed                 // none of a suite that is not large
		if len(p.Runs)+len(p.Missed) == 0 { // or only all tests together infect it
			p.Runs, p.LeftOut = []ledger.Step{{Context: ledger.InSuite}}, v.leftOut(m)
			p.Twice = v.Took < longSuite && slices.ContainsFunc(p.Infected, v.doubts.contradicted)
		}
	}
	return p
}

// leftOut are the tests that take a while and do not infect m, as far as is known: none if it is not known
// which tests do.
func (v *Survey) leftOut(m *Mutant) (tests []string) {
	if len(v.infected(m)) == 0 {
		return nil
	}
	for _, test := range v.Tests {
		if c := v.by[test]; c != nil && c.took >= spareTest && !v.mayInfect(test, m) {
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

// infected are the tests that infect m, as far as is known, the least work first: that is the
// fewest steps, but long tests, which may do theirs where no steps are counted, come last.
func (v *Survey) infected(m *Mutant) (tests []string) {
	for _, test := range v.Tests {
		if v.mayInfect(test, m) {
			tests = append(tests, test)
		}
	}
	long := func(test string) int { return int(v.by[test].took / longTest) }
	slices.SortStableFunc(tests, func(a, b string) int {
		return cmp.Or(cmp.Compare(long(a), long(b)), cmp.Compare(v.by[a].steps, v.by[b].steps))
	})
	return tests
}

// mayInfect reports whether a test infects m, as far as is known. Of one that contradicts itself with some mutant that is not known by
// a survey: it may do something else in each run.
func (v *Survey) mayInfect(test string, m *Mutant) bool {
	c := v.by[test]
	return c != nil && (c.infects(m) || v.doubts.contradicted(test) && c.reaches(m))
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

// onlyQuarantined reports whether, of the tests of m's own package, only quarantined ones may infect
// the state with m.
func (v *Survey) onlyQuarantined(m *Mutant) bool {
	return v.Suite.Package == m.Package && v.done && len(v.Missed) == 0 && !v.whole.infects(m) && v.all.infects(m)
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
