package input

import (
	"hash/crc32"

	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// minimised returns what Minimise makes of values, keeping a property, and how many of limit checks it took.
func minimised(values []any, limit int, holds func([]any) bool) (result []any, checks int) {
	m := &Minimiser{Values: values, Left: limit, Over: func() bool { return false }}
	m.Holds = func(v []any) bool { checks++; return holds(v) }
	m.Minimise()
	return m.Values, checks
}

func TestMinimisingKeepsOnlyWhatThePropertyNeeds(t *testing.T) {
	for _, test := range []struct {
		name         string
		values, want []any
		holds        func(v []any) bool
	}{
		{"needle", []any{[]byte("hay {needle} hay")}, []any{[]byte("needle")},
			func(v []any) bool { return bytes.Contains(v[0].([]byte), []byte("needle")) }},
		{"length", []any{"ab\x00\xffcdefgh"}, []any{"aaaa"}, func(v []any) bool { return len(v[0].(string)) >= 4 }},
		{"digits stay digits", []any{"2026-11"}, []any{"0000"}, func(v []any) bool {
			return strings.IndexFunc(v[0].(string), unicode.IsLetter) < 0 && len(v[0].(string)) >= 4
		}},
		{"bound", []any{123456}, []any{1001}, func(v []any) bool { return v[0].(int) > 1000 }},
		{"negative", []any{int64(-98765)}, []any{int64(-7)}, func(v []any) bool { return v[0].(int64) < -6 }},
		{"minimum", []any{int64(math.MinInt64)}, []any{int64(0)}, func([]any) bool { return true }},
		{"unsigned", []any{uint8(255)}, []any{uint8(129)}, func(v []any) bool { return v[0].(uint8) > 128 }},
		{"zero stays", []any{uint(0), 0, 0.0}, []any{uint(0), 0, 0.0}, func([]any) bool { return true }},
		{"fraction", []any{17.25}, []any{3.0}, func(v []any) bool { return v[0].(float64) > 2 }},
		{"several", []any{"x", true, 9}, []any{"", false, 0}, func([]any) bool { return true }},
		{"nothing", []any{"x", true, 9}, []any{"x", true, 9}, func([]any) bool { return false }},
	} {
		got, checks := minimised(test.values, 250, test.holds)
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
		if checks > 250 {
			t.Errorf("%s: %d checks", test.name, checks)
		}
	}
}

// The driver of this test makes a call of every three bytes. Only one call matters; another can only be left out whole.
func TestCallsThatDriversMakeOfBytesAreLeftOut(t *testing.T) {
	matters := []byte{1, 7, 'x'}
	holds := func(v []any) bool {
		data := v[0].([]byte)
		found := false
		for i := 0; i < len(data); i += 3 {
			call := data[i:min(i+3, len(data))]
			if len(call) < 3 || call[0] != 1 || call[1] < 3 { // it is no call
				return false
			}
			found = found || bytes.Equal(call, matters)
		}
		return found
	}
	m := &Minimiser{Values: []any{[]byte("\x01\x03a\x01\x04b\x01\x05c\x01\x07x\x01\x06d")}, Left: 250, Over: func() bool { return false }, Holds: holds, Reads: true}
	m.Minimise()
	if got := m.Values[0].([]byte); !bytes.Equal(got, matters) {
		t.Errorf("%q", got)
	}
}

func TestMinimisingNeverLosesTheProperty(t *testing.T) {
	m := NewMutator(&Random{11}, nil, nil, 64)
	values := everyType()
	for i := 0; i < 100; i++ {
		values = m.Mutate(values, everyType())
		want := crc32.ChecksumIEEE([]byte(wire.EncodeEntry(values))) % 7
		holds := func(v []any) bool { return crc32.ChecksumIEEE([]byte(wire.EncodeEntry(v)))%7 == want }
		if got, _ := minimised(values, 100, holds); !holds(got) {
			t.Fatalf("%s became %s", wire.EncodeEntry(values), wire.EncodeEntry(got))
		}
	}
}
