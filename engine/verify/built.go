package verify

import (
	"context"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/reach"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Tests of a command often build it with the go command and run the result. What they
// build comes from the tree, in which there is no mutant. So these tests run once more
// on the mutants that survived, with the mutant in the text of the scratch copy, as
// with plain go test.

// Built judges mutants by tests that build the program with the go command.
type Built struct {
	pool.Executor
	Reach    *reach.Reach
	Builders []*reach.Builder
	Mutants  evidence.Mutants
	Judged   *judge.Result // of the tests so far
	specs    []judge.Spec  // of the builders
}

// Await notes which mutants builders still have to judge.
func (b *Built) Await() {
	for _, m := range b.Mutants.Live() {
		m.AwaitsBuilt = slices.ContainsFunc(b.Builders, func(by *reach.Builder) bool { return b.Reach.Builds(by, m.Package) })
	}
}

// Judge runs the tests of the builders on the live mutants that await it. Called again, it goes on.
func (b *Built) Judge(ctx context.Context) error {
	todo := slices.DeleteFunc(b.Mutants.Live().Ranked(), func(m *evidence.Mutant) bool { return !m.AwaitsBuilt })
	if len(todo) == 0 {
		return nil
	}
	for _, by := range b.Builders[len(b.specs):] {
		spec, err := b.survey(ctx, by)
		if err != nil {
			return err
		}
		b.specs = append(b.specs, spec)
	}
	b.Phase("built", len(todo))
	return pool.Each(ctx, b.Pool, todo, func(ctx context.Context, sl *pool.Slot, m *evidence.Mutant) error {
		defer b.Step()
		for i, by := range b.Builders {
			if !b.Reach.Builds(by, m.Package) || m.BuiltKill != nil {
				continue
			}
			if err := b.judge(ctx, sl, m, b.specs[i]); err != nil {
				return err
			}
		}
		m.AwaitsBuilt = false
		return nil
	})
}

// survey returns a run of those tests of a builder that pass without a mutant.
func (b *Built) survey(ctx context.Context, by *reach.Builder) (judge.Spec, error) {
	spec := judge.Spec{Suite: b.Judged.SuiteOf(by.Package), Unbounded: true}
	if err := b.Add(ctx, []string{by.Package}); err != nil {
		return spec, err
	}
	for _, name := range by.Tests {
		if b.Of(by.Package) == "" || slices.Contains(b.Judged.QuarantinedOf(by.Package), name) {
			continue
		}
		r, err := b.Executor.Run(ctx, judge.Spec{Suite: spec.Suite, Tests: []string{name}})
		if err != nil {
			return spec, err
		}
		if r.Kind == judge.Pass {
			spec.Takes += r.Took
			spec.Tests = append(spec.Tests, name)
		}
	}
	return spec, nil
}

// judge runs m against tests, which kill it if they fail twice: with m active and in the
// text of the scratch copy, which is restored after each run.
func (b *Built) judge(ctx context.Context, sl *pool.Slot, m *evidence.Mutant, s judge.Spec) error {
	path, text, err := b.Mutated(m.Mutant)
	if err != nil || len(s.Tests) == 0 {
		return err
	}
	s.Mutant = m.Number
	var run pool.Run
	for range 2 {
		run, err = runWith(ctx, b.Runner, sl, path, text, b.Command(ctx, sl, s))
		if err != nil || !run.Failed() {
			return err
		}
	}
	name := s.Tests[0]
	if len(run.Outcome.Failed) > 0 {
		name = run.Outcome.Failed[0]
	}
	m.BuiltKill = &results.KilledBy{By: results.ByTest, Kind: run.Outcome.Kind, Name: s.Suite.Package + "." + name}
	m.Reached, m.Infected = true, true
	return nil
}
