package engine

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/engine/scratch"
	"github.com/mutantfuzz/mutantfuzz/engine/verify"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// addCrash records a failure of the program, one of each kind and place.
func (u *unit) addCrash(c claim, crash *results.Crash) {
	key := crashKey(crash)
	for i := range u.res.Crashes {
		if crashKey(&u.res.Crashes[i]) == key {
			return
		}
	}
	u.res.Crashes = append(u.res.Crashes, *crash)
	c.target.add(c.entry, results.EntryCrash, 0)
}

// crashKey tells failures apart by what happened and where: kind, and the
// innermost frames.
func crashKey(c *results.Crash) string {
	var frames []string
	for line := range strings.Lines(c.Stack) {
		if strings.HasPrefix(line, "\t") {
			frames = append(frames, strings.TrimSpace(line))
		}
		if len(frames) == 2 {
			break
		}
	}
	if len(frames) == 0 {
		return c.Harness + " " + c.Kind + " " + c.Message
	}
	return c.Kind + " " + strings.Join(frames, " ")
}

// adapterFrame is a frame of the function that the weaver put between a target
// and the loop.
var adapterFrame = regexp.MustCompile(`(?m)^\S+\.mfzz*a\d+\n\t.*\n?`)

// cleanStack makes a stack one that could come from the user's tree: without
// what the weaving added, and with file names relative to the root.
func (u *unit) cleanStack(stack string) string {
	stack = adapterFrame.ReplaceAllString(stack, "")
	return strings.ReplaceAll(stack, u.scope.Tree+string(filepath.Separator), "")
}

// checkCrashes keeps the crashes that plain go test shows too, and finds out
// which of them the change introduced.
func (u *unit) checkCrashes(ctx context.Context) error {
	builders := crashBuilders{
		head:   verify.Builder{Tool: u.tool, Flags: u.cfg.BuildFlags, Dir: u.work},
		base:   verify.Builder{Tool: u.baseTool(), Flags: u.cfg.BuildFlags, Dir: u.work},
		onHead: map[string]string{}, onBase: map[string]string{},
	}
	kept := u.res.Crashes[:0:0]
	for _, c := range u.res.Crashes {
		t := u.targetNamed(c.Harness)
		if t == nil {
			kept = append(kept, c) // another unit's
			continue
		}
		holds, err := u.checkCrash(ctx, &builders, t, &c)
		if err != nil {
			return err
		}
		if !holds {
			u.unconfirmed("%s on %s: plain go test does not fail", c.Entry, c.Harness)
			continue
		}
		kept = append(kept, c)
	}
	u.res.Crashes = kept
	return nil
}

// crashBuilders build the plain test binaries that crashes are replayed with,
// each once.
type crashBuilders struct {
	head, base     verify.Builder
	onHead, onBase map[string]string // target -> binary
}

// checkCrash reports whether plain go test fails on c's entry, and sets
// c.Introduced where there is a base that builds.
func (u *unit) checkCrash(ctx context.Context, b *crashBuilders, t *target, c *results.Crash) (bool, error) {
	entry, ok := t.entry(c.Entry)
	if !ok {
		return false, nil
	}
	if err := buildInto(ctx, b.head, b.onHead, t, nil); err != nil {
		return false, err
	}
	failed, err := u.failsUnconfined(ctx, b.onHead[t.Name], t, entry)
	if err != nil || !failed || u.scope.BaseTree == "" {
		return failed, err
	}
	// A base that does not build says nothing.
	if buildInto(ctx, b.base, b.onBase, t, u.lendTarget(t)) == nil && b.onBase[t.Name] != "" {
		c.Introduced, err = u.failsOnBase(ctx, b.onBase[t.Name], t, entry)
	}
	return true, err
}

// lendTarget returns the files that the base needs to run t: none if it has
// the target, else the test file that declares it at head.
func (u *unit) lendTarget(t *target) map[string][]byte {
	file := filepath.FromSlash(t.File)
	if u.baseHas(file, "func "+t.Func+"(") {
		return nil
	}
	src, err := regular.Source(filepath.Join(u.scope.Tree, file))
	if err != nil {
		return nil
	}
	return map[string][]byte{filepath.Join(u.scope.BaseTree, file): src}
}

