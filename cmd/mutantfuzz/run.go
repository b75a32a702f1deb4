package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/driver"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/engine/verdicts"
	"github.com/mutantfuzz/mutantfuzz/report"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

const (
	defaultTime        = 5 * time.Minute
	defaultMutantShare = 0.5
	defaultOut         = "mutantfuzz.out"
	defaultResults     = defaultOut + "/results.json"
)

// runFlags are the flags of the run command.
type runFlags struct {
	scopeFlags
	time        time.Duration
	execs       int64 // negative: bounded by time
	mutantShare float64
	drivers     bool
	corpus      string // folder, noCorpus, or empty for the default
	workers     int
	seed        int64
	out         string
	failOn      string
	tests       string
	skipTests   string
	sandbox     string
	fresh       bool
	quiet       bool
	noGroups    bool

	fails     failOn         // failOn, parsed
	skip      *regexp.Regexp // skipTests, compiled; nil: none
	anyTime   bool           // no flag bounds the time, so that the configuration file may
	decisions team           // of the configuration file and of reviews
}

func (c *Command) run() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [flags] [packages] [-- flags of go test]",
		Short: "analyse a change: write results, print a summary",
		Long: `run analyses a change: it writes results.json and what belongs to it to the
output folder, and prints a summary. Packages limit what is mutated; all tests
and fuzz targets serve. Flags of go test, such as -short or -tags=x, go after --.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd, args); err != nil {
				return err
			}
			r, err := c.analyse(cmd.Context(), &f)
			if r != nil {
				err = errors.Join(err, c.show(fmt.Sprintf("\nresults are in %s\n", f.out)))
			}
			if err != nil {
				return analysisError(err)
			}
			return f.fails.check(r)
		},
	}
	f.register(cmd)
	return cmd
}

func (f *runFlags) register(cmd *cobra.Command) {
	f.scopeFlags.register(cmd)
	flags := cmd.Flags()
	flags.DurationVar(&f.time, "time", defaultTime, "time limit for the whole run, overrides mutantfuzz.yml; with --execs the default is no limit")
	flags.Int64Var(&f.execs, "execs", -1, "bound the fuzzing by `N` executions instead; 0: no fuzzing")
	flags.BoolVar(&f.drivers, "drivers", true, "write harnesses for changed functions that no fuzz target reaches, for this run")
	flags.Float64Var(&f.mutantShare, "mutant-share", defaultMutantShare, "share of the fuzzing spent on the mutants first, from 0 to 1")
	flags.StringVar(&f.corpus, "corpus", "", "`DIR` of the shared corpus, or none (default: below the user's cache folder)")
	flags.IntVar(&f.workers, "workers", runtime.NumCPU(), "processes at once")
	flags.Int64Var(&f.seed, "seed", 0, "random seed (default: a random one, which is printed)")
	flags.StringVar(&f.out, "out", defaultOut, "output `DIR`")
	flags.StringVar(&f.failOn, "fail-on", "crash", "exit with 1 on any of crash (introduced by the change), survivor, exposed, score<N; a comma-separated `LIST`")
	flags.StringVar(&f.tests, "tests", string(engine.TestsAuto), "whose tests may kill: auto, package, dependents, all or none")
	flags.StringVar(&f.skipTests, "skip-tests", "", "leave out top-level tests that match the regular expression `RE`")
	flags.BoolVar(&f.fresh, "fresh", false, "ignore the verdicts of earlier runs and judge every mutant anew")
	flags.StringVar(&f.sandbox, "sandbox", "on", "on, strict or off: whether the kernel keeps tests and fuzzing from files outside of the scratch copy, other processes and other machines (Linux only); strict makes no exception for tests that need more")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "no progress")
	flags.BoolVar(&f.noGroups, "no-groups", false, "in GitHub Actions, progress without groups: for a step that has stopped workflow commands")
	completeFlag(cmd, "tests", "auto", "package", "dependents", "all", "none")
	completeFlag(cmd, "sandbox", "on", "strict", "off")
	completeFlag(cmd, "fail-on", "crash", "survivor", "exposed")
}

// check completes f with the arguments. It returns an error for values that make no sense.
func (f *runFlags) check(cmd *cobra.Command, args []string) (err error) {
	if err := f.arguments(cmd, args); err != nil {
		return err
	}
	if f.fails, err = parseFailOn(f.failOn); err != nil {
		return err
	}
	if f.skipTests != "" {
		if f.skip, err = regexp.Compile(f.skipTests); err != nil {
			return usagef("--skip-tests: %w\nhint: it takes a regular expression as go test -run does", err)
		}
	}
	set := cmd.Flags().Changed
	if set("execs") && !set("time") {
		f.time = 0
	}
	f.anyTime = !set("execs") && !set("time")
	if !set("seed") {
		f.seed = rand.Int64()
	}
	return f.checkValues(set)
}

// checkValues returns an error for values that are out of range.
func (f *runFlags) checkValues(set func(string) bool) error {
	scopes := []engine.Tests{engine.TestsAuto, engine.TestsPackage, engine.TestsDependents, engine.TestsAll, engine.TestsNone}
	switch {
	case set("time") && f.time <= 0:
		return usagef("--time %v is not a positive duration\nhint: give a duration as 5m or 90s", f.time)
	case set("execs") && f.execs < 0:
		return usagef("--execs %d is negative\nhint: 0 means no fuzzing; leave it out to bound the fuzzing by time", f.execs)
	case !(f.mutantShare >= 0 && f.mutantShare <= 1):
		return usagef("--mutant-share %v is out of range\nhint: it is a part of the fuzzing, from 0 to 1", f.mutantShare)
	case f.workers < 1:
		return usagef("--workers %d is too few\nhint: at least 1; leave it out for one per CPU", f.workers)
	case !slices.Contains(scopes, engine.Tests(f.tests)):
		return usagef("--tests %q is not known\nhint: use auto, package, dependents, all or none", f.tests)
	case !isSandbox(f.sandbox):
		return usagef("--sandbox %q is not known\nhint: use on, strict or off", f.sandbox)
	case f.out == "":
		return usagef("--out is empty\nhint: name a folder, or leave it out for ./%s", defaultOut)
	}
	return nil
}

// isSandbox reports whether s is a value of --sandbox.
func isSandbox(s string) bool {
	return slices.Contains([]sandbox.Mode{sandbox.On, sandbox.Strict, sandbox.Off}, sandbox.Mode(s))
}

// analyse takes a run from its flags to written results: scope, engine, output. It returns results together with
// an error if the analysis got far enough to have results and they were written.
func (c *Command) analyse(ctx context.Context, f *runFlags) (*results.Results, error) {
	began := time.Now()
	progress := c.progress(f.quiet, !f.noGroups)
	defer progress.Close()
	progress.Say(fmt.Sprintf("seed %d", f.seed))
	progress.Phase("diff", 0)
	if err := f.decide(ctx); err != nil {
		return nil, err
	}
	looking, looked := within(ctx, f.time)
	defer looked()
	scope, done, err := c.find(looking, &f.scopeFlags)
	if err != nil {
		return nil, err
	}
	defer done()
	f.decisions.exclude(scope)
	diffTime := time.Since(began)

	out, err := claimOutput(ctx, f.out)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	if err := runnable(looking, scope); err != nil {
		return nil, err
	}
	cfg := f.config(progress, diffTime)
	warnings, err := f.openMemory(ctx, scope.Root, &cfg)
	if err != nil {
		return nil, err
	}
	if cfg.Corpus != nil {
		defer func() { _ = cfg.Corpus.Close() }() // Save has reported what was not kept
	}
	defer func() { _ = cfg.Verdicts.Close() }()
	output, failed := engine.Run(ctx, cfg, scope)
	if output == nil || failed != nil && len(output.Results.Mutants)+len(output.Results.Crashes) == 0 {
		return nil, failed
	}
	r := output.Results
	r.Partial = r.Partial || failed != nil || ctx.Err() != nil
	r.Seconds.Diff = diffTime.Seconds()
	f.describe(r, scope.Notes, warnings)
	err = identify(ctx, r, scope)
	progress.Close()
	if err := errors.Join(err, c.deliver(out, output, began)); err != nil {
		return nil, errors.Join(failed, err)
	}
	if ctx.Err() != nil {
		failed = errInterrupted
	}
	return r, failed
}

// decide reads the configuration file, which may set the time if no flag bounds the run.
func (f *runFlags) decide(ctx context.Context) (err error) {
	reading, read := within(ctx, f.time)
	defer read()
	if f.decisions, err = f.team(reading); err != nil {
		return err
	}
	if limit := f.decisions.Limits.Time; f.anyTime && limit > 0 {
		f.time = limit
	}
	return nil
}

// describe adds to r what the engine does not know: the settings, notes on the scope, and warnings.
// Options.Sandbox stays as the engine has set it.
func (f *runFlags) describe(r *results.Results, notes, warnings []string) {
	inForce := r.Options.Sandbox
	r.Options = f.options()
	r.Options.Sandbox = inForce
	r.Warnings = slices.Concat(notes, r.Warnings, f.decisions.warnings(r), warnings)
}

// config returns the configuration of the engine for f. spent is the part of the time that is used up already.
func (f *runFlags) config(progress engine.Progress, spent time.Duration) engine.Config {
	left := f.time
	if f.time > 0 {
		left = max(f.time-spent, time.Millisecond)
	}
	return engine.Config{
		BuildFlags: f.build, TestFlags: f.test, SkipTests: f.skip, Tests: engine.Tests(f.tests),
		Time: left, Execs: f.execs, MutantShare: f.mutantShare, Workers: f.workers, Seed: f.seed,
		Sandbox: sandbox.Mode(f.sandbox), Fresh: f.fresh, Progress: progress,
		Shown: f.shown, Choose: f.decisions.choose, Harnesses: f.harnesses(),
	}
}

// harnesses returns the kinds of harnesses to use besides the user's fuzz targets.
func (f *runFlags) harnesses() []engine.HarnessKind {
	if !f.drivers {
		return nil
	}
	return []engine.HarnessKind{driver.Kind{}}
}

// shown returns the mutants that a report of r would show. The engine confirms these, and a report shows no
// others. There are at least as many as by default, since a review may show more than the configuration file
// says.
func (f *runFlags) shown(r *results.Results) (s engine.Shown) {
	n := max(f.decisions.Limits.MaxFindings, finding.DefaultMaxFindings)
	for _, m := range finding.Confirmations(r, n) {
		s.Confirmed = append(s.Confirmed, m.ID)
	}
	for _, m := range finding.Witnesses(r, n) {
		s.Inputs = append(s.Inputs, m.ID)
	}
	return s
}

// options returns the settings as results.json has them.
func (f *runFlags) options() results.Options {
	return results.Options{
		Packages: f.packages, All: f.all, TimeSeconds: f.time.Seconds(), Execs: f.execs, MutantShare: f.mutantShare,
		Workers: f.workers, Seed: f.seed, Tests: f.tests, SkipTests: f.skipTests,
		TestFlags: slices.Concat(f.build, f.test), MaxFindings: f.decisions.Limits.MaxFindings,
	}
}

// noCorpus is the value of --corpus that means no corpus. A folder of that name is written "./none".
const noCorpus = "none"

// verdictsFolder is the folder in the shared corpus that holds the verdicts of earlier runs. It cannot clash with
// the entries of a package: no import path begins with a dot.
const verdictsFolder = ".verdicts"

// openMemory opens what earlier runs have left: the shared corpus, with what was dismissed in reviews, and the
// verdicts. cfg.Corpus and cfg.Verdicts stay nil if nothing is to be kept. The warnings say that the corpus is in
// an unusual place or is not kept, and what cannot be read.
func (f *runFlags) openMemory(ctx context.Context, root string, cfg *engine.Config) (warnings []string, err error) {
	warn := func(text string) {
		if text != "" {
			warnings = append(warnings, text)
		}
	}
	dir, unusual := f.corpus, ""
	if dir == "" {
		dir, unusual = defaultCorpus(root)
	}
	warn(unusual)
	if dir == noCorpus {
		return warnings, nil
	}
	if err := notBrought(ctx, dir); err != nil {
		return nil, err
	}
	shared, err := corpus.OpenDir(dir)
	if err == nil {
		cfg.Corpus = shared
		cfg.Verdicts, err = verdicts.Open(filepath.Join(dir, verdictsFolder))
	}
	if err != nil {
		return nil, &usageError{err}
	}
	warn(f.decisions.loadDismissals(dir))
	return warnings, nil
}

// defaultCorpus returns the folder of the corpus if --corpus names none. Without a home folder, that is a folder
// among the temporary files or, if that is not safe, noCorpus. The warning says so.
func defaultCorpus(root string) (dir, warning string) {
	dir, err := corpus.DefaultDir(root)
	if err == nil {
		return dir, ""
	}
	if dir, err = corpus.TemporaryDir(root); err != nil {
		return noCorpus, fmt.Sprintf("no corpus is kept: there is no home folder, and %v; --corpus names a place for it", err)
	}
	return dir, fmt.Sprintf("the corpus is in %s, as there is no home folder; --corpus names another place for it", dir)
}

// deliver writes the whole output of an analysis and prints the summary. It prints the summary even if writing
// fails, because it is all that is left of the results then.
func (c *Command) deliver(out *os.Root, output *engine.Output, began time.Time) error {
	r := output.Results
	start := time.Now()
	tests := regressionTests(r) // before Fit, which may drop them to keep results.json small
	r.Findings = report.Describe(r)
	_ = results.Fit(r) // Save reports if that is not enough
	var text strings.Builder
	if err := report.Text(&text, r, c.textOptions()); err != nil {
		return err
	}
	r.Seconds.Report = time.Since(start).Seconds()
	r.Seconds.Total = time.Since(began).Seconds()
	written := writeOutput(out, output, tests)
	summary := c.stepSummary(r)
	_, printed := io.WriteString(c.Stdout, text.String())
	return errors.Join(written, summary, printed)
}

// stepSummary appends the report to the step summary of GitHub Actions, if there is one.
func (c *Command) stepSummary(r *results.Results) error {
	name := c.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return usagef("writing the step summary: %w\nhint: GITHUB_STEP_SUMMARY has to name a file that can be written", err)
	}
	_, err = f.WriteString(report.Markdown(r, report.Options{Whole: true}) + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return usagef("writing the step summary: %w\nhint: GITHUB_STEP_SUMMARY has to name a file that can be written", err)
	}
	return nil
}
