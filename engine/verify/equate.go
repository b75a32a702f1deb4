package verify

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/equivalence"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// Equate finds the live mutants that do what the program does, so that none of them is
// fuzzed or shown: those of which that is proved, then, package by package and those on
// changed lines first, those that compile to the same machine code.
func Equate(ctx context.Context, b *build.Binaries, mutants evidence.Mutants) error {
	for _, pkg := range b.Types.Touched {
		if err := ctx.Err(); err != nil {
			return err
		}
		prove(b, pkg, mutants)
	}
	for _, pkg := range b.Touched {
		if err := equateCode(ctx, b, pkg, mutants); err != nil {
			return err
		}
	}
	return nil
}

// prove finds the live mutants of a package that are proved to be equivalent.
func prove(b *build.Binaries, pkg *packages.Package, mutants evidence.Mutants) {
	live := slices.DeleteFunc(mutants.Live(), func(m *evidence.Mutant) bool { return m.Package != pkg.PkgPath })
	if len(live) == 0 {
		return
	}
	b.Phase("equivalence", 0)
	p, err := equivalence.New(pkg)
	if err != nil {
		b.Say("nothing can be proved of mutants: %v", err)
		return
	}
	for _, m := range live {
		m.Proof = p.Reason(ChangeOf(m, b.Tree).Path, m.Mutant.Mutant)
	}
}

// equateCode finds the live mutants of a package that the compiler makes the same machine
// code of as of the program.
func equateCode(ctx context.Context, b *build.Binaries, pkg string, mutants evidence.Mutants) error {
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
		return nil
	}
	slices.SortStableFunc(changes, func(x, y *Change) int { return before(x.OnDiff, y.OnDiff) })
	b.Phase("equivalence", 0)
	equal, err := builder(b).Equivalent(ctx, pkg, changes)
	var broken *gotool.BuildError
	if errors.As(err, &broken) {
		// The woven package compiled with these mutants in it, but not this.
		b.Say("equivalent mutants of %s cannot be found: %s", pkg, broken.Output[:min(len(broken.Output), 500)])
		return nil
	}
	if err != nil {
		return err
	}
	for _, c := range equal {
		of[c].Equal = true
	}
	return nil
}
