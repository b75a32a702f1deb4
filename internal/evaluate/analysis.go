package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// analysis is a run of mutantfuzz on whole packages, without fuzzing.
type analysis struct {
	*results.Results
	file string        // results.json
	took time.Duration // by the wall clock, from start to end of the process
}

// analyse runs mutantfuzz on m.
func (l *lab) analyse(ctx context.Context, m module, workers int) (*analysis, error) {
	ctx, cancel := context.WithTimeout(ctx, l.limit)
	defer cancel()
	out, err := os.MkdirTemp(l.dir, "out-")
	if err != nil {
		return nil, err
	}
	args := []string{
		l.binary, "run", "-q", "--all", "--execs=0", "--fresh", "--corpus=none",
		fmt.Sprintf("--seed=%d", l.seed), fmt.Sprintf("--workers=%d", workers), "--out=" + out,
	}
	_, took, err := command{dir: m.dir, args: append(args, m.packages...)}.timed(ctx)
	if err != nil {
		return nil, err
	}
	a := &analysis{file: filepath.Join(out, "results.json"), took: took}
	data, err := os.ReadFile(a.file)
	if err != nil {
		return nil, err
	}
	a.Results, err = results.Decode(data)
	return a, err
}

// verdicts returns the statuses of mutants by name.
func verdicts(r *results.Results) map[string]string {
	of := map[string]string{}
	for i := range r.Mutants {
		of[name(&r.Mutants[i])] = r.Mutants[i].Status
	}
	return of
}

// name identifies a mutant even if its ID is not unique, as where two functions have the same name.
func name(m *results.Mutant) string {
	return fmt.Sprintf("%s %s:%d:%d %s", m.ID, m.File, m.Line, m.Column, m.Operator)
}

// judged counts the mutants that at least one test ran, killed or not. It includes mutants that tests reach
// without infecting the state, as do the counts of tools that cannot tell the difference.
func judged(r *results.Results) int { return count(r, wasJudged) }

// wasJudged reports whether judged counts a mutant.
func wasJudged(m *results.Mutant) bool {
	switch m.Status {
	case results.Killed:
		return true
	case results.Survived, results.Equivalent: // Tests is unknown if all tests ran together
		return m.Evidence.Tests > 0 || m.Stage != "" && m.Stage != results.NotReached
	}
	return false
}
