package runtime

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// simplifyJob is a job to make an input of a target easier to read.
func simplifyJob(target string, values []any, live ...wire.JobMutant) wire.Job {
	data := wire.EncodeEntry(values)
	return wire.Job{
		Kind: wire.JobSimplify, Target: target, Live: live, ProgramExecs: 1000, ProgramTime: -1,
		Corpus: []wire.JobEntry{{ID: wire.EntryID(data), Data: data}},
	}
}

func TestAnInputBecomesEasierToReadWhileTheMutantDiffersAsBefore(t *testing.T) {
	mutant := wire.JobMutant{ID: 7, Block: 28}
	for _, tt := range []struct {
		fact         string
		values, want []any
	}{
		{
			"of all types", []any{"x\x00\xff", int64(-77), true, 3.75, []byte("日\x01"), uint8(200), rune('世')},
			[]any{"", int64(0), true, 0.0, []byte(""), uint8(0), rune(0)},
		},
		{
			"it stays as it is if nothing is easier", []any{"", int64(0), true, 0.0, []byte(""), uint8(0), rune(0)}, nil,
		},
	} {
		got := runJob(t, simplifyJob("FuzzJoin", tt.values, mutant))
		got.only(t, wire.EventDone)
		list := got.of(wire.EventEntry)
		if tt.want == nil && len(list) == 0 {
			continue
		}
		if len(list) != 1 || list[0].Entry.Data != wire.EncodeEntry(tt.want) {
			t.Errorf("%s: %+v, want %q", tt.fact, got.events, wire.EncodeEntry(tt.want))
		}
	}
	// What shows nothing is not touched.
	if got := runJob(t, simplifyJob("FuzzClassify", []any{5}, wire.JobMutant{ID: 1, Probed: true})); len(got.of(wire.EventEntry)) != 0 {
		t.Errorf("an input on which the mutant does not differ: %+v", got.events)
	}
}

func TestAnErrorStaysAnErrorWhenAnInputIsMadeEasierToRead(t *testing.T) {
	// Without regard to what differs, any item of four bytes would do; an error is none of them.
	got := runJob(t, simplifyJob("FuzzPut", []any{"w\xe4\x00z"}, wire.JobMutant{ID: 8, Block: 32}))
	if e := got.only(t, wire.EventEntry); value(t, e) != "0000" {
		t.Errorf("got %q", value(t, e))
	}
}

func TestACrashKeepsItsPlaceWhenItsInputIsMadeEasierToRead(t *testing.T) {
	got := runJob(t, simplifyJob("FuzzFirst", []any{[]byte("!\x00\xffz!")}))
	if e := got.only(t, wire.EventEntry); string(value(t, e).([]byte)) != "!" {
		t.Errorf("got %q", value(t, e))
	}
}

// simplified is what is left of values while a property holds.
func simplified(limit int, values []any, holds func([]any) bool) []any {
	m := &minimiser{values: values, holds: holds, left: limit, over: func() bool { return false }}
	m.legible()
	return m.values
}

func TestPeopleCanReadWhatIsLeft(t *testing.T) {
	has := func(parts ...string) func([]any) bool {
		return func(v []any) bool {
			for _, part := range parts {
				if !strings.Contains(v[0].(string), part) {
					return false
				}
			}
			return true
		}
	}
	length := func(n int) func([]any) bool {
		return func(v []any) bool { return len(v[0].(string)) >= n }
	}
	invalid := func(v []any) bool { return strings.ContainsAny(v[0].(string), "\x00!") }
	for _, tt := range []struct {
		fact   string
		from   any
		holds  func([]any) bool
		expect any
	}{
		{"invisible bytes become digits", "\x00\x01\xff\xfe", length(3), "000"},
		{"where digits and letters do not do, punctuation", "\x00\x01", invalid, "!"},
		{"wide characters go as a whole", "日本(x)語", has("x"), "x"},
		{"brackets go in pairs", "((x))", func(v []any) bool {
			s := v[0].(string)
			return strings.Count(s, "(") == strings.Count(s, ")") && strings.Contains(s, "x")
		}, "x"},
		{"what has to stay stays", "\x00{\"a\": 日}\xff", has("{", "日"), "{日"},
		{"a letter is lower case", "Q", func(v []any) bool { return strings.ToLower(v[0].(string)) == "q" }, "q"},
		{"numbers are positive", -1000, func(v []any) bool { n := v[0].(int); return n*n > 2500 }, 51},
		{"numbers are small", 1 << 40, func(v []any) bool { return v[0].(int) > 1000 }, 1001},
		{"fractions are short", 0.7312345678, func(v []any) bool { f := v[0].(float64); return f > 0.5 && f < 1 }, 0.7},
		{"what is no number becomes one", math.Inf(1), func(v []any) bool { return v[0].(float64) > 0 }, 1.0},
	} {
		got := simplified(1000, []any{tt.from}, tt.holds)
		if !reflect.DeepEqual(got, []any{tt.expect}) {
			t.Errorf("%s: %q, want %q", tt.fact, got, tt.expect)
		}
	}
}

