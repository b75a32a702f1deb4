package verify

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/fuzz"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/scratch"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
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
// introduced them, if that can be found out in time. Those for which there is no time to
// confirm them are named in warnings.
func (v *Verifier) Crashes(ctx context.Context, crashes []results.Crash) (kept []results.Crash, err error) {
	rel, err := filepath.Rel(v.Tree, v.Dir)
	if err != nil {
		return nil, err
	}
	r := replayer{v, filepath.Join(v.BaseTree, rel), map[string]string{}}
	for i, c := range crashes {
		part, cancel := deadline.Part(ctx, crashPart/float64(len(crashes)-i))
		if i < maxShown {
			if err := v.simplifyCrash(part, &c); err != nil {
				cancel()
				return kept, err
			}
		}
		holds, err := r.check(part, &c)
		late := part.Err() != nil
		cancel()
		switch {
		case holds:
			kept = append(kept, c)
		case late:
			v.Warn("%s failed on the entry %s (%s), and there was no time to confirm that with plain go test", c.Harness, c.Entry, c.Message)
		case err == nil:
			v.Fuzzer.Unconfirmed("%s on %s: plain go test does not fail", c.Entry, c.Harness)
			v.Fuzzer.Named(c.Harness).Refute(c.Entry)
		}
		if err != nil && !late {
			return kept, err
		}
	}
	return kept, context.Cause(ctx)
}

