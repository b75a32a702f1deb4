package main

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
	"github.com/mutantfuzz/mutantfuzz/report/review"
)

// Exit statuses. Scripts rely on them.
const (
	ExitOK          = 0   // fine; also when there was nothing to do or time ran out
	ExitFindings    = 1   // there are findings that --fail-on names; of recheck: the mutant is not killed
	ExitUsage       = 2   // wrong usage or configuration
	ExitProgram     = 3   // the program under analysis does not build, or its tests fail unmutated
	ExitInternal    = 4   // a fault of mutantfuzz or of the system
	ExitInterrupted = 130 // interrupted; partial results are written
)

// errInterrupted says that a signal ended the command early.
var errInterrupted = errors.New("interrupted")

// usageError is a fault in how mutantfuzz was called or set up.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usagef makes a usageError. The message has to end with a line that begins with "hint: ".
func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// findingsError says that there are findings that --fail-on names.
type findingsError struct{ found []string }

func (e *findingsError) Error() string {
	return fmt.Sprintf("failing because of %s\nhint: the findings are above; --fail-on says which kinds of them fail", prose.Listed(e.found, len(e.found), "", "").Plain("", ""))
}

// survivorError says that a mutant was rechecked and is not killed, or was not judged in time.
type survivorError struct {
	id, why  string
	survived bool // a test can kill it
}

func (e *survivorError) Error() string {
	text := fmt.Sprintf("mutant %s %s", e.id, e.why)
	if e.survived {
		text += "\nhint: add a test that fails with this mutant, then recheck it again"
	}
	return text
}

// internalError is an unexpected error.
type internalError struct{ err error }

func (e *internalError) Error() string {
	return fmt.Sprintf("internal error: %v\nhint: please report this with the output of \"mutantfuzz version\" at https://github.com/mutantfuzz/mutantfuzz/issues", e.err)
}
func (e *internalError) Unwrap() error { return e.err }

// analysisError turns an unexpected error of an analysis into an internalError. Faults that users can fix become,
// or stay, errors that say so.
func analysisError(err error) error {
	switch {
	case err == nil || exitStatus(err) != ExitInternal:
		return err
	case errors.Is(err, syscall.ENOEXEC):
		return usagef("%w\nhint: tests have to be built for this machine; unset GOARCH", err)
	case errors.Is(err, syscall.ENOMEM), errors.Is(err, syscall.EMFILE):
		return usagef("%w\nhint: the go command needs more memory, or more open files, than it may have; GOFLAGS=-p=1 takes less", err)
	case noRoom(err):
		return usagef("%w\nhint: make room where this is, and in the folders of TMPDIR, GOCACHE, --corpus and --out", err)
	}
	return &internalError{err}
}

// noRoom reports whether err says that a file cannot grow: the disk, a quota or a size limit is exhausted, or the
// file system is read-only. Users can fix that.
func noRoom(err error) bool {
	for _, cause := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EROFS} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}

// exitStatus returns the status that err calls for.
func exitStatus(err error) int {
	var (
		usage    *usageError
		posting  *review.UsageError
		findings *findingsError
		survivor *survivorError
		scope    *diffscope.Error
		size     *results.SizeError
	)
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, errInterrupted):
		return ExitInterrupted
	case errors.As(err, &findings), errors.As(err, &survivor):
		return ExitFindings
	case errors.As(err, &usage), errors.As(err, &posting), errors.Is(err, report.ErrUnknownMutant), errors.Is(err, gotool.ErrNoGo), errors.As(err, &size):
		return ExitUsage
	case errors.As(err, &scope) && !scope.Program():
		return ExitUsage
	case scope != nil, programFault(err):
		return ExitProgram
	}
	return ExitInternal
}

// programFault reports whether the engine found the analysed program at fault.
func programFault(err error) bool {
	var (
		build    *gotool.BuildError
		file     *gotool.FileError
		broken   *engine.BrokenError
		baseline *engine.BaselineError
	)
	return errors.As(err, &build) || errors.As(err, &file) || errors.As(err, &broken) || errors.As(err, &baseline)
}
