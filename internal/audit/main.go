// Audit checks the verdicts of a results.json against plain rebuilds. It draws mutants and crashes at random,
// edits each mutant into a copy of the repository, and asks only "go test" what becomes of it:
//
//   - mutant killed by a test: the named test fails with it and passes without it
//     (a mutant that does not build is no kill);
//   - killed by an entry: the same holds for the entry, placed below testdata/fuzz;
//   - survivor: the tests of its package and of the packages that depend on
//     it pass with it if they pass without it;
//   - exposed mutant: it survives as above. In addition, the recorded call gives other results
//     with it, and so does the call site when the fuzz target runs the recorded entry.
//     If a generated driver or a call in a test exposed it, the test that the results offer fails;
//   - crash: the entry, or the test that the results offer, fails on the program.
//
// It shares no code with the engine, only the type of the results, so that the two can disagree. It turns vet
// off, because a finding of vet is not a failed test.
//
// Usage:
//
//	go run ./internal/audit -results FILE -dir DIR [-corpus DIR] [-n N] [-seed N] [-ids ID,...] [-json]
//	    [-timeout D] [-exec PROGRAM]
//
// It exits with 0 if all verdicts hold, 1 if any does not, and 2 if it could not find out.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags.
type options struct {
	results string
	dir     string        // top of the repository that the results are of
	corpus  string        // as OUT/corpus: <import path>/<target>/<entry>; empty: only testdata/fuzz
	n       int           // mutants to draw of each kind of verdict
	seed    uint64        // of the draw
	ids     []string      // check these mutants and no others; empty: draw
	json    bool          // report for other programs, as JSON
	timeout time.Duration // of one run of go test
	exec    string        // for go test -exec, to confine what runs; empty: none
}

// run is the command. It returns the exit status.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	flags := flag.NewFlagSet("audit", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.results, "results", "", "results.json to check")
	flags.StringVar(&o.dir, "dir", ".", "top of the repository that it is of, as it was analysed")
	flags.StringVar(&o.corpus, "corpus", "", "folder with the entries it refers to, as <import path>/<target>/<entry>")
	flags.IntVar(&o.n, "n", 30, "mutants to draw of each kind of verdict")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the draw")
	flags.Func("ids", "check only the mutants with these `IDs`, separated by commas", func(s string) error {
		o.ids = strings.Split(s, ",")
		return nil
	})
	flags.BoolVar(&o.json, "json", false, "report every verdict checked as a line of JSON")
	flags.DurationVar(&o.timeout, "timeout", time.Minute, "limit for one run of go test, past which a mutant hangs")
	flags.StringVar(&o.exec, "exec", "", `program that runs test binaries, as in "prlimit --as=8589934592"`)
	if err := flags.Parse(args); err != nil {
		return 2
	}
	findings, err := audit(ctx, o, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "audit:", err)
		return 2
	}
	if o.json {
		return reportJSON(stdout, findings)
	}
	return report(stdout, findings)
}

// audit draws verdicts and checks them, one after the other.
func audit(ctx context.Context, o options, progress io.Writer) ([]finding, error) {
	data, err := os.ReadFile(o.results)
	if err != nil {
		return nil, fmt.Errorf("%w\nhint: -results names the results.json to check", err)
	}
	res, err := results.Decode(data)
	if err != nil {
		return nil, err
	}
	a, err := newAuditor(o, res)
	if err != nil {
		return nil, err
	}
	defer a.tree.close()
	var findings []finding
	for _, c := range a.draw() {
		f, err := a.check(ctx, c)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", c.kind, c.name(), err)
		}
		fmt.Fprintf(progress, "%s %s: %s\n", c.kind, c.name(), f.summary())
		findings = append(findings, f)
	}
	return findings, nil
}

// reportJSON prints a line for each finding, and returns the exit status.
func reportJSON(w io.Writer, findings []finding) int {
	status := 0
	enc := json.NewEncoder(w)
	for _, f := range findings {
		if f.wrong != "" {
			status = 1
		}
		line := struct {
			ID      string `json:"id"` // of a crash: its harness and entry
			Verdict string `json:"verdict"`
			Wrong   string `json:"wrong"` // what go test says against it; empty: nothing
		}{f.name(), f.kind, f.wrong}
		if err := enc.Encode(line); err != nil {
			return 2
		}
	}
	return status
}

// report prints the counts and every disagreement, and returns the exit status.
func report(w io.Writer, findings []finding) int {
	status := 0
	fmt.Fprintf(w, "%-18s %8s %8s\n", "verdict", "checked", "agree")
	for _, kind := range kinds {
		var checked, agree int
		for _, f := range findings {
			if f.kind == kind {
				checked++
				if f.wrong == "" {
					agree++
				}
			}
		}
		fmt.Fprintf(w, "%-18s %8d %8d\n", kind, checked, agree)
	}
	for _, f := range findings {
		if f.wrong != "" {
			status = 1
			fmt.Fprintf(w, "\n%s\n  %s\n", f.describe(), indent(f.wrong))
		}
	}
	return status
}
