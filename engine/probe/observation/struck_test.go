package observation

import (
	"errors"
	"reflect"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

func TestStruckSitesAreNotCompared(t *testing.T) {
	record := func(pairs ...uint64) (list []wire.Observation) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, wire.Observation{Site: int(pairs[i]), Hash: pairs[i+1]})
		}
		return list
	}
	struck := make(Struck)
	if got := struck.Strike(record(1, 10, 2, 20, 3, 30), record(1, 10, 2, 21, 3, 30)); !reflect.DeepEqual(got, []int{2}) {
		t.Fatalf("struck %v, want site 2", got)
	}
	for _, test := range []struct {
		name    string
		a, b    []wire.Observation
		site    int
		differs bool
	}{
		{"same", record(1, 10), record(1, 10), 0, false},
		{"struck", record(2, 20, 1, 10), record(2, 99, 1, 10), 0, false},
		{"after struck", record(2, 20, 1, 10), record(2, 99, 1, 11), 1, true},
		{"struck missing", record(1, 10, 2, 20), record(1, 10), 0, false},
		{"missing", record(1, 10, 3, 30), record(1, 10), 3, true},
		{"added", record(1, 10), record(1, 10, 4, 40), 4, true},
		{"other site", record(1, 10), record(3, 10), 1, true},
	} {
		if at, differs := struck.Difference(test.a, test.b); at.Site != test.site || differs != test.differs {
			t.Errorf("%s: %d, %v", test.name, at.Site, differs)
		}
	}
	if got := struck.Strike(record(5, 1, 6, 1), record(5, 1, 7, 1)); !reflect.DeepEqual(got, []int{6, 7}) {
		t.Errorf("struck %v, want both sites where the order differs", got)
	}
}

func TestACallSucceedsThatGivesAValueAndNoError(t *testing.T) {
	var none *myError
	for name, tt := range map[string]struct {
		results []any
		want    bool
	}{
		"nothing":            {nil, false},
		"only no error":      {[]any{error(nil)}, false},
		"a value":            {[]any{0}, true},
		"no error":           {[]any{"", error(nil)}, true},
		"an error":           {[]any{"", errors.New("bad")}, false},
		"an error and a nil": {[]any{(*int)(nil), errors.New("bad")}, false},
		"a nil error type":   {[]any{none}, true},
	} {
		var r Recorder
		r.Result(1, tt.results)
		record := r.Finish()
		if got := (Struck{}).Succeeds(record, []int{7, 1}); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
		if (Struck{}).Succeeds(record, []int{7}) || (Struck{1: true}).Succeeds(record, []int{1}) {
			t.Errorf("%s: another site, or one that was struck, counts", name)
		}
	}
	var r Recorder
	r.Argument(1, new(int), reflect.TypeOf(new(int)))
	if record := r.Finish(); len(record) != 1 || (Struck{}).Succeeds(record, []int{1}) {
		t.Errorf("a call that did not return: %v", record)
	}
}

type myError struct{}

func (*myError) Error() string { return "" }

func TestObservationsBeyondTheBoundStillCount(t *testing.T) {
	recordOf := func(last int) []wire.Observation {
		var r Recorder
		for i := 0; i < 2*maxObservations; i++ {
			r.Result(1, []any{i})
		}
		r.Result(1, []any{last})
		return r.Finish()
	}
	a, b := recordOf(1), recordOf(2)
	if len(a) != maxObservations+1 {
		t.Fatalf("%d observations", len(a))
	}
	if at, differs := (Struck{}).Difference(a, b); !differs || at.Site != restSite {
		t.Errorf("site %d, %v; want the rest to differ", at.Site, differs)
	}
}

func TestADifferenceThatPeopleSeeComesBeforeOneThatTheyDoNot(t *testing.T) {
	hidden := [2]wire.Observation{{Site: 1, Hash: 1, Text: "T{}"}, {Site: 1, Hash: 2, Text: "T{}"}}
	plain := [2]wire.Observation{{Site: 2, Hash: 1, Text: "1"}, {Site: 2, Hash: 2, Text: "2"}}
	same := wire.Observation{Site: 3, Hash: 1, Text: "1"}
	written := [2]wire.Observation{{Site: 5, Hash: 1, After: []string{"1"}}, {Site: 5, Hash: 2, After: []string{"2"}}}
	const struckSite = 4
	for _, tt := range []struct {
		a, b   []wire.Observation
		site   int // 0: none
		before int
	}{
		{[]wire.Observation{same}, []wire.Observation{same}, 0, 0},
		{[]wire.Observation{same, hidden[0]}, []wire.Observation{same, hidden[1]}, 1, 1},
		{[]wire.Observation{hidden[0], same, plain[0]}, []wire.Observation{hidden[1], same, plain[1]}, 2, 2},
		{[]wire.Observation{hidden[0], same}, []wire.Observation{hidden[1]}, 3, 1},
		{[]wire.Observation{hidden[0]}, []wire.Observation{hidden[1], plain[1]}, 2, 1},
		{[]wire.Observation{{Site: struckSite, Hash: 1}, plain[0], same}, []wire.Observation{{Site: struckSite, Hash: 2}, plain[1], same}, 2, 1},
		{[]wire.Observation{written[0], same}, []wire.Observation{written[1], same}, 5, 0},
		{[]wire.Observation{written[0], same, plain[0], same, plain[0], same}, []wire.Observation{written[1], same, plain[1], same, plain[1], same}, 5, 4},
		{[]wire.Observation{written[0], same, plain[0]}, []wire.Observation{written[1]}, 5, 1},
		{[]wire.Observation{same, written[0]}, []wire.Observation{same, written[1], plain[1]}, 5, 2},
		{[]wire.Observation{same, plain[0], written[0], plain[0]}, []wire.Observation{same, plain[1], written[1], plain[1]}, 2, 1},
	} {
		d := Struck{struckSite: true}.Shown(tt.a, tt.b)
		if (d == nil) != (tt.site == 0) || d != nil && d.site != tt.site {
			t.Errorf("%+v and %+v: %+v, want site %d", tt.a, tt.b, d, tt.site)
		}
		if d != nil && d.Before() != tt.before {
			t.Errorf("%+v and %+v: %d calls come before, want %d", tt.a, tt.b, d.Before(), tt.before)
		}
	}
}

func TestADifferenceIsLikeOneThatShowsNoMore(t *testing.T) {
	observed := func(source, failed, text string) wire.Observation {
		return wire.Observation{Site: 1, Hash: uint64(len(text) + 1), Text: text, Args: []string{"1"}, Values: []string{source, "nil"}, Errors: []string{"", failed}}
	}
	of := func(a, b wire.Observation) Difference { return *between(&a, &b) }
	failing := observed("nil", "it fails", "nil, it fails")
	written, unwritten := of(observed("T{1}", "", "T{1}, nil"), failing), of(observed("", "", "T{…}, nil"), failing)
	if !written.As(written, nil) || !written.As(unwritten, nil) || unwritten.As(written, nil) {
		t.Errorf("with a form as source and without: %t, with: %t, without: %t", written.As(unwritten, nil), written.As(written, nil), unwritten.As(written, nil))
	}
}
