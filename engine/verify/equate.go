package verify

import (
	"context"
	"errors"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// Equate finds the live mutants that compile to the same machine code as the program, so
// that none of them is fuzzed or shown: those on changed lines first, package by package.
func Equate(ctx context.Context, b *build.Binaries, mutants evidence.Mutants) error {
	for _, pkg := range b.Touched {
		var changes []*Change
		of := map[*Change]*evidence.Mutant{}
		for _, m := range mutants.Live() {
			if m.Package == pkg {
				c := ChangeOf(m, b.Tree)
				changes = append(changes, c)
				of[c] = m
			}
		}
		if len(changes) == 0 {
			continue
		}
		slices.SortStableFunc(changes, func(x, y *Change) int { return before(x.OnDiff, y.OnDiff) })
		b.Phase("equivalence", 0)
		equal, err := builder(b).Equivalent(ctx, pkg, changes)
		var broken *gotool.BuildError
		if errors.As(err, &broken) {
			// The woven package compiled with these mutants in it, but not this.
			b.Say("equivalent mutants of %s cannot be found: %s", pkg, broken.Output[:min(len(broken.Output), 500)])
			continue
		}
		if err != nil {
			return err
		}
		for _, c := range equal {
			of[c].Equal = true
		}
	}
	return nil
}
