package verify

import (
	"context"
	"slices"
	"time"

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
}

// Await notes which mutants builders still have to judge.
func (b *Built) Await() {
	for _, m := range b.Mutants.Live() {
		m.AwaitsBuilt = slices.ContainsFunc(b.Builders, func(by *reach.Builder) bool { return b.Reach.Builds(by, m.Package) })
	}
}

// Judge runs the tests of the builders on the live mutants.
func (b *Built) Judge(ctx context.Context) error {
	for _, by := range b.Builders {
		var todo []*evidence.Mutant
		for _, m := range b.Mutants.Live() {
			if b.Reach.Builds(by, m.Package) {
				todo = append(todo, m)
			}
		}
		if len(todo) == 0 {
			continue
		}
		tests, takes, err := b.survey(ctx, by)
		if err != nil {
			return err
		}
		b.Phase("built", len(todo))
		err = pool.Each(ctx, b.Pool, todo, func(ctx context.Context, sl *pool.Slot, m *evidence.Mutant) error {
			defer b.Step()
			return b.judge(ctx, sl, m, judge.Spec{Suite: &judge.Suite{Package: by.Package}, Tests: tests, Mutant: m.Number, Takes: takes})
		})
		if err != nil {
			return err
		}
	}
	for _, m := range b.Mutants {
		m.AwaitsBuilt = false
	}
	return nil
}

// survey returns those tests of a builder that pass without a mutant, and how long
// they take.
func (b *Built) survey(ctx context.Context, by *reach.Builder) (passing []string, takes time.Duration, err error) {
	if err := b.Add(ctx, []string{by.Package}); err != nil {
		return nil, 0, err
	}
	for _, name := range by.Tests {
		if b.Of(by.Package) == "" || slices.Contains(b.Judged.QuarantinedOf(by.Package), name) {
			continue
		}
		r, err := b.Executor.Run(ctx, judge.Spec{Suite: &judge.Suite{Package: by.Package}, Tests: []string{name}})
		if err != nil {
			return nil, 0, err
		}
		if r.Kind == judge.Pass {
			takes += r.Took
			passing = append(passing, name)
		}
	}
	return passing, takes, nil
}

// judge runs m against tests, which kill it if they fail twice.
func (b *Built) judge(ctx context.Context, sl *pool.Slot, m *evidence.Mutant, s judge.Spec) error {
	var run pool.Run
	for i := 0; i < 2 && len(s.Tests) > 0 && (i == 0 || run.Failed()); i++ {
		var err error
		if run, err = b.runEdited(ctx, sl, m, s); err != nil {
			return err
		}
	}
	if run.Failed() {
		name := s.Tests[0]
		if len(run.Outcome.Failed) > 0 {
			name = run.Outcome.Failed[0]
		}
		m.BuiltKill = &results.KilledBy{By: results.ByTest, Kind: run.Outcome.Kind, Name: s.Suite.Package + "." + name}
		m.Reached, m.Infected = true, true
	}
	return nil
}

// runEdited runs tests with m active and in the text of the scratch copy, which is
// restored after the run.
func (b *Built) runEdited(ctx context.Context, sl *pool.Slot, m *evidence.Mutant, s judge.Spec) (pool.Run, error) {
	change := ChangeOf(m, b.Tree)
	text, err := change.Source()
	if err != nil {
		return pool.Run{}, err
	}
	s.Unbounded = true
	return runWith(ctx, b.Runner, sl, change.Path, text, b.Command(ctx, sl, s))
}
