//go:build go1.21

package value

import (
	"context"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
)

// sentinel is an error variable that callers may look for in an error, with errors.Is.
type sentinel struct {
	// name is qualified by the name of its package, or by its import path if the variable of another package has the same
	// name.
	name     string
	variable *error // read when needed: the program may assign to it
	harness  bool   // test files make it known, too
}

// sentinels are those of the standard library that errors of other packages often wrap, and those that AddSentinel has
// added. It is only changed while packages are initialised.
var sentinels = []sentinel{
	{"io.EOF", &io.EOF, true}, {"io.ErrUnexpectedEOF", &io.ErrUnexpectedEOF, true}, {"os.ErrNotExist", &os.ErrNotExist, true},
	{"os.ErrExist", &os.ErrExist, true}, {"os.ErrPermission", &os.ErrPermission, true}, {"os.ErrClosed", &os.ErrClosed, true},
	{"context.Canceled", &context.Canceled, true}, {"context.DeadlineExceeded", &context.DeadlineExceeded, true},
}

// AddSentinel makes an exported error variable of the program known by its name, qualified by that of its package, which
// has the given import path. The result, always true, is for a declaration that calls AddSentinel. harness says that a
// test file calls it.
func AddSentinel(name, path string, variable *error, harness bool) bool {
	for i := range sentinels {
		switch s := &sentinels[i]; {
		case s.variable == variable:
			s.harness = s.harness || harness
			return true
		case s.name == name:
			name = path + name[strings.LastIndexByte(name, '.'):]
		}
	}
	sentinels = append(sentinels, sentinel{name, variable, harness})
	return true
}

// Sentinels returns the names of the known error variables that err is or wraps, as errors.Is has it, those of the
// program last. With harness it returns only those that test files make known: then it returns the same where only the
// test files are woven. It is nil if err is nil, or if its methods, which are code of the program, panic.
func Sentinels(err error, harness bool) (names []string) {
	defer func() {
		if recover() != nil {
			names = nil
		}
	}()
	tree := wrapped(err, nil)
	for _, s := range sentinels {
		if (s.harness || !harness) && *s.variable != nil && anyIs(tree, *s.variable) {
			names = append(names, s.name)
		}
	}
	return names
}

// maxWrapped bounds how many errors wrapped returns.
const maxWrapped = 100

// wrapped appends err and all errors that it wraps to tree. Each observed failure is compared with all known variables,
// which may be hundreds, so its tree is walked once, and not by errors.Is for each of them.
func wrapped(err error, tree []error) []error {
	for err != nil && len(tree) < maxWrapped {
		tree = append(tree, err)
		if many, ok := err.(interface{ Unwrap() []error }); ok {
			for _, one := range many.Unwrap() {
				tree = wrapped(one, tree)
			}
			return tree
		}
		err = errors.Unwrap(err)
	}
	return tree
}

// anyIs reports what errors.Is does of one of several errors, without what these wrap.
func anyIs(tree []error, target error) bool {
	compares := reflect.TypeOf(target).Comparable()
	for _, err := range tree {
		if compares && err == target { //nolint:errorlint // tree has what it wraps
			return true
		}
		if x, ok := err.(interface{ Is(target error) bool }); ok && x.Is(target) {
			return true
		}
	}
	return false
}

// IsSource reports whether the name of a known variable is Go source.
func IsSource(name string) bool { return !strings.Contains(name, "/") }

// nameOf returns the name of the known variable that holds err itself, which must be comparable; "" if there is none
// whose name is Go source.
func nameOf(err error) string {
	for _, s := range sentinels {
		if *s.variable == err && IsSource(s.name) { //nolint:errorlint // an error that wraps it is written in another way
			return s.name
		}
	}
	return ""
}