func TestADifferenceThatPeopleSeeComesBeforeOneThatTheyDoNot(t *testing.T) {
	hidden := [2]wire.Observation{{Site: 1, Hash: 1, Text: "T{}"}, {Site: 1, Hash: 2, Text: "T{}"}}
	plain := [2]wire.Observation{{Site: 2, Hash: 1, Text: "1"}, {Site: 2, Hash: 2, Text: "2"}}
	same := wire.Observation{Site: 3, Hash: 1, Text: "1"}
	for _, tt := range []struct {
		a, b []wire.Observation
		site int // 0: none
	}{
		{[]wire.Observation{same}, []wire.Observation{same}, 0},
		{[]wire.Observation{same, hidden[0]}, []wire.Observation{same, hidden[1]}, 1},
		{[]wire.Observation{hidden[0], same, plain[0]}, []wire.Observation{hidden[1], same, plain[1]}, 2},
		{[]wire.Observation{hidden[0], same}, []wire.Observation{hidden[1]}, 3},
		{[]wire.Observation{hidden[0]}, []wire.Observation{hidden[1], plain[1]}, 2},
	} {
		d := struckSites{}.shown(tt.a, tt.b)
		if (d == nil) != (tt.site == 0) || d != nil && d.site != tt.site {
			t.Errorf("%+v and %+v: %+v, want site %d", tt.a, tt.b, d, tt.site)
		}
	}
}

func TestMakingAnInputEasierToReadIsBounded(t *testing.T) {
	for _, limit := range []int{0, 1, 10, 100} {
		checks := 0
		simplified(limit, []any{bytes.Repeat([]byte{0xff}, 500), math.NaN()}, func([]any) bool { checks++; return checks%3 == 0 })
		if checks > limit {
			t.Errorf("%d checks, %d allowed", checks, limit)
		}
	}
}

func FuzzWhatIsLeftStillHolds(f *testing.F) {
	f.Add("a(b)c", "b", 1.5, int64(-3))
	f.Fuzz(func(t *testing.T, text, part string, x float64, n int64) {
		holds := func(v []any) bool {
			return strings.Contains(v[0].(string), part) == strings.Contains(text, part) && v[1].(float64) < 1 == (x < 1) && v[2].(int64)%2 == n%2
		}
		if before := []any{text, x, n}; !holds(simplified(300, before, holds)) {
			t.Errorf("%q does not hold", simplified(300, before, holds))
		}
	})
}

func TestWhatADriverReadsAsTextBecomesLetters(t *testing.T) {
	m := &minimiser{values: []any{[]byte{5, 7, 2}}, left: 1000, over: func() bool { return false }, driver: true}
	bytes := func() []byte { return m.values[0].([]byte) }
	m.holds = func(v []any) bool {
		b := v[0].([]byte)
		return len(b) == 3 && b[0]&3 == 1 && b[1] != 0 && b[2] != 0
	}
	m.escapes = func() (n int) {
		for _, b := range bytes()[1:] {
			if b < ' ' {
				n++
			}
		}
		return n
	}
	m.legible()
	if got := bytes(); string(got) != "aaa" {
		t.Errorf("got %q", got)
	}
}
