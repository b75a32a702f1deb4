package suites

import (
	"context"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
)

// unseen notes the mutants that may be called by tests which did not run to their end. These tests may do so
// elsewhere, for example where the database that they need exists. Survivors among them get a reservation, and those
// that no test is seen to reach are marked Unseen. Called again, it goes by what is known then.
func (s *Suites) unseen(ctx context.Context) {
	for _, v := range s.Judged.Surveys {
		failing, unended := v.Failing()
		elsewhere := s.elsewhere(v.Suite.Package)
		if elsewhere {
			calling := s.calling(ctx, v, unended)
			for _, m := range s.survivors() {
				if len(calling(m.Function)) > 0 {
					m.Tests.Late(v.Suite.Package)
				}
			}
			unended = nil
		}
		calling := s.calling(ctx, v, slices.Concat(failing, unended))
		for _, m := range s.survivors() {
			tests := calling(m.Function)
			if len(tests) > 0 && !s.outnumbered(v, tests, len(v.Covering(m.AsJudged()))) {
				m.Tests.Fails(tests, elsewhere)
			}
		}
		s.skipped(ctx, v)
	}
	if others := s.Reach.OtherTests; len(others) > 0 {
		for _, m := range s.survivors() {
			m.Tests.Elsewhere(others)
		}
	}
	for _, m := range s.Mutants {
		m.Unseen = s.unseenBefore[m]
	}
	for _, v := range s.Judged.Surveys {
		s.mayRun(ctx, v)
	}
}

// skipped notes the survivors that tests of the change may notice which skip themselves here, as those that need a server
// do. A test counts if it runs nothing of the mutated function although it may call it.
func (s *Suites) skipped(ctx context.Context, v *judge.Survey) {
	skipping := slices.DeleteFunc(v.Skipping(), func(test string) bool { return changeTo(s.changedTests(), v.Suite.Package, test) == "" })
	if len(skipping) == 0 {
		return
	}
	runs := map[string]map[string]bool{} // by function
	for _, m := range s.Mutants {
		for _, test := range v.Covering(m.AsJudged()) {
			if runs[m.Function] == nil {
				runs[m.Function] = map[string]bool{}
			}
			runs[m.Function][test] = true
		}
	}
	calling := s.calling(ctx, v, skipping)
	for _, m := range s.survivors() {
		if tests := slices.DeleteFunc(calling(m.Function), func(test string) bool { return runs[m.Function][test] }); len(tests) > 0 {
			m.Tests.Skips(tests)
		}
	}
}

// survivors returns the mutants that survive the tests.
func (s *Suites) survivors() evidence.Mutants {
	return slices.DeleteFunc(slices.Clone(s.Mutants.Live()), func(m *evidence.Mutant) bool {
		return m.Tests == nil || m.Tests.Status != ledger.Survived
	})
}

// outnumbered reports whether so many tests run some code and pass that some others of the same suite, which may run it
// and do not end well, can be neglected: most often they would notice nothing that the others do not. It returns false
// if the change adds or alters one of these, or if one does not end. Such a test more often does something else: it may
// be a whole suite of another framework.
func (s *Suites) outnumbered(v *judge.Survey, tests []string, running int) bool {
	_, unended := v.Failing()
	return !s.ofTheChange(v.Suite.Package, tests) && judge.Outnumber(running, len(tests)) &&
		!slices.ContainsFunc(tests, func(test string) bool { return slices.Contains(unended, test) })
}

// elsewhere reports whether pkg is a dependent whose tests the change neither adds nor alters.
func (s *Suites) elsewhere(pkg string) bool {
	return slices.Contains(s.others, pkg) && !slices.Contains(s.TestedIn, pkg)
}

// mayRun marks those mutants as Unseen that further tests of the package of a suite may run: tests that do not run to
// their end and tests for other systems, of mutants that no test reaches, and tests with other build tags, of all mutants
// of the package. A few such tests beside many that run the mutated function do not count, because most often they run
// nothing there that the others do not. They do count if the change adds or alters them, or if one does not end. Tests of
// dependents do not count for survivors that have a reservation for such tests.
func (s *Suites) mayRun(ctx context.Context, v *judge.Survey) {
	pkg := v.Suite.Package
	unfinished := v.Unfinished()
	var tagged, ported []string
	if slices.Contains(s.own, pkg) { // only of its own mutants do they say something
		tagged, ported = s.Reach.RunsElsewhere(pkg)
	}
	if len(unfinished)+len(tagged)+len(ported) == 0 {
		return
	}
	elsewhere := s.elsewhere(pkg)
	calling, running := s.calling(ctx, v, unfinished), s.running(v)
	for _, m := range s.Mutants.Live() {
		if elsewhere && m.Tests != nil && m.Tests.OwnOnly {
			continue // the verdict speaks only of the tests of the mutant's package
		}
		var further []string
		if !m.Reached {
			further = calling(m.Function)
		}
		if m.Package == pkg {
			further = slices.Concat(further, tagged)
		}
		if m.Package == pkg && !m.Reached { // else they hardly run other code than the tests here do
			further = slices.Concat(further, ported)
		}
		if len(further) > 0 && !s.outnumbered(v, further, running(m.Function)) {
			m.Unseen = true
		}
	}
}

// maxFollowed is how many tests are followed through the call graph one by one.
const maxFollowed = 32

// calling returns a function that returns which of some tests may call a function. More than maxFollowed of them count as
// calling all that one of them may call: to follow each would take long.
func (s *Suites) calling(ctx context.Context, v *judge.Survey, tests []string) func(function string) []string {
	groups := [][]string{tests}
	if len(tests) <= maxFollowed {
		groups = slices.Collect(slices.Chunk(tests, 1))
	}
	type group struct {
		tests     []string
		functions map[string]int
		known     bool
	}
	var all []group
	for _, g := range groups {
		if len(g) > 0 {
			functions, known := s.Reach.Calls(ctx, v.Suite.Package, g...)
			all = append(all, group{g, functions, known})
		}
	}
	return func(function string) (list []string) {
		for _, g := range all {
			if _, may := g.functions[function]; may || !g.known {
				list = append(list, g.tests...)
			}
		}
		return list
	}
}

// running returns a function that returns how many tests of a suite run a function: as many as run the block with
// mutants in it that most tests run.
func (s *Suites) running(v *judge.Survey) func(function string) int {
	blocks, most := map[int]bool{}, map[string]int{}
	for _, m := range s.Mutants {
		if m.Reached && !blocks[m.Block] {
			blocks[m.Block] = true
			most[m.Function] = max(most[m.Function], len(v.Covering(m.AsJudged())))
		}
	}
	return func(function string) int { return most[function] }
}

// ofTheChange reports whether the change adds or alters one of some tests of a package.
func (s *Suites) ofTheChange(pkg string, tests []string) bool {
	return slices.ContainsFunc(tests, func(test string) bool { return changeTo(s.changedTests(), pkg, test) != "" })
}
