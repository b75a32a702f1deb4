package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestNoRoomIsNotOurFault(t *testing.T) {
	for _, cause := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EFBIG} {
		err := analysisError(fmt.Errorf("writing: %w", &fs.PathError{Op: "write", Path: "x", Err: cause}))
		if exitStatus(err) != ExitUsage || !strings.Contains(err.Error(), "\nhint: make room") {
			t.Errorf("%v: exit status %d, %v", cause, exitStatus(err), err)
		}
	}
	if got := exitStatus(&results.SizeError{}); got != ExitUsage {
		t.Errorf("too many mutants: exit status %d", got)
	}
}

// limited names the environment variable with the folder to which this process has to deliver without room for files.
const limited = "MUTANTFUZZ_TEST_NO_ROOM"

// TestResultsThatCannotBeWrittenArePrinted delivers results in a process whose files may not grow. To the process, that
// looks like a full disk.
func TestResultsThatCannotBeWrittenArePrinted(t *testing.T) {
	if dir := os.Getenv(limited); dir != "" {
		deliverWithoutRoom(t, dir)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), limited+"="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func deliverWithoutRoom(t *testing.T, dir string) {
	out, err := claimOutput(t.Context(), filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{}); err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	c := Command{Stdout: &stdout, Stderr: io.Discard, Getenv: func(string) string { return "" }}
	output := outputOf()
	output.Results.Count()
	err = analysisError(c.deliver(out, output, time.Now()))
	if exitStatus(err) != ExitUsage || !strings.Contains(err.Error(), "\nhint: make room") {
		t.Errorf("exit status %d, %v", exitStatus(err), err)
	}
	if !errors.Is(err, syscall.EFBIG) {
		t.Errorf("the cause is not reported: %v", err)
	}
	if !strings.Contains(stdout.String(), "mutantfuzz: ") {
		t.Errorf("the summary is %q", stdout.String())
	}
}
