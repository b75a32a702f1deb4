package verify

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/fuzz"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/scratch"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Deadlines of plain go test on one entry. An entry that hangs is known from its steps
// by then, so that a short deadline is enough to confirm it.
const (
	seedDeadline = 20 * time.Second
	hangDeadline = 5 * time.Second
)

// crashPart is the part of the remaining time that crashes may take, an equal share
// each. The rest is for confirming mutants.
const crashPart = 0.5

// Crashes returns the crashes that plain go test confirms, and sets whether the change
// introduced them, if that can be found out in time.
func (v *Verifier) Crashes(ctx context.Context, crashes []results.Crash) (kept []results.Crash, err error) {
	r := replayer{
		Verifier: v, head: v.builder(), base: v.builder(), onHead: map[string]string{}, onBase: map[string]string{},
	}
	r.base.Tool, r.base.Extra = v.baseTool(), nil
	for i, c := range crashes {
		part, cancel := deadline.Part(ctx, crashPart/float64(len(crashes)-i))
		holds, err := r.check(part, &c)
		late := part.Err() != nil
		cancel()
		switch {
		case ctx.Err() != nil:
			return append(kept, crashes[i:]...), context.Cause(ctx)
		case late: // it has been seen twice in fresh processes
			kept = append(kept, c)
		case err != nil:
			return append(kept, crashes[i:]...), err
		case holds:
			kept = append(kept, c)
		default:
			v.countUnconfirmed("%s on %s: plain go test does not fail", c.Entry, c.Harness)
		}
	}
	return kept, nil
}

// replayer replays crashes with plain test binaries, each of which is built once.
type replayer struct {
	*Verifier
	head, base     *Builder
	onHead, onBase map[string]string // target -> binary
}

// seedRun is a run of plain go test on an entry in testdata/fuzz.
type seedRun struct {
	target   *fuzz.Target
	binary   string
	entry    corpus.Entry
	deadline time.Duration // 0: the usual one
}

// command is the process of a run, in the target's folder.
func (s seedRun) command() worker.Command {
	deadline := s.deadline
	if deadline == 0 {
		deadline = seedDeadline
	}
	return worker.Command{
		Binary: s.binary, Args: worker.TestArgs(deadline, s.target.Func+"/"+s.entry.ID), Dir: s.target.Dir, Timeout: 2 * deadline,
	}
}

// check reports whether plain go test fails on c's entry, and sets c.Introduced
// where there is a base that builds.
func (r *replayer) check(ctx context.Context, c *results.Crash) (bool, error) {
	t := r.Fuzzer.Named(c.Harness)
	entry, ok := t.Entry(c.Entry)
	if !ok {
		return false, nil
	}
	if err := buildInto(ctx, r.head, r.onHead, t, nil); err != nil {
		return false, err
	}
	s := seedRun{target: t, binary: r.onHead[t.Name], entry: entry}
	if c.Kind == results.CrashHang {
		s.deadline = hangDeadline
	}
	failed, err := r.failsUnconfined(ctx, s)
	if err != nil || !failed || r.BaseTree == "" {
		return failed, err
	}
	// If the base does not build, it stays unknown.
	if buildInto(ctx, r.base, r.onBase, t, r.lendTarget(t)) == nil && r.onBase[t.Name] != "" {
		s.binary = r.onBase[t.Name]
		c.Introduced, err = r.failsOnBase(ctx, s)
	}
	return true, err
}

// lendTarget returns the files that the base needs to run t: none if it has
// the target, else the test file that declares it at head.
func (r *replayer) lendTarget(t *fuzz.Target) map[string][]byte {
	file := filepath.FromSlash(t.File)
	if r.baseHas(file, "func "+t.Func+"(") {
		return nil
	}
	src, made := r.Overlay()[filepath.Join(r.Tree, file)]
	if !made {
		var err error
		if src, err = regular.Source(filepath.Join(r.Tree, file)); err != nil {
			return nil
		}
	}
	return map[string][]byte{filepath.Join(r.BaseTree, file): src}
}

