//go:build go1.21

package value

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
)

// sentinel is an error variable that callers may look for in an error, with errors.Is.
type sentinel struct {
	name     string // qualified by the name of its package
	variable *error // read when needed: the program may assign to it
}

// sentinels are those of the standard library that errors of other packages often wrap, and those that AddSentinel has
// added. It is only changed while packages are initialised.
var sentinels = []sentinel{
	{"io.EOF", &io.EOF}, {"io.ErrUnexpectedEOF", &io.ErrUnexpectedEOF}, {"os.ErrNotExist", &os.ErrNotExist},
	{"os.ErrExist", &os.ErrExist}, {"os.ErrPermission", &os.ErrPermission}, {"os.ErrClosed", &os.ErrClosed},
	{"context.Canceled", &context.Canceled}, {"context.DeadlineExceeded", &context.DeadlineExceeded},
}

// AddSentinel makes an exported error variable of the program known by its name, qualified by that of its package. A
// name that is known already stays as it is. The result, always true, is for a declaration that calls AddSentinel.
func AddSentinel(name string, variable *error) bool {
	if !slices.ContainsFunc(sentinels, func(s sentinel) bool { return s.name == name }) {
		sentinels = append(sentinels, sentinel{name, variable})
	}
	return true
}

// Sentinels returns the names of the known error variables that err is or wraps, those of the program last. It is nil
// if err is nil, or if its methods, which are code of the program, panic.
func Sentinels(err error) (names []string) {
	defer func() {
		if recover() != nil {
			names = nil
		}
	}()
	if err == nil {
		return nil
	}
	for _, s := range sentinels {
		if *s.variable != nil && errors.Is(err, *s.variable) {
			names = append(names, s.name)
		}
	}
	return names
}

// nameOf returns the name of the known variable that holds err itself, which must be comparable; "" if there is none.
func nameOf(err error) string {
	for _, s := range sentinels {
		if *s.variable == err { //nolint:errorlint // an error that wraps it is written in another way
			return s.name
		}
	}
	return ""
}
