package suites

import (
	"context"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/reach"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Tests of a command often build it with the go command and run the result. They build from the tree, which holds no
// mutant. So these tests run once more on the surviving mutants, with the mutant in the text of the scratch copy, as
// with plain go test.

// awaitBuilders notes which mutants builders still have to judge.
func (s *Suites) awaitBuilders() {
	for _, m := range s.Mutants.Live() {
		m.AwaitsBuilt = slices.ContainsFunc(s.builders, func(by *reach.Builder) bool { return s.Reach.Builds(by, m.Package) })
	}
}

// judgeBuilt runs the builders' tests on the live mutants that await them. Called again, it goes on.
func (s *Suites) judgeBuilt(ctx context.Context) error {
	todo := slices.DeleteFunc(s.Mutants.Live().Ranked(), func(m *evidence.Mutant) bool { return !m.AwaitsBuilt })
	if len(todo) == 0 {
		return nil
	}
	for _, by := range s.builders[len(s.specs):] {
		spec, err := s.surveyBuilder(ctx, by)
		if err != nil {
			return err
		}
		s.specs = append(s.specs, spec)
	}
	s.Phase("built", len(todo))
	return pool.Each(ctx, s.Pool, todo, func(ctx context.Context, sl *pool.Slot, m *evidence.Mutant) error {
		defer s.Step()
		for i, by := range s.builders {
			if !s.Reach.Builds(by, m.Package) || m.BuiltKill != nil {
				continue
			}
			if err := s.judgeBy(ctx, sl, m, s.specs[i]); err != nil {
				return err
			}
		}
		m.AwaitsBuilt = false
		return nil
	})
}

// surveyBuilder returns a run of those tests of a builder that pass without a mutant.
func (s *Suites) surveyBuilder(ctx context.Context, by *reach.Builder) (executor.Spec, error) {
	spec := executor.Spec{Suite: s.Judged.SuiteOf(by.Package), Unbounded: true}
	if err := s.Add(ctx, []string{by.Package}); err != nil {
		return spec, err
	}
	for _, name := range by.Tests {
		if s.Of(by.Package) == "" || slices.Contains(s.Judged.QuarantinedOf(by.Package), name) {
			continue
		}
		r, err := s.executor().Run(ctx, executor.Spec{Suite: spec.Suite, Tests: []string{name}})
		if err != nil {
			return spec, err
		}
		if r.Kind == ledger.Pass {
			spec.Takes += r.Took
			spec.Tests = append(spec.Tests, name)
		}
	}
	return spec, nil
}

// judgeBy runs tests on m, both active and in the text of the scratch copy. Two failures in a row kill m. The copy is
// restored after each run.
func (s *Suites) judgeBy(ctx context.Context, sl *pool.Slot, m *evidence.Mutant, spec executor.Spec) error {
	path, text, err := s.Mutated(m.Mutant)
	if err != nil || len(spec.Tests) == 0 {
		return err
	}
	spec.Mutant = m.Number
	var run pool.Run
	for range 2 {
		run, err = s.RunWith(ctx, sl, path, text, s.executor().Command(ctx, sl, spec))
		if err != nil || !run.Failed() {
			return err
		}
	}
	name := spec.Tests[0]
	if len(run.Outcome.Failed) > 0 {
		name = run.Outcome.Failed[0]
	}
	m.BuiltKill = &results.KilledBy{By: results.ByTest, Kind: run.Outcome.Kind, Name: spec.Suite.Package + "." + name}
	m.Reached, m.Infected = true, true
	return nil
}
