package engine

import (
	"context"
	"go/ast"
	"slices"
)

// A test that hands work from one goroutine to another takes up to a third less processor
// time if there is but one processor, for nothing has to be woken up elsewhere. So that is what
// runs have that are to find a failure. But goroutines that run at the same time may see what
// others do not: a survivor has passed with all processors, if not before then when all tests run
// together.

// isFrugal reports whether t fails with the same mutants on one processor as on several, as far
// as its source and its first runs tell.
func (t *test) isFrugal() bool { return t.frugal && !t.unsteady && !t.chancy.Load() }

// areFrugal is isFrugal for all of tests.
func areFrugal(tests []*test) bool {
	return !slices.ContainsFunc(tests, func(t *test) bool { return !t.isFrugal() })
}

// one is the number of processors for tests if they are frugal, as Command.Processors; else 0.
func one(frugal bool) int {
	if frugal {
		return 1
	}
	return 0
}

// isHasty reports whether m runs against tests of one suite on one processor: m will most likely
// run against all of them together, which those that do not remember may be left out of.
func (m *mutant) isHasty(tests []*test) bool {
	alone := func(t *test) bool { return !t.remembers }
	return !m.thorough && !m.unsteady && tests[0].gathers && areFrugal(tests) && !slices.ContainsFunc(tests, alone)
}

// owed is what a mutant has passed on one processor only, tests of one suite.
type owed struct {
	tests   []*test
	entered []int // as in testRun
}

// owesTo takes what m owes to s off what it owes.
func (m *mutant) owesTo(s *suite) (debts []owed) {
	m.owes = slices.DeleteFunc(m.owes, func(o owed) bool {
		mine := o.tests[0].suite == s
		if mine {
			debts = append(debts, o)
		}
		return mine
	})
	return debts
}

// settleOwed takes in that m has passed all tests of s together, with all processors.
func (u *unit) settleOwed(s *suite, m *mutant) {
	for _, o := range m.owesTo(s) {
		u.rememberPasses(s, m, o.tests, o.entered)
	}
}

// collectOwed makes m due again on the tests of s that it has passed on one processor only.
func (s *suite) collectOwed(m *mutant) {
	for _, o := range m.owesTo(s) {
		m.passed = slices.DeleteFunc(m.passed, func(t *test) bool { return slices.Contains(o.tests, t) })
		m.due[s.pkg] += len(o.tests)
		m.thorough = true
	}
}

// runThoroughly runs the mutants that are due again.
func (u *unit) runThoroughly(ctx context.Context, suites []*suite) error {
	todo := slices.DeleteFunc(u.pending(), func(m *mutant) bool { return !m.thorough || m.untried() == 0 })
	if len(todo) == 0 {
		return nil
	}
	u.progress.Phase("tests again", len(todo))
	return u.runAlone(ctx, suites, todo, isAny)
}

// countsProcessors reports whether the tests of a package, or what they import of the unit,
// ask how many processors there are.
func (u *unit) countsProcessors(pkg string) bool {
	for _, p := range append(u.behind([]string{pkg}), u.listing[pkg]) {
		if slices.Contains(slices.Concat(p.Imports, p.TestImports, p.XTestImports), "runtime") && slices.ContainsFunc(parsed(p), countProcessors) {
			return true
		}
	}
	return false
}

// countProcessors reports whether f mentions what tells how many processors there are, or
// changes it.
func countProcessors(f *ast.File) (found bool) {
	imports := importNames(f)
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			x, ok := sel.X.(*ast.Ident)
			found = found || ok && imports[x.Name] == "runtime" && slices.Contains([]string{"GOMAXPROCS", "NumCPU"}, sel.Sel.Name)
		}
		return !found
	})
	return found
}
