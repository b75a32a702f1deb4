// Evaluate measures what docs/evaluation.md claims, on real modules from the
// module proxy, and prints each result as a Markdown table:
//
//   - truth: verdicts drawn at random, each compared with a plain rebuild;
//   - soundness: mutants that were pruned, run on every test for comparison;
//   - stability: the same analysis again and again, idle and under load;
//   - speed: mutants a second, side by side with other tools;
//   - cost: the time until the first mutant runs, in a large repository.
//
// Usage:
//
//	go run ./internal/evaluate truth|soundness|stability|speed|cost [flags]
//
// It runs in this repository, and writes to a temporary folder and the caches
// of the go command only. It exits with 0 if what is claimed holds, 1 if it
// does not, and 2 if it could not find out.
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
	modules string // to measure on by default
	measure func(context.Context, *lab) (holds bool, err error)
}

var experiments = map[string]experiment{
	"truth":     {sixModules, truth},
	"soundness": {sixModules, soundness},
	"stability": {quickModules, stability},
	"speed":     {peerModules, speed},
	"cost":      {largeModule, cost},
}

// lab is what experiments share.
type lab struct {
	options
	dir     string // temporary
	binary  string // of mutantfuzz, built from this repository
	modules []module
	out     io.Writer // the table
	log     io.Writer // progress
}

// options are the flags. Each experiment uses some.
type options struct {
	n         int           // truth: verdicts to draw
	seed      int64         // of the draw, and of the analyses
	runs      int           // how often to measure the same
	workers   int           // of an analysis
	limit     time.Duration // for one analysis
	peers     string        // speed: whom to compare with
	peerLimit time.Duration // ... and how long at most
	tests     string        // soundness: whose tests, as --tests of the program
}

// run is the command. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 || experiments[args[0]].measure == nil {
		fmt.Fprintln(stderr, "evaluate: name one of truth, soundness, stability, speed and cost")
		return 2
	}
	e := experiments[args[0]]
	l := &lab{out: stdout, log: stderr}
	flags := flag.NewFlagSet("evaluate "+args[0], flag.ContinueOnError)
	flags.SetOutput(stderr)
	modules := flags.String("modules", e.modules, "modules and the packages of them to mutate, as in \"path@version ./a ./b,...\"")
	flags.IntVar(&l.n, "n", 300, "truth: verdicts to draw over all modules")
	flags.Int64Var(&l.seed, "seed", 1, "seed of the draw and of the analyses")
	flags.IntVar(&l.runs, "runs", 3, "how often to measure the same thing")
	flags.IntVar(&l.workers, "workers", runtime.NumCPU(), "processes at once")
	flags.DurationVar(&l.limit, "limit", 30*time.Minute, "longest time for one analysis")
	flags.DurationVar(&l.peerLimit, "peer-limit", 5*time.Minute, "speed: when to cut off a peer, which has the rate of what it did until then")
	flags.StringVar(&l.peers, "peers", "gremlins,ooze", "speed: whom to compare with")
	flags.StringVar(&l.tests, "tests", "package", "soundness: whose tests run on every mutant: package, or auto for those of dependents, too")
	if err := flags.Parse(args[1:]); err != nil {
		return 2
	}
	holds, err := l.run(ctx, e, *modules)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "evaluate:", err)
		return 2
	case !holds:
		return 1
	}
	return 0
}

// run prepares what every experiment needs and carries e out.
func (l *lab) run(ctx context.Context, e experiment, modules string) (holds bool, err error) {
	if l.modules, err = parseModules(modules); err != nil {
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

// build builds a command of this repository.
func (l *lab) build(ctx context.Context, file, pkg string) error {
	_, err := command{dir: ".", args: []string{"go", "build", "-o", file, pkg}}.run(ctx)
	return err
}

// circumstances prints under what a measurement was made.
func (l *lab) circumstances() {
	load := "unknown"
	if data, err := os.ReadFile("/proc/loadavg"); err == nil {
		load, _, _ = strings.Cut(string(data), " ")
	}
	fmt.Fprintf(l.out, "%s, %s/%s, %d CPUs, load before %s\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), load)
}
