package verify

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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

// Deadlines of plain go test on one entry. That an entry hangs is known from its steps by then, so a short deadline is
// enough to confirm it.
const (
	seedDeadline = 20 * time.Second
	hangDeadline = 5 * time.Second
)

// crashPart is the part of the remaining time that confirming crashes may take, in equal shares; comparing with the
// base may take more, see compare. simpleCrashPart is the part of each share that simplifying the input may take.
const (
	crashPart       = 0.5
	simpleCrashPart = 0.3
)

// confirmed returns the crashes that plain go test confirms, and sets whether the change introduced them, if there is
// time to find out. Warnings name the crashes that could not be confirmed in time. There are none for drivers' crashes
// that only the base can judge: these may mean nothing.
func (v *Verifier) confirmed(ctx context.Context, crashes []results.Crash) (kept []results.Crash, err error) {
	var unchecked, based []results.Crash
	crashes = slices.DeleteFunc(slices.Clone(crashes), func(c results.Crash) bool {
		forBase := v.Fuzzer.Named(c.Harness).Driver && c.MendedBy == ""
		if forBase {
			based = append(based, c)
		}
		return forBase
	})
	defer func() {
		for _, warning := range uncheckedWarnings(unchecked) {
			v.Warn("%s", warning)
		}
	}()
	for i, c := range crashes {
		part, cancel := deadline.Part(ctx, crashPart/float64(len(crashes)-i))
		var others []corpus.Entry
		if i < maxShown {
			if others, err = v.simplifyCrash(part, &c); err != nil {
				cancel()
				return kept, err
			}
		}
		holds, err := v.check(part, &c, others)
		late := part.Err() != nil
		cancel()
		if late {
			err = nil // the error only says that the share of time is up
		}
		switch {
		case holds:
			if late {
				err = v.compare(ctx, &c)
			}
			kept = append(kept, c)
		case late:
			unchecked = append(unchecked, c)
		case err == nil:
			v.Fuzzer.Unconfirmed("entry %s of %s: plain go test passes on it", c.Entry, c.Harness)
			v.Fuzzer.Named(c.Harness).Refute(c.Entry)
		}
		if err != nil && ctx.Err() == nil {
			return kept, err
		}
	}
	brought, err := v.based(ctx, based)
	return append(kept, brought...), err
}

// uncheckedWarnings returns a warning for each harness with crashes that could not be confirmed in time.
func uncheckedWarnings(crashes []results.Crash) (list []string) {
	for len(crashes) > 0 {
		first := crashes[0]
		others := slices.DeleteFunc(slices.Clone(crashes), func(c results.Crash) bool { return c.Harness == first.Harness })
		more := ""
		if n := len(crashes) - len(others) - 1; n > 0 {
			more = fmt.Sprintf(" and on %d more", n)
		}
		list = append(list, fmt.Sprintf("%s failed on entry %s (%s)%s; there was no time to confirm that with plain go test", first.Harness, first.Entry, first.Message, more))
		crashes = others
	}
	return list
}

// simplifyCrash simplifies the input of a crash, and returns other inputs that fail in the same place. Running out of
// time is no error.
func (v *Verifier) simplifyCrash(ctx context.Context, c *results.Crash) ([]corpus.Entry, error) {
	part, cancel := deadline.Part(ctx, simpleCrashPart)
	defer cancel()
	sl := v.Take()
	defer v.Give(sl)
	others, err := v.Fuzzer.SimplifyCrash(part, sl, c)
	if err != nil && part.Err() == nil {
		return nil, err
	}
	return others, nil
}

// compare finds out whether the base fails on the entry of a crash, too, if that is not known yet. Nothing that can be
// said about a crash matters more, so it may take all of the remaining time. It is no error if no base builds.
func (v *Verifier) compare(ctx context.Context, c *results.Crash) error {
	t := v.Fuzzer.Named(c.Harness)
	entry, ok := t.Entry(c.Entry)
	// A crash that a driver found is reported only once all of this is known.
	if !ok || t.Driver || c.Introduced != results.IntroducedUnknown {
		return nil
	}
	exit, err := v.runOnBase(ctx, seedRun{target: t, entry: entry, deadline: deadlineOf(c)})
	if err == nil && exit != nil {
		c.Introduced = introducedBy(*exit)
	}
	return err
}

// deadlineOf returns the deadline for a run on the entry of a crash.
func deadlineOf(c *results.Crash) time.Duration {
	if c.Kind == results.CrashHang {
		return hangDeadline
	}
	return seedDeadline
}

// seedRun is a run of plain go test on an entry in testdata/fuzz.
type seedRun struct {
	target   *fuzz.Target
	binary   string
	entry    corpus.Entry
	deadline time.Duration
}

// name returns the fuzz target that plain go test runs. For a driver that is one that calls the driver; see lendTarget.
func (s seedRun) name() string {
	if s.target.Driver {
		return "Fuzz" + s.target.Func
	}
	return s.target.Func
}

// command returns the command of a run, in the target's folder.
func (v *Verifier) command(s seedRun) worker.Command {
	return v.TestCommand(s.binary, s.target.Dir, s.deadline, s.name()+"/"+s.entry.ID)
}

// seed returns the name of the entry's file, relative to the folder of the target.
func (s seedRun) seed() string { return filepath.Join("testdata", "fuzz", s.name(), s.entry.ID) }