// baseHas reports whether a file of the base revision has text.
func (r *replayer) baseHas(file, text string) bool {
	base, err := os.OpenRoot(r.BaseTree)
	if err != nil {
		return false
	}
	defer base.Close()
	src, err := scratch.ReadIn(base, file) // children may write there
	return err == nil && bytes.Contains(src, []byte(text))
}

// failsUnconfined reports whether plain go test fails on an entry, and not for
// the sandbox.
func (r *replayer) failsUnconfined(ctx context.Context, s seedRun) (bool, error) {
	sl := r.Take()
	defer r.Give(sl)
	run, err := r.runSeed(ctx, sl, s)
	if err != nil || !run.Failed() || s.deadline == hangDeadline {
		return run.Failed(), err
	}
	helped, err := r.Loosen(ctx, sl, s.target.Package, []string{s.target.Func}, func(box *pool.Box) (pool.Run, error) {
		return r.runSeedIn(ctx, sl, box, s)
	})
	return !helped, err
}

// runSeed runs plain go test on an entry in testdata/fuzz, in the sandbox of tests.
func (v *Verifier) runSeed(ctx context.Context, sl *pool.Slot, s seedRun) (pool.Run, error) {
	return v.runSeedIn(ctx, sl, nil, s)
}

// runSeedIn is runSeed in another sandbox.
func (v *Verifier) runSeedIn(ctx context.Context, sl *pool.Slot, box *pool.Box, s seedRun) (pool.Run, error) {
	seed := filepath.Join(s.target.Dir, "testdata", "fuzz", s.target.Func, s.entry.ID)
	c := s.command()
	c.Sandbox = box
	exit, err := pool.Retry(func() (worker.Exit, error) {
		// Each run leaves the scratch copy without it.
		if err := sl.Scratch.Write(seed, s.entry.Data); err != nil {
			return worker.Exit{}, fmt.Errorf("cannot put an entry into the scratch copy: %w", err)
		}
		return v.Once(ctx, sl, c)
	})
	if err == nil && exit.Cause == worker.Cancelled {
		err = context.Cause(ctx)
	}
	return pool.Run{Exit: exit, Outcome: exit.Outcome()}, err
}

// baseTool is the go command in the base revision's counterpart of the program's folder.
func (v *Verifier) baseTool() gotool.Go {
	rel, err := filepath.Rel(v.Tree, v.Dir)
	if err != nil {
		rel = "."
	}
	return gotool.Go{Dir: filepath.Join(v.BaseTree, rel), Env: v.Tool.Env}
}

// buildInto builds the test binary that holds t, with files added, unless
// built has it.
func buildInto(ctx context.Context, b *Builder, built map[string]string, t *fuzz.Target, files map[string][]byte) error {
	if built[t.Name] != "" {
		return nil
	}
	more, err := b.Build(ctx, nil, files, []string{t.Package})
	built[t.Name] = more[t.Package]
	return err
}

// failsOnBase says whether the change introduced the failure on an entry.
func (r *replayer) failsOnBase(ctx context.Context, s seedRun) (string, error) {
	rel, err := filepath.Rel(r.Tree, s.target.Dir)
	if err != nil {
		return "unknown", err
	}
	base, err := os.OpenRoot(r.BaseTree) // where all children may write
	if err != nil {
		return "unknown", err
	}
	defer base.Close()
	seed := filepath.Join(rel, "testdata", "fuzz", s.target.Func, s.entry.ID)
	if err := scratch.WriteIn(base, seed, s.entry.Data); err != nil {
		return "unknown", err
	}
	defer func() { _ = base.Remove(seed) }() // the tree is ours, and goes soon
	sl := r.Take()
	defer r.Give(sl)
	c := s.command()
	c.Dir = filepath.Join(r.BaseTree, rel)
	exit, err := r.Once(ctx, sl, c)
	switch {
	case err != nil || exit.Cause == worker.Cancelled || exit.Cause == worker.Lost:
		return "unknown", err
	case strings.Contains(string(exit.Output), "no tests to run"):
		return "unknown", nil // the base has no such target
	case exit.Outcome().Kind == "":
		return "yes", nil
	}
	return "no", nil
}
