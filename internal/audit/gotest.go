package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// testRun is what one run of go test reported.
type testRun struct {
	failed   map[string]bool   // import/path.Test/sub
	packages map[string]bool   // packages that failed, for whatever reason
	unbuilt  bool              // something did not build
	output   map[string]string // what tests and the compiler printed, by import path
}

// event is a line of go test -json; see go doc test2json.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of build output
	Test        string
	Output      string
	FailedBuild string
}

// gotest says how to run go test.
type gotest struct {
	dir     string // a folder of the module
	timeout time.Duration
	exec    string
	flags   []string
}

// run runs go test with args. It returns an error if go test itself could not run. Builds and tests that fail are
// part of the answer.
func (g gotest) run(ctx context.Context, args ...string) (*testRun, error) {
	list := []string{"test", "-json", "-vet=off", "-count=1", "-timeout=" + g.timeout.String()}
	if g.exec != "" {
		list = append(list, "-exec="+g.exec)
	}
	list = slices.Concat(list, g.flags, args)
	out, stderr, err := g.command(ctx, list...)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	run, parseErr := parse(out)
	if parseErr != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(list, " "), parseErr, stderr)
	}
	if err != nil && len(run.packages) == 0 {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(list, " "), err, stderr)
	}
	return run, nil
}

// command runs the go command and returns what it printed.
func (g gotest) command(ctx context.Context, args ...string) (stdout, stderr []byte, err error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = g.dir, &out, &errs
	cmd.Env = append(os.Environ(), "PWD="+g.dir)
	cmd.WaitDelay = 5 * time.Second // a grandchild may keep the pipes open
	err = cmd.Run()
	return out.Bytes(), errs.Bytes(), err
}

// parse reads the output of go test -json.
func parse(data []byte) (*testRun, error) {
	run := &testRun{failed: map[string]bool{}, packages: map[string]bool{}, output: map[string]string{}}
	dec := json.NewDecoder(bytes.NewReader(data))
	for {
		var e event
		err := dec.Decode(&e)
		if errors.Is(err, io.EOF) {
			return run, nil
		}
		if err != nil {
			return nil, err
		}
		run.add(e)
	}
}

func (r *testRun) add(e event) {
	switch e.Action {
	case "output":
		r.output[e.Package] += e.Output
	case "build-output":
		r.output[e.ImportPath] += e.Output
	case "build-fail":
		r.unbuilt = true
	case "fail":
		r.packages[e.Package] = true
		r.unbuilt = r.unbuilt || e.FailedBuild != ""
		// A subtest fails the tests around it. If it ends the process, go test need not name these.
		for name := e.Test; name != ""; name = name[:max(strings.LastIndexByte(name, '/'), 0)] {
			r.failed[e.Package+"."+name] = true
		}
	}
}

// ran reports whether any test of pkg ran: go test succeeds even if the pattern for -run matches nothing.
func (r *testRun) ran(pkg string) bool {
	return !strings.Contains(r.output[pkg], "[no tests to run]")
}

// text returns the end of everything that was printed.
func (r *testRun) text() string {
	var b strings.Builder
	for _, out := range r.output {
		b.WriteString(out)
	}
	const enough = 2000
	if s := b.String(); len(s) > enough {
		return "[...]" + s[len(s)-enough:]
	}
	return b.String()
}