// baseHas reports whether a file of the base revision has text.
func (u *unit) baseHas(file, text string) bool {
	base, err := os.OpenRoot(u.scope.BaseTree)
	if err != nil {
		return false
	}
	defer base.Close()
	src, err := scratch.ReadIn(base, file) // children may write there
	return err == nil && bytes.Contains(src, []byte(text))
}

// failsUnconfined reports whether plain go test fails on an entry, and not for
// the sandbox.
func (u *unit) failsUnconfined(ctx context.Context, binary string, t *target, e corpus.Entry) (bool, error) {
	sl := u.slots.take()
	defer u.slots.give(sl)
	failed, err := u.failsOn(ctx, sl, binary, t, e)
	if err != nil || !failed {
		return false, err
	}
	helped, err := u.loosen(ctx, sl, t.Package, []string{t.Func}, func(s *sandbox.Sandbox) (testRun, error) {
		return u.runSeed(ctx, sl, s, binary, t, e)
	})
	return !helped, err
}

// failsOn reports whether plain go test fails on an entry in testdata/fuzz.
func (u *unit) failsOn(ctx context.Context, sl *slot, binary string, t *target, e corpus.Entry) (bool, error) {
	run, err := u.runSeed(ctx, sl, nil, binary, t, e)
	return run.outcome.Kind != "", err
}

// runSeed runs plain go test on an entry in testdata/fuzz, in s or, if that is
// nil, in the sandbox of the unit's tests.
func (u *unit) runSeed(ctx context.Context, sl *slot, s *sandbox.Sandbox, binary string, t *target, e corpus.Entry) (testRun, error) {
	seed := filepath.Join(t.Dir, "testdata", "fuzz", t.Func, e.ID)
	exit, err := insist(func() (worker.Exit, error) {
		// Each run leaves the scratch copy without it.
		if err := sl.scratch.Write(seed, e.Data); err != nil {
			return worker.Exit{}, fmt.Errorf("cannot put an entry into the scratch copy: %w", err)
		}
		return u.execOnce(ctx, sl, worker.Command{
			Binary: binary, Args: worker.TestArgs(clockFloor, t.Func+"/"+e.ID), Dir: t.Dir, Timeout: 2 * clockFloor, Sandbox: s,
		})
	})
	return testRun{exit: exit, outcome: exit.Outcome()}, err
}

// baseTool is the go command in the base revision's counterpart of the unit.
func (u *unit) baseTool() gotool.Go {
	rel, err := filepath.Rel(u.scope.Tree, u.Dir)
	if err != nil {
		rel = "."
	}
	return gotool.Go{Dir: filepath.Join(u.scope.BaseTree, rel), Env: u.tool.Env}
}

// buildInto builds the test binary that holds t, with files added, unless
// built has it.
func buildInto(ctx context.Context, b verify.Builder, built map[string]string, t *target, files map[string][]byte) error {
	if built[t.Name] != "" {
		return nil
	}
	more, err := b.Build(ctx, nil, files, []string{t.Package})
	built[t.Name] = more[t.Package]
	return err
}

// failsOnBase says whether the change introduced the failure on an entry.
func (u *unit) failsOnBase(ctx context.Context, binary string, t *target, entry corpus.Entry) (string, error) {
	rel, err := filepath.Rel(u.scope.Tree, t.Dir)
	if err != nil {
		return "unknown", err
	}
	base, err := os.OpenRoot(u.scope.BaseTree) // where all children may write
	if err != nil {
		return "unknown", err
	}
	defer base.Close()
	seed := filepath.Join(rel, "testdata", "fuzz", t.Func, entry.ID)
	if err := scratch.WriteIn(base, seed, entry.Data); err != nil {
		return "unknown", err
	}
	defer func() { _ = base.Remove(seed) }() // the tree is ours, and goes soon
	sl := u.slots.take()
	defer u.slots.give(sl)
	tests, _ := u.loosened()
	sandbox, err := u.sandbox(sl, tests)
	if err != nil {
		return "unknown", err
	}
	exit, err := worker.Run(ctx, worker.Command{
		Binary: binary, Args: worker.TestArgs(clockFloor, t.Func+"/"+entry.ID), Dir: filepath.Join(u.scope.BaseTree, rel), Env: sl.env,
		Timeout: 2 * clockFloor, Memory: memoryLimit, Sandbox: sandbox, Guard: u.guard,
	})
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
