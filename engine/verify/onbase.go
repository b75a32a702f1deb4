package verify

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// Undone alone, a part of a change may make a program that never was. Where an input tells it from the program, the base says
// whether that is the change: the test with the input, which passes on the program, fails there.

// compareWithBase notes which of the inputs that expose undone parts of the change give the same on the base, and which it
// does not know.
func (v *Verifier) compareWithBase(ctx context.Context, list []*evidence.Mutant) error {
	if v.BaseTree == "" {
		return nil
	}
	for _, m := range list {
		r := v.regressions[m.Number]
		if m.Hunk == nil || r == nil || m.Exposed == nil || m.Exposed.AsBefore || !slices.Contains([]state{sound, offered}, r.state) {
			continue
		}
		passes, builds, err := v.sameOnBase(ctx, r)
		if err != nil {
			return err
		}
		m.Exposed.AsBefore, m.Exposed.NotOnBase = passes, !builds
	}
	return nil
}

// sameOnBase reports whether a test passes on the base, and whether it builds there.
func (v *Verifier) sameOnBase(ctx context.Context, r *regression) (passes, builds bool, err error) {
	file := v.basePath(r.file)
	built, err := v.BuildTests(ctx, build.TestBuild{
		Kind: "base", Dir: v.basePath(v.Dir), Files: map[string][]byte{file: r.source}, Packages: []string{r.pkg},
	})
	if broken := (*gotool.BuildError)(nil); errors.As(err, &broken) {
		return false, false, nil
	}
	if err != nil {
		return false, false, err
	}
	passes, err = v.passesOnBase(ctx, built[r.pkg], filepath.Dir(file), r.Name)
	return passes, true, err
}
