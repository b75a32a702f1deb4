package observation

import (
	"bytes"
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
