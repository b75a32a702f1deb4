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
	for _, by := range b.Builders {
		for _, m := range b.todo(by) {
			m.AwaitsBuilt = true
		}
	}
}

// todo are the live mutants in what a builder builds.
func (b *Built) todo(by *reach.Builder) []*evidence.Mutant {
	return slices.DeleteFunc(b.Mutants.Live(), func(m *evidence.Mutant) bool { return !b.Reach.Builds(by, m.Package) })
}

// Judge runs the tests of the builders on the live mutants.
func (b *Built) Judge(ctx context.Context) error {
	for _, by := range b.Builders {
		todo := b.todo(by)
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
			return b.judge(ctx, sl, m, judge.Spec{Suite: b.Judged.SuiteOf(by.Package), Tests: tests, Mutant: m.Number, Takes: takes})
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
		r, err := b.Executor.Run(ctx, judge.Spec{Suite: b.Judged.SuiteOf(by.Package), Tests: []string{name}})
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

// judge runs m against tests, which kill it if they fail twice: with m active and in the
// text of the scratch copy, which is restored after each run.
func (b *Built) judge(ctx context.Context, sl *pool.Slot, m *evidence.Mutant, s judge.Spec) error {
	text, err := textOf(m, b.Tree)
	if err != nil || len(s.Tests) == 0 {
		return err
	}
	s.Unbounded = true
	var run pool.Run
	for range 2 {
		run, err = runWith(ctx, b.Runner, sl, pathOf(m, b.Tree), text, b.Command(ctx, sl, s))
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
