package value

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
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
	AddSentinel("p.ErrOwn", &errOwn)
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
		if got := Sentinels(test.err); !slices.Equal(got, test.want) {
			t.Errorf("%T: %v, want %v", test.err, got, test.want)
		}
	}
	if got := Argument(errOwn, ""); got != "p.ErrOwn" {
		t.Errorf("as an argument it is written %s", got)
	}
}

func TestVariableThatHoldsNoErrorIsNotAsked(t *testing.T) {
	var unset error
	before := sentinels
	defer func() { sentinels = before }()
	AddSentinel("p.ErrUnset", &unset)
	if got := Sentinels(errors.New("any")); got != nil {
		t.Errorf("got %v", got)
	}
}
