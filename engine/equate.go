package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/verify"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// equatePart is the part of the time left that finding equivalent mutants may
// take.
const equatePart = 0.1

// equate finds the mutants among those that the tests left alive that are the
// program itself to the compiler, so that none of them is fuzzed or shown.
func (u *unit) equate(ctx context.Context) error {
	return u.timed("verify", func() error {
		outer := ctx
		ctx, cancel := context.WithTimeoutCause(ctx, u.share(equatePart), errOutOfTime)
		defer cancel()
		for _, p := range u.typed.touched {
			if err := u.equatePackage(ctx, p.PkgPath); err != nil {
				if outer.Err() == nil && stopped(ctx, err) {
					return nil // what is not known to be equivalent is fuzzed
				}
				return err
			}
		}
		return nil
	})
}

// equatePackage compares the live mutants of one package, those on changed
// lines first.
func (u *unit) equatePackage(ctx context.Context, pkg string) error {
	var changes []*verify.Change
	of := map[*verify.Change]*mutant{}
	for _, m := range u.pending() {
		if u.packageOf(m) == pkg {
			c := u.change(m)
			changes = append(changes, c)
			of[c] = m
		}
	}
	if len(changes) == 0 {
		return nil
	}
	slices.SortStableFunc(changes, func(a, b *verify.Change) int { return rankOnDiff(a) - rankOnDiff(b) })
	u.progress.Phase("equivalence", 0)
	b := verify.Builder{Tool: u.tool, Flags: u.cfg.BuildFlags, Dir: u.work}
	equal, err := b.Equivalent(ctx, pkg, changes)
	var broken *gotool.BuildError
	if errors.As(err, &broken) {
		// The woven package compiled with these mutants in it, but not this.
		u.progress.Say("no mutants of " + pkg + " are known to be equivalent: " + tail(broken.Output, 500))
		return nil
	}
	for _, c := range equal {
		m := of[c]
		m.status, m.reason = results.Equivalent, "the compiler makes the same machine code of it"
	}
	return err
}

func rankOnDiff(c *verify.Change) int {
	if c.OnDiff {
		return 0
	}
	return 1
}
