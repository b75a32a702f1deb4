package observation

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// observe returns the observation of one call with these arguments.
func observe(arguments ...any) wire.Observation {
	var r Recorder
	for _, a := range arguments {
		r.Argument(1, a, reflect.TypeOf(a))
	}
	r.Result(1, nil)
	return r.Finish()[0]
}

func TestWritesAreObservedBesideALargeReceiver(t *testing.T) {
	large := make([]any, 20_000)
	for i := range large {
		large[i] = i
	}
	one, other := bytes.NewBufferString("one"), bytes.NewBufferString("other")
	if observe(&large, one).Hash == observe(&large, other).Hash {
		t.Error("what was written makes no difference")
	}
	if observe(&large, one).Hash != observe(&large, bytes.NewBufferString("one")).Hash {
		t.Error("the same call is observed in two ways")
	}
}

type inner struct{ N int }

func (*inner) M() {}

func TestWhatIsWithinATypeThatOthersCannotNameIsNotObservedWhereItIsAnInterface(t *testing.T) {
	after := func(n int, static reflect.Type, exported bool) uint64 {
		r := Recorder{render: true, Exported: exported}
		v := &inner{1}
		r.Argument(1, v, static)
		v.N = n
		r.Result(1, nil)
		return r.Finish()[0].Hash
	}
	face, pointer := reflect.TypeOf((*interface{ M() })(nil)).Elem(), reflect.TypeOf(&inner{})
	for _, tt := range []struct {
		static   reflect.Type
		exported bool
		observed bool
	}{{face, true, false}, {face, false, true}, {pointer, true, true}} {
		if got := after(2, tt.static, tt.exported) != after(3, tt.static, tt.exported); got != tt.observed {
			t.Errorf("as %s, exported fields alone: %v: observed: %v", tt.static, tt.exported, got)
		}
	}
}

func TestWhatIsLeftInABufferThatIsGivenBackIsNotObserved(t *testing.T) {
	call := func(left string, results ...any) wire.Observation {
		r := Recorder{render: true}
		buf := []byte("buf")
		r.Argument(1, buf, reflect.TypeOf(buf))
		copy(buf, left)
		r.Result(1, results)
		return r.Finish()[0]
	}
	if a, b := call("one", []byte("out")), call("two", []byte("out")); a.Hash != b.Hash || a.After[0] != "" {
		t.Errorf("%+v and %+v differ", a, b)
	}
	if a, b := call("one", 3), call("two", 3); a.Hash == b.Hash || a.After[0] == "" {
		t.Errorf("%+v and %+v: what is written into the argument is all that there is", a, b)
	}
}

func TestOfAFailureItIsObservedWhichKnownErrorItIs(t *testing.T) {
	for _, exported := range []bool{false, true} {
		call := func(err error) wire.Observation {
			r := Recorder{render: true, Exported: exported}
			r.Result(1, []any{0, err})
			return r.Finish()[0]
		}
		wrapped, other, named := call(fmt.Errorf("read: %w", io.ErrUnexpectedEOF)), call(fmt.Errorf("read: %w", errors.New("other"))), call(io.ErrUnexpectedEOF)
		if wrapped.Hash == other.Hash {
			t.Errorf("exported %v: callers that ask for the error see no difference", exported)
		}
		if exported && wrapped.Hash != named.Hash {
			t.Error("the text of an error counts")
		}
		if got := wrapped.Values[1]; got != "io.ErrUnexpectedEOF" {
			t.Errorf("exported %v: the error is written %q", exported, got)
		}
		if d := between(&wrapped, &other); !d.visible || d.sentinels == "" {
			t.Errorf("exported %v: the difference is not told: %+v", exported, d)
		}
	}
}
