package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/report"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// recheckFlags are the flags of the recheck command.
type recheckFlags struct {
	results         string // file
	dir, head, diff string
	time            time.Duration
	workers         int
	sandbox         string
	quiet           bool

	flagsGiven  bool // flags of go test are on the command line
	build, test []string
}

func (c *Command) recheck() *cobra.Command {
	var f recheckFlags
	cmd := &cobra.Command{
		Use:   "recheck [flags] ID [-- flags of go test]",
		Short: "judge one mutant afresh",
		Long: `recheck judges one mutant of earlier results on the source as it is now: by
the tests that reach it, the inputs that are known, and a plain rebuild. What
was found out before counts for nothing; tests and flags are those of the
earlier run, unless there are flags after --. The results stay as they are.

From results come only flags that cannot start programs; others have to be
given. Results that git tracks are refused: recheck runs what they say.

Exit status: 0 the mutant is killed; 1 it is not; 2 it is unknown, or gone from
the source.`,
		Args:              mutantAndFlags,
		ValidArgsFunction: completeMutants,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if dash := cmd.ArgsLenAtDash(); dash >= 0 {
				f.flagsGiven = true
				if f.build, f.test, err = splitTestFlags(args[dash:]); err != nil {
					return err
				}
			}
			switch {
			case f.time <= 0 || f.workers < 1:
				return usagef("--time and --workers must be greater than zero\nhint: leave them out for %v and one per CPU", defaultTime)
			case !isSandbox(f.sandbox):
				return usagef("--sandbox %q is not known\nhint: use on, strict or off", f.sandbox)
			}
			return analysisError(c.recheckMutant(cmd.Context(), &f, args[0]))
		},
	}
	resultsFlag(cmd, &f.results)
	flags := cmd.Flags()
	flags.StringVarP(&f.dir, "dir", "C", ".", "any folder of the repository")
	flags.StringVar(&f.head, "head", "", "judge at `REV` in a scratch checkout (default: the working tree)")
	flags.StringVar(&f.diff, "diff", "", "for a mutant that undoes part of a diff: the diff in `FILE`, where the results came from one")
	flags.DurationVar(&f.time, "time", defaultTime, "time limit for the whole command")
	flags.IntVar(&f.workers, "workers", runtime.NumCPU(), "processes at once")
	flags.StringVar(&f.sandbox, "sandbox", "on", "on, strict or off: whether the kernel confines tests")
	completeFlag(cmd, "sandbox", "on", "strict", "off")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress")
	return cmd
}

// mutantAndFlags accepts exactly one ID, and flags of go test after "--".
func mutantAndFlags(cmd *cobra.Command, args []string) error {
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		args = args[:dash]
	}
	return oneMutant(cmd, args)
}

// oneMutant accepts exactly one ID.
func oneMutant(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return usagef("%s takes one mutant ID, not %d\nhint: \"mutantfuzz report\" and results.json have the IDs; the start of one is enough", cmd.Name(), len(args))
}

// recheckMutant judges a mutant of the results again and prints the verdict.
func (c *Command) recheckMutant(ctx context.Context, f *recheckFlags, id string) error {
	old, m, err := f.load(ctx, id)
	if err != nil {
		return err
	}
	progress := c.progress(f.quiet, true)
	defer progress.Close()
	cfg, err := f.config(old, progress)
	if err != nil {
		return err
	}
	if cfg.Corpus != nil {
		defer func() { _ = cfg.Corpus.Close() }() // it saves nothing
	}
	looking, looked := within(ctx, f.time)
	defer looked()
	scope, done, err := c.scopeOf(looking, f, cfg, old, m)
	if err != nil {
		return err
	}
	defer done()
	if err := runnable(looking, scope); err != nil {
		return err
	}
	output, err := engine.Recheck(ctx, cfg, scope, m.Function, m.ID)
	progress.Close()
	var gone *engine.GoneError
	if errors.As(err, &gone) {
		return usagef("%w\nhint: \"mutantfuzz list\" has the mutants that there are now", err)
	}
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errInterrupted
	}
	return c.showVerdict(output.Results, m, f.results)
}

// load reads the results and finds a mutant in them. It refuses results that came with the repository, and values
// that no run writes, because recheck runs what the results say.
func (f *recheckFlags) load(ctx context.Context, id string) (*results.Results, *results.Mutant, error) {
	old, err := load(f.results)
	if err != nil {
		return nil, nil, err
	}
	switch yes, err := brought(ctx, f.results); {
	case err != nil:
		return nil, nil, err
	case yes:
		return nil, nil, usagef("git tracks %s: these results came with the repository, and recheck runs what results say\nhint: make your own with \"mutantfuzz run\"", f.results)
	}
	m, err := report.Mutant(old, id)
	if err == nil {
		err = checkMutant(m)
	}
	if err == nil {
		err = checkSettings(old, m)
	}
	return old, m, err
}

