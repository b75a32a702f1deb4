package pool

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Limits on test runs. Step bounds end endless loops. Wall-clock limits are the last resort, and generous: a mutant
// must not count as killed because the machine is busy.
const (
	stepFactor  = 20
	StepFloor   = 64 * wire.StepChunk // bound on steps of a run that little is known about
	clockFactor = 20
	clockFloor  = 20 * time.Second
	busyFloor   = 5 * time.Second       // of processor time, which a busy machine does not stretch
	allocFloor  = 2 << 30               // bytes that any run may allocate
	allocRate   = 10 << 30              // bytes a second that a processor can clear, roughly: programs allocate less
	silence     = 10 * time.Second      // how long a fuzz target may run user code without a step
	proveAfter  = 20 * time.Millisecond // least time asleep before stacks are checked for a deadlock: see sleepLimit
	surelySeen  = time.Second           // a sleep this long is noticed on any machine
	asleepPart  = 5                     // a mutant may sleep for 1/asleepPart of the limit: 4 times the original's run
	memoryLimit = 2 << 30
	roomyFactor = 3 // factor for suites that need more
)

// memoryOf returns the memory limit for tests of a suite, in bytes.
func memoryOf(s *executor.Suite) int64 {
	if s.Roomy {
		return roomyFactor * memoryLimit
	}
	return memoryLimit
}

// StepBound returns the bound on the steps of a run with a mutant, given the steps of the run without it.
func StepBound(steps int64) int64 { return max(StepFloor, stepFactor*steps) }

// Run is a finished run of a test binary.
type Run struct {
	Exit    worker.Exit
	Outcome worker.Outcome
}

// Failed reports whether the tests failed, in whatever way.
func (r Run) Failed() bool { return r.Outcome.Kind != "" }

// passed reports whether the process ended by itself, and the tests passed.
func (r Run) passed() bool { return r.Exit.Cause == worker.Exited && !r.Failed() }

// byClock reports whether the run failed only because it exceeded a time limit.
func (r Run) byClock() bool {
	return r.Outcome.Kind == results.KindHang && r.Exit.Cause != worker.Deadlock &&
		r.Exit.Flags&(wire.FlagHang|wire.FlagRecursion|wire.FlagAllocated) == 0
}

// tooBig reports whether the run failed for lack of memory or stack.
func (r Run) tooBig() bool {
	return r.Exit.Cause == worker.OutOfMemory || r.Exit.Flags&wire.FlagRecursion != 0
}

// Tests says which tests to run, and how.
type Tests struct {
	Skip  *regexp.Regexp // top-level tests to leave out; nil: none
	Flags []string       // as the test binary takes them, such as -test.short
}

// Skipped returns the expression for the tests to leave out; "": none.
func (t Tests) Skipped() string {
	if t.Skip == nil {
		return ""
	}
	return t.Skip.String()
}

// Runner runs the test binaries of one program in the slots of a pool.
type Runner struct {
	*Pool
	*build.Binaries
	Tests Tests

	mu         sync.Mutex
	declared   map[string]map[string]bool // by import path: names of declared tests
	spent      map[string]time.Duration   // by test: time that its runs took
	sleep      map[string]bool            // by selected tests: whether they sleep without a mutant
	rested     map[string]bool            // by import path: suites seen to sleep without a mutant
	unheeded   map[string]map[string]bool // by folder: tests that fail without a mutant in a process that ends with status 0; "": users were warned
	forTests   loosened                   // what tests may do
	forTargets loosened                   // what fuzzing may do
}

// Runner readies the pool for a woven program.
func (p *Pool) Runner(ctx context.Context, b *build.Binaries, tests Tests) (*Runner, error) {
	r := &Runner{Pool: p, Binaries: b, Tests: tests, declared: map[string]map[string]bool{}, spent: map[string]time.Duration{}, sleep: map[string]bool{}, rested: map[string]bool{}, unheeded: map[string]map[string]bool{}}
	if p.Sandbox != sandbox.Strict && looksAtInterfaces(b.Packages) {
		r.forTests.interfaces, r.forTargets.interfaces = true, true
	}
	built, modules, err := b.Tool.Caches(ctx)
	if err != nil {
		return nil, err
	}
	return r, p.ready(b.Tool.Env, built, modules, b.Woven.Layout)
}

// OnBase returns the path in the base revision's tree that corresponds to an absolute path in the tree.
func (r *Runner) OnBase(path string) string { return filepath.Join(r.BaseTree, r.Rel(path)) }

