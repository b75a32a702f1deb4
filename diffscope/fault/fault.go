// Package fault has the errors of diffscope and its parts that the user can do something about.
package fault

import (
	"errors"
	"fmt"
)

// Kind says what went wrong, so that callers can choose an exit status.
type Kind int

// The kinds of error.
const (
	BadConfig       Kind = iota + 1 // settings that contradict each other, or name what does not exist
	NotRepository                   // revisions were asked for where there is no git repository
	NoBase                          // nothing says what to compare with
	UnknownRevision                 // git does not know a revision
	NoMergeBase                     // base and head have no common ancestor here; usually a shallow clone
	BrokenDiff                      // the diff cannot be parsed
	DiffMismatch                    // the diff does not fit the source tree
	NoGit                           // there is no git command
	GitFailed                       // the git command failed in another way
	NoGo                            // there is no go command
	NoModule                        // there is no go.mod
	Unloadable                      // go.mod, go.work or a package cannot be loaded
	Syntax                          // a changed Go file does not parse
	Late                            // the context's deadline passed
)

// Error is a failure that the user can do something about.
type Error struct {
	Kind Kind
	Msg  string // what is wrong, and where
	Hint string // the next step; empty: none known
	Err  error  // the cause; nil: none besides Msg
}

// Error returns the message, the cause and the hint.
func (e *Error) Error() string {
	s := e.Msg
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	if e.Hint != "" {
		s += "\nhint: " + e.Hint
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Program reports whether the program under analysis is at fault, as opposed to how mutantfuzz was called or
// installed. Late counts as the program's fault.
func (e *Error) Program() bool {
	return e.Kind == NoModule || e.Kind == Unloadable || e.Kind == Syntax || e.Kind == Late
}

// New makes an *[Error] without a cause.
func New(kind Kind, hint, format string, args ...any) error {
	return &Error{Kind: kind, Msg: fmt.Sprintf(format, args...), Hint: hint}
}

// NotLoaded makes the *[Error] for packages that the go command cannot load. The cause says why.
func NotLoaded(cause error) error {
	return &Error{Kind: Unloadable, Msg: "cannot load packages", Err: cause, Hint: "the go command has to work there first; try go list ./..."}
}

// Is reports whether err is, or wraps, an *[Error] of that kind.
func Is(err error, kind Kind) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == kind
}