// config returns the settings of the earlier run, as far as they bear on a verdict. It leaves Execs at 0, so
// nothing is fuzzed: the earlier run did not judge the mutant by inputs found later.
func (f *recheckFlags) config(old *results.Results, progress engine.Progress) (engine.Config, error) {
	o := old.Options
	cfg := engine.Config{
		Tests: engine.Tests(o.Tests), Time: f.time, Workers: f.workers, Seed: o.Seed,
		Sandbox: sandbox.Mode(f.sandbox), Progress: progress,
	}
	cfg.BuildFlags, cfg.TestFlags = f.build, f.test
	var err error
	if !f.flagsGiven {
		if cfg.BuildFlags, cfg.TestFlags, err = flagsFromFile(o.TestFlags); err != nil {
			return cfg, err
		}
	}
	if o.SkipTests != "" {
		if cfg.SkipTests, err = regexp.Compile(o.SkipTests); err != nil {
			return cfg, usagef("skip_tests in %s: %w%s", f.results, err, runAgain)
		}
	}
	if len(old.Harnesses) > 0 {
		cfg.Corpus, err = openKnown(filepath.Dir(f.results))
	}
	return cfg, err
}

// knownEntries holds the corpus entries that results refer to. Judging does not change them.
type knownEntries struct{ *corpus.Dir }

// openKnown opens the corpus entries beside the results in dir. It returns nil if there are none.
func openKnown(dir string) (corpus.Store, error) {
	folder, err := os.OpenRoot(dir)
	if err != nil {
		return nil, usagef("reading the inputs of the results: %w\nhint: name the file with --results", err)
	}
	defer folder.Close()
	saved, err := corpus.OpenDirBelow(folder, "corpus")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, usagef("reading the inputs of the results: %w\nhint: \"mutantfuzz run\" writes them anew", err)
	}
	return knownEntries{saved}, nil
}

// Load implements [corpus.Store]. It skips damaged entries: they only leave less to judge by.
func (k knownEntries) Load(ctx context.Context, harness string) ([]corpus.Entry, []error) {
	entries, _ := k.Dir.Load(ctx, harness)
	return entries, nil
}

// Save implements [corpus.Store]. It does nothing.
func (knownEntries) Save(context.Context, string, []corpus.Entry) error { return nil }

// scopeOf returns a scope that holds m's function, and a function that closes the scope. Only a mutant that
// undoes a part of a diff depends on that diff. For any other, the package of the function is enough, wherever
// the branches are.
func (c *Command) scopeOf(ctx context.Context, f *recheckFlags, cfg engine.Config, old *results.Results, m *results.Mutant) (*diffscope.Scope, func(), error) {
	s := scopeFlags{dir: f.dir, head: f.head, build: cfg.BuildFlags}
	switch {
	case m.Category != results.CategoryReversal:
		s.all, s.packages = true, []string{packageOf(old, m)}
	case f.diff != "":
		s.diff = f.diff
	case old.Revisions.MergeBase != "":
		s.base = old.Revisions.MergeBase
	default:
		return nil, nil, usagef("mutant %s undoes part of a diff, which these results do not have\nhint: pass the diff with --diff", m.ID)
	}
	return c.find(ctx, &s)
}

// packageOf returns the import path of m's package, or "" if r does not have m's function in scope.
func packageOf(r *results.Results, m *results.Mutant) string {
	for _, f := range r.Scope {
		if f.ID == m.Function {
			return f.Package
		}
	}
	return ""
}

// showVerdict prints what became of the mutant, of the results in file. It returns a *survivorError if the mutant is not
// killed or was not judged in time.
func (c *Command) showVerdict(r *results.Results, before *results.Mutant, file string) error {
	if len(r.Mutants) == 0 {
		return &survivorError{id: before.ID, why: "was not judged in time"}
	}
	m := &r.Mutants[0]
	if err := report.Explain(c.Stdout, r, m.ID, c.explainOptions(file)); err != nil {
		return err
	}
	if m.Status != before.Status {
		if err := c.show(fmt.Sprintf("before: %s\n", before.Status)); err != nil {
			return err
		}
	}
	if m.Status == results.Killed {
		return nil
	}
	return &survivorError{m.ID, "is not killed: " + m.Status, m.Status == results.Survived}
}