// simplifyCrash makes a crash's input easier to read. That there is no time is no error.
func (v *Verifier) simplifyCrash(ctx context.Context, c *results.Crash) error {
	sl := v.Take()
	defer v.Give(sl)
	if err := v.Fuzzer.SimplifyCrash(ctx, sl, c); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// replayer replays crashes on the program and on the base revision.
type replayer struct {
	*Verifier
	baseDir string            // of the program in the base
	onBase  map[string]string // target -> plain test binary there
}

// seedRun is a run of plain go test on an entry in testdata/fuzz.
type seedRun struct {
	target   *fuzz.Target
	binary   string
	entry    corpus.Entry
	deadline time.Duration
}

// command is the process of a run, in the target's folder.
func (s seedRun) command() worker.Command {
	return worker.Command{
		Binary: s.binary, Args: worker.TestArgs(s.deadline, s.target.Func+"/"+s.entry.ID), Dir: s.target.Dir,
		Timeout: 2 * s.deadline,
	}
}

// check reports whether plain go test fails on c's entry, and sets c.Introduced where there is a base
// that builds. An error of the second leaves the first as it is.
func (r *replayer) check(ctx context.Context, c *results.Crash) (bool, error) {
	t := r.Fuzzer.Named(c.Harness)
	entry, ok := t.Entry(c.Entry)
	if !ok {
		return false, nil
	}
	if t.Driver {
		return r.checkDriven(ctx, t, entry, c)
	}
	binary, err := r.Plain(ctx, t.Package)
	if err != nil {
		return false, err
	}
	s := seedRun{target: t, binary: binary, entry: entry, deadline: seedDeadline}
	if c.Kind == results.CrashHang {
		s.deadline = hangDeadline
	}
	if failed, err := r.failsUnconfined(ctx, s); err != nil || !failed {
		return false, err
	}
	if err := r.introduced(ctx, t, s, c); err != nil || c.Introduced == results.IntroducedNo {
		return true, err
	}
	c.MendedBy, err = r.mendedBy(ctx, t, entry)
	return true, err
}

// introduced sets whether the change introduced c, where there is a base that builds.
func (r *replayer) introduced(ctx context.Context, t *fuzz.Target, s seedRun, c *results.Crash) error {
	if r.BaseTree == "" {
		return nil
	}
	base, err := os.OpenRoot(r.BaseTree) // where all children may write
	if err != nil {
		return err
	}
	defer base.Close()
	// If the base does not build, it stays unknown.
	if s.binary, err = r.buildBase(ctx, base, t); err != nil || s.binary == "" {
		return nil
	}
	return r.runOnBase(ctx, base, s, c)
}

// buildBase returns the plain test binary that holds t on the base; "" where there is none.
func (r *replayer) buildBase(ctx context.Context, base *os.Root, t *fuzz.Target) (string, error) {
	if r.onBase[t.Name] == "" {
		built, err := r.BuildTests(ctx, build.TestBuild{
			Kind: "base", Dir: r.baseDir, Files: r.lendTarget(base, t), Packages: []string{t.Package},
		})
		if err != nil {
			return "", err
		}
		r.onBase[t.Name] = built[t.Package]
	}
	return r.onBase[t.Name], nil
}

// lendTarget returns the files that the base needs to run t: none if it has
// the target, else the test file that declares it at head.
func (r *replayer) lendTarget(base *os.Root, t *fuzz.Target) map[string][]byte {
	file := filepath.FromSlash(t.File)
	if src, err := regular.ReadIn(base, file, regular.MaxSource); err == nil && bytes.Contains(src, []byte("func "+t.Func+"(")) {
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

// failsUnconfined reports whether plain go test fails on an entry, and not for
// the sandbox.
func (r *replayer) failsUnconfined(ctx context.Context, s seedRun) (bool, error) {
	sl := r.Take()
	defer r.Give(sl)
	run, err := r.runSeed(ctx, sl, s)
	if err != nil || !run.Failed() || s.deadline == hangDeadline {
		return run.Failed(), err
	}
	helped, err := r.Loosen(ctx, sl, s.target.Package, []string{s.target.Func}, func([]string) (pool.Run, error) {
		return r.runSeed(ctx, sl, s)
	})
	return !helped, err
}

// runSeed runs plain go test on an entry in testdata/fuzz.
func (v *Verifier) runSeed(ctx context.Context, sl *pool.Slot, s seedRun) (pool.Run, error) {
	seed := filepath.Join(s.target.Dir, "testdata", "fuzz", s.target.Func, s.entry.ID)
	return runWith(ctx, v.Runner, sl, seed, s.entry.Data, s.command())
}

// runWith runs a command with a file written into the scratch copy, which each run leaves
// without it.
func runWith(
	ctx context.Context, r *pool.Runner, sl *pool.Slot, file string, data []byte, c worker.Command,
) (pool.Run, error) {
	exit, err := pool.Retry(func() (worker.Exit, error) {
		if err := sl.Scratch.Write(file, data); err != nil {
			return worker.Exit{}, fmt.Errorf("cannot change the scratch copy: %w", err)
		}
		return r.Once(ctx, sl, c)
	})
	if err == nil && exit.Cause == worker.Cancelled {
		err = context.Cause(ctx)
	}
	return pool.Run{Exit: exit, Outcome: exit.Outcome()}, err
}

// runOnBase sets whether the change introduced c, if the base can tell.
func (r *replayer) runOnBase(ctx context.Context, base *os.Root, s seedRun, c *results.Crash) error {
	rel, err := filepath.Rel(r.Tree, s.target.Dir)
	if err != nil {
		return err
	}
	seed := filepath.Join(rel, "testdata", "fuzz", s.target.Func, s.entry.ID)
	if err := scratch.WriteIn(base, seed, s.entry.Data); err != nil {
		return err
	}
	defer func() { _ = base.Remove(seed) }() // the tree is ours, and goes soon
	sl := r.Take()
	defer r.Give(sl)
	command := s.command()
	command.Dir = filepath.Join(r.BaseTree, rel)
	exit, err := r.Once(ctx, sl, command)
	c.Introduced = introducedBy(exit, err)
	return err
}

// introducedBy says whether a change brought a failure, by what the base makes of the same.
func introducedBy(exit worker.Exit, err error) string {
	switch {
	case err != nil || exit.Cause == worker.Cancelled || exit.Cause == worker.Lost:
	case strings.Contains(string(exit.Output), "no tests to run"): // the base has no such target
	case exit.Outcome().Kind == "":
		return results.IntroducedYes
	default:
		return results.IntroducedNo
	}
	return results.IntroducedUnknown
}