// Run runs a test binary in sl, and repeats it if it is killed from outside. c.Dir is a folder of the user's tree. If
// c.Sandbox is nil, Run uses the sandbox for tests. Tests that fail with a mutant count, whatever the exit status: see heed.
func (r *Runner) Run(ctx context.Context, sl *Slot, c worker.Command) (Run, error) {
	run, err := r.run(ctx, sl, c)
	return r.heed(run, c.Dir, c.Mutant > 0), err
}

// run is Run, but goes by the exit status alone.
func (r *Runner) run(ctx context.Context, sl *Slot, c worker.Command) (Run, error) {
	exit, err := Retry(func() (worker.Exit, error) { return r.Once(ctx, sl, c) })
	if exit.Cause == worker.Invalid { // only the state file was invalid; how the process ended is known
		exit.Cause = worker.Exited
	}
	return Run{Exit: exit, Outcome: exit.Outcome()}, cancelled(ctx, exit, err)
}

// heed makes run fail if tests failed with a mutant, although the process ended with status 0. Tests that do so without a
// mutant, too, say nothing.
func (r *Runner) heed(run Run, dir string, mutated bool) Run {
	failed := run.Outcome.Unheeded
	if len(failed) == 0 {
		return run
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.unheeded[dir]
	if known == nil {
		known = map[string]bool{}
		r.unheeded[dir] = known
	}
	if !mutated {
		for _, test := range failed {
			known[test] = true
		}
		return run
	}
	failed = slices.DeleteFunc(slices.Clone(failed), func(test string) bool { return known[test] })
	if len(failed) == 0 {
		return run
	}
	if !known[""] {
		known[""] = true
		r.Warn("with an edit, tests in %s fail, such as %s, but their process ends with status 0, so go test does not notice: see TestMain (\"defer os.Exit(code)\" takes the code at once)", r.Rel(dir), failed[0])
	}
	run.Outcome = worker.Outcome{Kind: results.KindTest, Failed: failed}
	return run
}

// RunWith runs a test binary as Run does, with data written to a file in the scratch copy. Each run removes the
// change.
func (r *Runner) RunWith(ctx context.Context, sl *Slot, file string, data []byte, c worker.Command) (Run, error) {
	exit, err := Retry(func() (worker.Exit, error) {
		if err := sl.Scratch.Write(file, data); err != nil {
			return worker.Exit{}, fmt.Errorf("cannot change the scratch copy: %w", err)
		}
		return r.Once(ctx, sl, c)
	})
	return Run{Exit: exit, Outcome: exit.Outcome()}, cancelled(ctx, exit, err)
}

// Once is like Run, but runs the binary only once. c.Dir may also be a folder of the base revision.
func (r *Runner) Once(ctx context.Context, sl *Slot, c worker.Command) (worker.Exit, error) {
	if c.Sandbox == nil {
		tests, _ := r.loosened()
		var err error
		if c.Sandbox, err = r.sandbox(sl, *cmp.Or(sl.allowed, &tests)); err != nil {
			return worker.Exit{}, err
		}
	}
	c.Dir = sl.Scratch.Dir(c.Dir)
	c.Env, c.Restore, c.Guard = sl.env, sl.Scratch.Restore, r.Guard
	c.Memory = cmp.Or(c.Memory, memoryLimit)
	c.OnRest = func(resting bool) { r.rest(sl, resting) }
	defer r.rest(sl, false)
	gate := r.gate(sl)
	gate.Lock()
	defer gate.Unlock()
	return worker.Run(ctx, c)
}

// runDetectingDeadlock is Run for the run that s describes. If it is known how long that takes without a mutant, and
// the process sleeps, it ends the process early to see whether the stacks prove a deadlock. If not, the tests run
// again with the full time. Tests that also sleep without a mutant get more time from the start, since a timer may
// wake them.
func (r *Runner) runDetectingDeadlock(ctx context.Context, sl *Slot, c worker.Command, s executor.Spec) (Run, error) {
	if s.Takes == 0 || c.Mutant <= 0 {
		return r.Run(ctx, sl, c)
	}
	tests := selected(s)
	sleep, known := r.sleeps(s)
	first := c
	first.Asleep, first.Prove = sleepLimit(s.Takes, sleep), true
	run, err := r.Run(ctx, sl, first)
	switch {
	case err != nil || !slept(run):
		return run, err
	case !known:
		if err := r.learnSleep(ctx, sl, first, tests); err != nil {
			return Run{}, err
		}
		return r.runDetectingDeadlock(ctx, sl, c, s)
	case run.Exit.Cause == worker.Deadlock:
		return run, nil
	}
	return r.Run(ctx, sl, c)
}

// sleepLimit returns how long tests that take d without a mutant may sleep before their stacks are checked for a
// deadlock. sleep says that they were seen to sleep without a mutant, too. Otherwise the limit is at most surelySeen:
// longer sleeps would have been seen, and those missed on a busy machine are shorter than d.
func sleepLimit(d time.Duration, sleep bool) time.Duration {
	if limit := 2 * d; sleep || limit < surelySeen {
		return max(proveAfter, limit)
	}
	return surelySeen
}

// selected returns a key for the tests of a run: other tests of the suite may sleep when these do not.
func selected(s executor.Spec) string {
	return fmt.Sprintf("%s %q but %q", s.Suite.Package, s.Tests, slices.Concat(s.Skip, s.Suite.Without))
}

// slept reports whether a run was ended because all its threads slept.
func slept(run Run) bool {
	return run.Exit.Cause == worker.Deadlock || run.Exit.Cause == worker.Unproven
}

// sleeps reports whether the tests of a run are known to sleep without a mutant. A run of the whole suite, perhaps
// without some tests, is taken to sleep if the suite was seen to.
func (r *Runner) sleeps(s executor.Spec) (sleep, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if sleep, known = r.sleep[selected(s)]; !known && len(s.Tests) == len(s.Suite.Only) && r.rested[s.Suite.Package] {
		return true, true
	}
	return sleep, known
}

// learnRest notes it if the child of a run without a mutant was seen to sleep.
func (r *Runner) learnRest(sl *Slot, s executor.Spec) {
	if s.Mutant > 0 || !r.hasRested(sl) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rested[s.Suite.Package] = true
}

// learnSleep finds out whether the tests that c runs with a mutant sleep without one, too, longer than c allows.
func (r *Runner) learnSleep(ctx context.Context, sl *Slot, c worker.Command, tests string) error {
	c.Mutant = wire.Original
	run, err := r.Run(ctx, sl, c)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sleep[tests] = slept(run)
	return nil
}

// RunTarget runs a fuzz target once, with the job, mutant and step bound in c; see Retry. c.Args are additional flags
// of the test binary. If c.Silence is 0, the usual limit applies.
func (r *Runner) RunTarget(ctx context.Context, sl *Slot, t *weave.Target, c worker.Command) (worker.Exit, error) {
	_, targets := r.loosened()
	var err error
	if c.Sandbox, err = r.sandbox(sl, targets); err != nil {
		return worker.Exit{}, err
	}
	c.Args, c.Dir = slices.Concat(worker.TestArgs(0, t.Test), c.Args, r.Tests.jobFlags()), t.Dir
	c.State, c.Bounds, c.Silence = sl.State, r.Bounds(t.Types), cmp.Or(c.Silence, silence)
	return r.Once(ctx, sl, c)
}

// TestCommand returns the command that runs tests of a binary that is not woven in a folder, with the user's flags.
func (r *Runner) TestCommand(binary, dir string, timeout time.Duration, tests ...string) worker.Command {
	c := worker.TestCommand(binary, dir, timeout, tests...)
	c.Args = append(c.Args, r.Tests.Flags...)
	return c
}

// RunPlain runs tests of a binary that is not woven, as woven ones run but with twice the memory limit. So tests that
// exceed the usual limit are quarantined, and are no reason to refuse the program.
func (r *Runner) RunPlain(ctx context.Context, sl *Slot, binary string, s executor.Spec) (Run, error) {
	return r.run(ctx, sl, r.roomy(ctx, sl, binary, s))
}

// RunPlainWith is RunPlain with data written to a file in the scratch copy, for as long as the tests run.
func (r *Runner) RunPlainWith(ctx context.Context, sl *Slot, file string, data []byte, binary string, s executor.Spec) (Run, error) {
	return r.RunWith(ctx, sl, file, data, r.roomy(ctx, sl, binary, s))
}

// roomy readies sl for a run of RunPlain, and returns its process.
func (r *Runner) roomy(ctx context.Context, sl *Slot, binary string, s executor.Spec) worker.Command {
	sl.apart = s.Suite.Apart
	c := r.plain(ctx, binary, s)
	c.Memory = 2 * memoryOf(s.Suite)
	return c
}

// plain returns the process of a run of a binary that is not woven.
func (r *Runner) plain(ctx context.Context, binary string, s executor.Spec) worker.Command {
	wall := limit(ctx, s)
	args := worker.TestArgs(wall)
	if len(s.Tests) > 0 {
		args = append(args, "-test.run="+r.anchor(s.Suite.Package, s.Tests))
	}
	if s.Mutant > 0 {
		args = append(args, "-test.failfast") // the first failure decides
	}
	if skip := r.skipping(s.Suite.Package, slices.Concat(s.Skip, s.Suite.Without)); skip != "" {
		args = append(args, "-test.skip="+skip)
	}
	c := worker.Command{Binary: binary, Args: args, Dir: r.Packages[s.Suite.Package].Dir, Timeout: wall + 5*time.Second}
	if s.Verbose {
		c.Args, c.OutputLimit = append(c.Args, "-test.v"), 4<<20
	}
	c.Args = append(c.Args, r.Tests.Flags...) // last: they may end in arguments of the tests
	return c
}

// jobFlags returns the user's flags of tests for a process that does a job: without those that repeat tests or end them
// early.
func (t Tests) jobFlags() (flags []string) {
	for i, f := range t.Flags {
		if !strings.HasPrefix(f, "-test.") {
			return append(flags, t.Flags[i:]...) // arguments of the tests
		}
		name, _, _ := strings.Cut(f, "=")
		if !slices.Contains([]string{"-test.count", "-test.cpu", "-test.failfast"}, name) {
			flags = append(flags, f)
		}
	}
	return flags
}

// cancelled returns err, or the cause of ctx if that ended the process.
func cancelled(ctx context.Context, exit worker.Exit, err error) error {
	if err == nil && exit.Cause == worker.Cancelled {
		return context.Cause(ctx)
	}
	return err
}

// limit returns the wall-clock limit for a run.
func limit(ctx context.Context, s executor.Spec) time.Duration {
	d := wall(ctx, s.Takes)
	if s.Limit > 0 {
		d = min(d, s.Limit)
	}
	return d
}

// wall returns the wall-clock limit for a run that takes d without a mutant; 0: unknown.
func wall(ctx context.Context, d time.Duration) time.Duration {
	if d > 0 {
		return max(clockFactor*d, clockFloor)
	}
	most := 10 * time.Minute
	if deadline, limited := ctx.Deadline(); limited {
		most = min(most, time.Until(deadline)/2)
	}
	return max(most, clockFloor)
}

// busyLimit returns the limit on processor time without steps, for tests that take d without a mutant. It returns 0,
// no limit, if d is 0.
func busyLimit(d time.Duration) time.Duration {
	if d == 0 {
		return 0
	}
	return max(time.Duration(runtime.NumCPU())*clockFactor*d, busyFloor)
}

// allocationBound returns how many bytes tests that take d without a mutant may allocate with one. It returns 0, no
// bound, if d is 0. In that time the processors cannot have cleared more, so the actual amount need not be measured.
func allocationBound(d time.Duration, processors int) int64 {
	if d == 0 {
		return 0
	}
	return max(allocFloor, int64(d.Seconds()*allocRate)*int64(processors))
}

// skipping returns the -test.skip expression for the tests to leave out and for names, of tests of pkg.
func (r *Runner) skipping(pkg string, names []string) string {
	var patterns []string
	if skip := r.Tests.Skipped(); skip != "" {
		patterns = append(patterns, skip)
	}
	if len(names) > 0 {
		patterns = append(patterns, r.anchor(pkg, names))
	}
	return strings.Join(patterns, "|")
}

// Skips reports whether the user wants a test left out.
func (r *Runner) Skips(test string) bool {
	return r.Tests.Skip != nil && r.Tests.Skip.MatchString(test)
}

// maxLost is how often a run is tried whose child is killed from outside each time. Then the child is taken to have
// done it itself, as a mutant may that signals its own process group.
const maxLost = 3

// Retry repeats a run whose child is killed from outside or reports invalid data, up to maxLost times in all. If the
// last child was killed, the cause becomes worker.Exited.
func Retry(run func() (worker.Exit, error)) (exit worker.Exit, err error) {
	for range maxLost {
		exit, err = run()
		if err != nil || exit.Cause != worker.Lost && exit.Cause != worker.Invalid {
			return exit, err
		}
	}
	if exit.Cause == worker.Lost {
		exit.Cause = worker.Exited
	}
	return exit, nil
}

// Bounds returns what events of a child can be about. types are those of the target's arguments; nil: it runs none.
func (r *Runner) Bounds(types []string) *worker.Bounds {
	return &worker.Bounds{Layout: r.Woven.Layout, Sites: len(r.Woven.Sites), Types: types}
}
