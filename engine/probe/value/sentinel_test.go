package value

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"testing"
)

// panics is an error whose methods panic.
type panics struct{}

func (panics) Error() string   { panic("Error") }
func (panics) Is(error) bool   { panic("Is") }
func (panics) Unwrap() []error { panic("Unwrap") }

func TestErrorsAreKnownByTheVariablesThatTheyWrap(t *testing.T) {
	errOwn := errors.New("own")
	before := sentinels
	defer func() { sentinels = before }()
	AddSentinel("p.ErrOwn", "m/p", &errOwn, true)
	for _, test := range []struct {
		err  error
		want []string
	}{
		{nil, nil},
		{errors.New("EOF"), nil},
		{io.EOF, []string{"io.EOF"}},
		{fmt.Errorf("read: %w", io.EOF), []string{"io.EOF"}},
		{errors.New("read: " + io.EOF.Error()), nil},
		{&fs.PathError{Op: "open", Err: fs.ErrNotExist}, []string{"os.ErrNotExist"}},
		{fmt.Errorf("%w: %w", errOwn, io.EOF), []string{"io.EOF", "p.ErrOwn"}},
		{panics{}, nil},
	} {
		if got := Sentinels(test.err, true); !slices.Equal(got, test.want) {
			t.Errorf("%T: %v, want %v", test.err, got, test.want)
		}
	}
	if got := Argument(errOwn, ""); got != "p.ErrOwn" {
		t.Errorf("as an argument it is written %s", got)
	}
}

func TestOfTwoErrorVariablesWithOneNameTheSecondHasItsPath(t *testing.T) {
	one, two := errors.New("one"), errors.New("two")
	before := sentinels
	defer func() { sentinels = before }()
	AddSentinel("api.ErrNotFound", "m/v1/api", &one, false)
	AddSentinel("api.ErrNotFound", "m/v2/api", &two, false)
	AddSentinel("api.ErrNotFound", "m/v2/api", &two, true)
	for _, test := range []struct {
		err     error
		harness bool
		want    []string
	}{
		{one, false, []string{"api.ErrNotFound"}},
		{one, true, nil},
		{two, false, []string{"m/v2/api.ErrNotFound"}},
		{fmt.Errorf("get: %w", two), true, []string{"m/v2/api.ErrNotFound"}},
	} {
		if got := Sentinels(test.err, test.harness); !slices.Equal(got, test.want) {
			t.Errorf("%v, harness %t: %v, want %v", test.err, test.harness, got, test.want)
		}
	}
	if got := Argument(two, ""); got != `errors.New("two")` {
		t.Errorf("its name is no source, but as an argument it is written %s", got)
	}
}

func TestKnownErrorsAreThoseThatErrorsIsFinds(t *testing.T) {
	for _, err := range []error{
		errors.Join(io.EOF, fs.ErrExist), fmt.Errorf("a: %w", errors.Join(errors.New("b"), fmt.Errorf("%w", io.ErrUnexpectedEOF))),
		&fs.PathError{Err: syscall.ENOENT}, &fs.PathError{Err: syscall.EACCES}, os.NewSyscallError("open", syscall.EEXIST), errors.New("a"),
	} {
		var want []string
		for _, s := range sentinels {
			if errors.Is(err, *s.variable) {
				want = append(want, s.name)
			}
		}
		if got := Sentinels(err, true); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", err, got, want)
		}
	}
}

func TestVariableThatHoldsNoErrorIsNotAsked(t *testing.T) {
	var unset error
	before := sentinels
	defer func() { sentinels = before }()
	AddSentinel("p.ErrUnset", "m/p", &unset, true)
	if got := Sentinels(errors.New("any"), true); got != nil {
		t.Errorf("got %v", got)
	}
}
