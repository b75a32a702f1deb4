// Package verify rebuilds single mutants the plain way, without any weaving,
// so that verdicts of the woven binary can be checked against the real thing.
package verify

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// Builder builds plain test binaries of a program with one mutation.
type Builder struct {
	Tool  gotool.Go
	Flags []string          // build flags
	Dir   string            // existing folder for sources and binaries
	Extra map[string]string // overlay that every build gets besides: original file -> replacement
}

// Change is one file with one range of bytes replaced.
type Change struct {
	Path string // absolute
	*mutate.Mutant
}

// ChangeOf is a mutant as a change to the tree.
func ChangeOf(m *evidence.Mutant, tree string) *Change {
	return &Change{Path: filepath.Join(tree, filepath.FromSlash(m.File)), Mutant: m.Mutant.Mutant}
}

// Source returns the text of the changed file. It fails when the file no
// longer holds what the mutant replaces.
func (c Change) Source() ([]byte, error) {
	src, err := regular.Source(c.Path)
	if err != nil {
		return nil, err
	}
	if c.EndOffset > len(src) || string(src[c.Offset:c.EndOffset]) != c.Original {
		return nil, fmt.Errorf("%s changed since the analysis began", c.Path)
	}
	return []byte(string(src[:c.Offset]) + c.Replacement + string(src[c.EndOffset:])), nil
}

// Build builds the test binaries of pkgs with the change made (nil: none) and
// files added or replaced, and returns them by import path.
func (b *Builder) Build(ctx context.Context, change *Change, files map[string][]byte, pkgs []string) (map[string]string, error) {
	dir, err := os.MkdirTemp(b.Dir, "verify-")
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	maps.Copy(all, files)
	if change != nil {
		if all[change.Path], err = change.Source(); err != nil {
			return nil, err
		}
	}
	replaced, err := build.WriteOverlay(dir, all)
	if err != nil {
		return nil, err
	}
	overlay := map[string]string{}
	maps.Copy(overlay, b.Extra)
	maps.Copy(overlay, replaced)
	return b.Tool.TestBinaries(ctx, gotool.TestBuild{Overlay: overlay, Packages: pkgs, Out: dir, Flags: b.Flags})
}