// check reports whether plain go test fails on the entry of c, and sets c.Introduced if there is a base that builds.
// others are entries on which the program seems to fail in the same place. If plain go test fails, an error in what
// comes after that leaves the first result true.
func (v *Verifier) check(ctx context.Context, c *results.Crash, others []corpus.Entry) (bool, error) {
	t := v.Fuzzer.Named(c.Harness)
	entry, ok := t.Entry(c.Entry)
	if !ok {
		return false, nil
	}
	if t.Driver {
		return v.checkDriven(ctx, t, entry, c, others)
	}
	binary, err := v.Plain(ctx, t.Package)
	if err != nil {
		return false, err
	}
	s := seedRun{target: t, binary: binary, entry: entry, deadline: deadlineOf(c)}
	run, err := v.failsUnconfined(ctx, s)
	if err != nil || !run.Failed() {
		return false, err
	}
	if c.Kind == results.CrashFailure { // the woven run only knows that t.Error or t.Fatal was called
		c.Message = cmp.Or(run.Exit.Complaint(), c.Message)
	}
	if exit, err := v.runOnBase(ctx, s); err != nil {
		return true, err
	} else if exit != nil {
		c.Introduced = introducedBy(*exit)
	}
	if c.Introduced == results.IntroducedYes {
		if older, err := v.older(ctx, s, c, others); err != nil || older {
			return true, err
		}
	}
	if c.Introduced == results.IntroducedNo {
		return true, nil
	}
	c.MendedBy, err = v.mendedBy(ctx, t, entry)
	return true, err
}

// buildBase returns the plain test binary of the base that holds the target of a run, "" if there is none.
func (v *Verifier) buildBase(ctx context.Context, base *os.Root, s seedRun) (string, error) {
	t := s.target
	if v.onBase[t.Name] == "" {
		built, err := v.BuildTests(ctx, build.TestBuild{
			Kind: "base", Dir: v.OnBase(v.Dir), Files: v.lendTarget(base, s), Packages: []string{t.Package},
		})
		if err != nil {
			return "", err
		}
		v.onBase[t.Name] = built[t.Package]
	}
	return v.onBase[t.Name], nil
}

// lendTarget returns the files that the base needs for a run: none if it has the target, else the test file that
// declares the target at head. A driver also needs the file that all drivers of its package share, and a fuzz target
// that calls it.
func (v *Verifier) lendTarget(base *os.Root, s seedRun) map[string][]byte {
	t := s.target
	if src, err := regular.ReadIn(base, filepath.FromSlash(t.File), regular.MaxSource); err == nil && bytes.Contains(src, []byte("func "+t.Func+"(")) {
		return nil
	}
	lent := map[string][]byte{}
	for _, f := range v.Binaries.Program.Files { // a driver's file, and the one that all drivers of its package use
		if f.Package == t.Package && (v.Rel(f.Path) == t.File || f.Made == nil) {
			lent[v.OnBase(f.Path)] = f.Source
		}
	}
	file := v.Path(t.File)
	name := v.OnBase(file)
	if lent[name] == nil {
		src, err := regular.Source(file)
		if err != nil {
			return nil
		}
		lent[name] = src
	}
	if t.Driver {
		lent[name] = fmt.Appendf(slices.Clip(lent[name]), "\nfunc %s(f *testing.F) { %s(f) }\n", s.name(), t.Func)
	}
	return lent
}

// failsUnconfined returns the run of plain go test on an entry. If it fails only because of the sandbox, that is a run
// that does not.
func (v *Verifier) failsUnconfined(ctx context.Context, s seedRun) (pool.Run, error) {
	sl := v.Take()
	defer v.Give(sl)
	run, err := v.runSeed(ctx, sl, s)
	if err != nil || !run.Failed() || s.deadline == hangDeadline {
		return run, err
	}
	helped, err := v.Loosen(ctx, sl, s.target.Package, []string{s.target.Func}, func([]string) (pool.Run, error) {
		return v.runSeed(ctx, sl, s)
	})
	if helped {
		return pool.Run{}, err
	}
	return run, err
}

// runSeed runs plain go test on an entry in testdata/fuzz.
func (v *Verifier) runSeed(ctx context.Context, sl *pool.Slot, s seedRun) (pool.Run, error) {
	return v.RunWith(ctx, sl, filepath.Join(s.target.Dir, s.seed()), s.entry.Data, v.command(s))
}

// runOnBase returns how plain go test on the base ends on an entry, nil if there is no base that builds.
func (v *Verifier) runOnBase(ctx context.Context, s seedRun) (*worker.Exit, error) {
	if v.BaseTree == "" {
		return nil, nil
	}
	base, err := os.OpenRoot(v.BaseTree) // where all children may write
	if err != nil {
		return nil, err
	}
	defer base.Close()
	// If the base does not build, nothing is known of it.
	if s.binary, err = v.buildBase(ctx, base, s); err != nil || s.binary == "" {
		return nil, nil
	}
	seed := filepath.Join(filepath.FromSlash(v.Rel(s.target.Dir)), s.seed())
	if err := scratch.WriteIn(base, seed, s.entry.Data); err != nil {
		return nil, err
	}
	defer func() { _ = base.Remove(seed) }() // the tree is ours, and goes soon
	sl := v.Take()
	defer v.Give(sl)
	command := v.command(s)
	command.Dir = v.OnBase(s.target.Dir)
	exit, err := v.Once(ctx, sl, command)
	// Where the target itself fails, and not its run of the entry, it takes other arguments on the base.
	if o := exit.Outcome(); o.Kind == results.KindTest && !slices.Contains(o.Failed, s.name()+"/"+s.entry.ID) {
		return nil, err
	}
	return &exit, err
}

// introducedBy returns whether a change brought a failure, as results.Crash.Introduced has it, by how the same run
// ended on the base.
func introducedBy(exit worker.Exit) string {
	switch o := exit.Outcome(); {
	case o.Kind != "":
		return results.IntroducedNo
	case o.Passed():
		return results.IntroducedYes
	}
	return results.IntroducedUnknown // the base may have no such target
}
