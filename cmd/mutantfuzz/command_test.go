package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report"
	"github.com/mutantfuzz/mutantfuzz/report/results"
	"github.com/mutantfuzz/mutantfuzz/report/review"
)

func TestErrorsHaveTheDocumentedExitStatus(t *testing.T) {
	for _, test := range []struct {
		err  error
		want int
	}{
		{nil, ExitOK},
		{&findingsError{}, ExitFindings},
		{usagef("wrong"), ExitUsage},
		{&review.UsageError{Err: io.EOF}, ExitUsage},
		{fmt.Errorf("%w: x", report.ErrUnknownMutant), ExitUsage},
		{gotool.ErrNoGo, ExitUsage},
		{&diffscope.Error{Kind: fault.UnknownRevision}, ExitUsage},
		{&diffscope.Error{Kind: fault.Syntax}, ExitProgram},
		{&gotool.BuildError{}, ExitProgram},
		{&gotool.FileError{Err: io.EOF}, ExitProgram},
		{&engine.BrokenError{}, ExitProgram},
		{errors.Join(&engine.BaselineError{}, io.EOF), ExitProgram},
		{io.EOF, ExitInternal},
		{analysisError(io.EOF), ExitInternal},
		{errInterrupted, ExitInterrupted},
	} {
		if got := exitStatus(test.err); got != test.want {
			t.Errorf("exit status of %T %v is %d, want %d", test.err, test.err, got, test.want)
		}
	}
}

func TestOnlyUnexpectedErrorsAskForAReport(t *testing.T) {
	if err := analysisError(io.EOF); !strings.Contains(err.Error(), "please report") || !errors.Is(err, io.EOF) {
		t.Errorf("an unexpected error reads %q", err)
	}
	fault := &gotool.BuildError{Output: "x.go:1: no"}
	var internal *internalError
	if err := analysisError(fault); !errors.Is(err, fault) || errors.As(err, &internal) {
		t.Errorf("a fault of the program became %q", err)
	}
}

// canceller is a buffer that calls cancel once a single write contains text.
type canceller struct {
	bytes.Buffer
	text   string
	cancel context.CancelFunc
}

func (c *canceller) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(c.text)) {
		c.cancel()
	}
	return c.Buffer.Write(p)
}

// panicReader panics when it is read.
type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("out of range") }

func TestPanicIsAFaultOfOurs(t *testing.T) {
	dir := t.TempDir()
	unpack(t, dir, "demo/change.txtar", "demo/base.txtar")
	var stderr strings.Builder
	c := Command{Stdin: panicReader{}, Stdout: io.Discard, Stderr: &stderr, Getenv: func(string) string { return "" }}
	if got := c.Main(t.Context(), []string{"list", "-C", dir, "--diff", "-"}); got != ExitInternal {
		t.Errorf("exit status %d, want %d", got, ExitInternal)
	}
	for _, want := range []string{"panic: out of range", "panicReader", "please report"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%q is not in what it said:\n%s", want, stderr.String())
		}
	}
}

func TestInterruptedRunLeavesPartialResults(t *testing.T) {
	if testing.Short() {
		t.Skip("builds")
	}
	dir := t.TempDir()
	unpack(t, dir, "demo/change.txtar", "demo/base.txtar")
	ctx, cancel := context.WithCancel(t.Context())
	stderr := &canceller{text: "mutantfuzz: tests (", cancel: cancel}
	c := Command{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: stderr, Getenv: func(string) string { return "" }}
	out := filepath.Join(dir, "out")
	if got := c.Main(ctx, []string{"run", "-C", dir, "--all", "--corpus", "none", "--out", out}); got != ExitInterrupted {
		t.Errorf("exit status %d, want %d; it said\n%s", got, ExitInterrupted, stderr)
	}
	r, err := results.Load(filepath.Join(out, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !r.Partial || len(r.Mutants) == 0 {
		t.Errorf("partial: %t, with %d mutants", r.Partial, len(r.Mutants))
	}
}

// unpack writes the files of demo archives into dir. It keeps files that are there already, so the first archive with a
// file wins.
func unpack(t *testing.T, dir string, archives ...string) {
	t.Helper()
	for _, name := range archives {
		data, err := demoFiles.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range txtar.Parse(data).Files {
			file := filepath.Join(dir, f.Name)
			if _, err := os.Stat(file); err == nil {
				continue
			}
			if err := os.WriteFile(file, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestOnlyOfASurvivorATestIsAskedFor(t *testing.T) {
	for status, want := range map[string]bool{results.Survived: true, results.Equivalent: false, results.Unviable: false, results.Ignored: false, results.NotRun: false} {
		r := &results.Results{Mutants: []results.Mutant{{ID: "m", Status: status}}}
		c := Command{Stdout: io.Discard}
		if err := c.showVerdict(r, &r.Mutants[0], ""); err == nil || strings.Contains(err.Error(), "hint: add a test") != want {
			t.Errorf("%s: %v", status, err)
		}
	}
	c := Command{Stdout: io.Discard}
	if err := c.showVerdict(&results.Results{}, &results.Mutant{ID: "m"}, ""); err == nil || strings.Contains(err.Error(), "hint: ") {
		t.Errorf("not judged in time: %v", err)
	}
}

func TestThatNothingIsToBeSaidIsOnlyToldWithoutAWarning(t *testing.T) {
	for warning, want := range map[string]string{"": "nothing to say, no review posted\n", "the token may not post": "no review posted\n"} {
		var stdout strings.Builder
		c := Command{Stdout: &stdout}
		if err := c.tellOutcome(review.Outcome{Action: review.Nothing, Warning: warning}); err != nil || stdout.String() != want {
			t.Errorf("with the warning %q: %q, %v; want %q", warning, stdout.String(), err, want)
		}
	}
}
