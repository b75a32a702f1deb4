// Evaluate measures what docs/evaluation.md claims, on real modules from the module proxy and real commits from
// GitHub. It prints each result as a Markdown table:
//
//   - truth: verdicts drawn at random, each compared with a plain rebuild;
//   - suggested: suggested tests, each applied and run with plain go commands;
//   - soundness: pruned mutants, run on every test for comparison;
//   - stability: the same analysis again and again, idle and under load;
//   - speed: mutants per second, side by side with other tools;
//   - drivers: functions that drivers are written for, and mutants that these tell
//     from the program;
//   - confined: what drivers do to files, the network and other processes, by strace;
//   - cost: the time until the first mutant runs, in a large repository;
//   - pulls: how long real pull requests take if only their base is built, side by
//     side with plain go test and another tool;
//   - wild: how the program does with its default settings in many repositories.
//
// Usage:
//
//	go run ./internal/evaluate truth|suggested|soundness|stability|speed|drivers|confined|cost|pulls|wild [flags]
//
// It runs in this repository. It writes only to a temporary folder, to the caches of the go command and, with
// -keep, to the folder named there. It exits with 0 if the claims hold, 1 if they do not, and 2 if it could not
// find out.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// experiment is one subcommand. It prints its table to lab.out and reports
// whether the claim holds.
type experiment struct {
	modules string // to measure on by default; empty: none
	pulls   string // likewise, pull requests
	measure func(context.Context, *lab) (holds bool, err error)
}

var experiments = map[string]experiment{
	"truth":     {modules: sixModules, measure: truth},
	"suggested": {modules: tableModules, measure: suggested},
	"soundness": {modules: sixModules, measure: soundness},
	"stability": {modules: quickModules, measure: stability},
	"speed":     {modules: peerModules, measure: speed},
	"drivers":   {modules: bareModules, measure: drivers},
	"confined":  {modules: bareModules, measure: confined},
	"cost":      {modules: largeModule, measure: cost},
	"pulls":     {pulls: pullRequests, measure: pulls},
	"wild":      {pulls: wellKnown, measure: wild},
}

// lab is what experiments share.
type lab struct {
	options
	dir     string // temporary
	binary  string // of mutantfuzz, built from this repository
	modules []module
	pulls   []pull
	out     io.Writer // the table
	log     io.Writer // progress
}

// options are the flags. Each experiment uses some.
type options struct {
	n         int           // truth: verdicts to draw; suggested: tests to check
	seed      int64         // of the draw, and of the analyses
	runs      int           // how often to measure the same
	workers   int           // of an analysis
	limit     time.Duration // for one analysis
	peers     string        // speed: names of the tools to compare with
	peerLimit time.Duration // speed, pulls: when to cut off another tool
	without   string        // drivers: the part of drivers to leave out
	tests     string        // soundness, suggested: whose tests, as --tests of the program
	github    string        // where repositories are fetched from, each as OWNER/NAME below it
	keep      string        // where results stay, a folder for each repository; empty: nowhere
}

// run is the command. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 || experiments[args[0]].measure == nil {
		fmt.Fprintln(stderr, "evaluate: name one of truth, suggested, soundness, stability, speed, drivers, confined, cost, pulls and wild")
		return 2
	}
	e := experiments[args[0]]
	l := &lab{out: stdout, log: stderr}
	flags := flag.NewFlagSet("evaluate "+args[0], flag.ContinueOnError)
	flags.SetOutput(stderr)
	modules := flags.String("modules", e.modules, "modules and the packages of them to mutate, as in \"path@version ./a ./b,...\"")
	flags.IntVar(&l.n, "n", 300, "truth, suggested: verdicts to draw, tests to check, over all modules")
	flags.Int64Var(&l.seed, "seed", 1, "seed of the draw and of the analyses")
	flags.IntVar(&l.runs, "runs", 3, "how often to measure the same thing")
	flags.IntVar(&l.workers, "workers", runtime.NumCPU(), "processes at once")
	flags.DurationVar(&l.limit, "limit", 30*time.Minute, "longest time for one analysis")
	flags.DurationVar(&l.peerLimit, "peer-limit", 5*time.Minute, "speed, pulls: when to cut off a peer, which has the rate of what it did until then")
	flags.StringVar(&l.peers, "peers", "gremlins,ooze", "speed: whom to compare with")
	flags.StringVar(&l.tests, "tests", "package", "soundness, suggested: whose tests run on every mutant: package, or auto for those of dependents, too")
	flags.StringVar(&l.without, "without", "", "drivers: a part of drivers to leave out: constructors, entries, constants or tests")
	list := flags.String("pulls", "", "pulls, wild: a file with a line \"OWNER/NAME COMMIT\" for each pull request, instead of those built in")
	flags.StringVar(&l.github, "github", "https://github.com", "pulls, wild: where repositories are, as OWNER/NAME below it: a URL or a folder")
	flags.StringVar(&l.keep, "keep", "", "pulls, wild: folder in which the output of the program stays")
	if err := flags.Parse(args[1:]); err != nil {
		return 2
	}
	e.modules = *modules
	holds, err := l.run(ctx, e, *list)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "evaluate:", err)
		return 2
	case !holds:
		return 1
	}
	return 0
}

// run prepares what every experiment needs and carries out e.
func (l *lab) run(ctx context.Context, e experiment, list string) (holds bool, err error) {
	if err := l.choose(e, list); err != nil {
		return false, err
	}
	if l.dir, err = os.MkdirTemp("", "mutantfuzz-evaluate-"); err != nil {
		return false, err
	}
	defer os.RemoveAll(l.dir)
	l.binary = filepath.Join(l.dir, "mutantfuzz")
	if err := l.build(ctx, l.binary, "github.com/mutantfuzz/mutantfuzz/cmd/mutantfuzz"); err != nil {
		return false, err
	}
	for i := range l.modules {
		if err := l.modules[i].copy(ctx, filepath.Join(l.dir, "modules", fmt.Sprint(i))); err != nil {
			return false, err
		}
	}
	l.circumstances()
	return e.measure(ctx, l)
}

// choose decides what e measures on. The pull requests in the file list, if it is not empty, replace those built
// in.
func (l *lab) choose(e experiment, list string) (err error) {
	if e.pulls == "" {
		l.modules, err = parseModules(e.modules)
		return err
	}
	if list != "" {
		text, err := os.ReadFile(list)
		if err != nil {
			return err
		}
		e.pulls = string(text)
	}
	l.pulls, err = parsePulls(e.pulls)
	return err
}

// build builds a command of this repository.
func (l *lab) build(ctx context.Context, file, pkg string) error {
	_, err := command{dir: ".", args: []string{"go", "build", "-o", file, pkg}}.run(ctx)
	return err
}

// circumstances prints the conditions under which a measurement is made.
func (l *lab) circumstances() {
	load := "unknown"
	if data, err := os.ReadFile("/proc/loadavg"); err == nil {
		load, _, _ = strings.Cut(string(data), " ")
	}
	fmt.Fprintf(l.out, "%s, %s/%s, %d CPUs, load before %s\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), load)
}
