package input

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// everyType returns a value of each type that Go can fuzz.
func everyType() []any {
	return []any{
		[]byte("bytes 12"), "text 34", true, 1, int8(1), int16(1), int32(1), int64(1),
		uint(1), uint8(1), uint16(1), uint32(1), uint64(1), float32(1), 1.0,
	}
}

func TestMutatedValuesKeepTheirTypes(t *testing.T) {
	values := everyType()
	m := NewMutator(&Random{1}, [][]byte{[]byte("word"), []byte("77")}, nil, 1<<16)
	for i := 0; i < 5000; i++ {
		mutated := m.Mutate(values, values)
		for k := range values {
			if reflect.TypeOf(mutated[k]) != reflect.TypeOf(values[k]) {
				t.Fatalf("%T becomes %T", values[k], mutated[k])
			}
		}
		values = mutated
	}
}

func TestModestNumbersAreSmall(t *testing.T) {
	values := []any{1, int64(1), uint(1), uint64(1), uint8(1)}
	m := NewMutator(&Random{1}, [][]byte{[]byte("1234567890")}, nil, 1<<16)
	m.Modest = true
	for range 5000 {
		values = m.Mutate(values, values)
		for _, v := range values {
			n := reflect.ValueOf(v)
			if n.CanInt() && max(n.Int(), -n.Int()) >= maxModest || n.CanUint() && n.Uint() >= maxModest {
				t.Fatalf("%T(%v)", v, v)
			}
		}
	}
}

func TestMutatingLeavesTheOriginalAlone(t *testing.T) {
	seed := []byte("seed 123 text")
	values := []any{append([]byte(nil), seed...)}
	m := NewMutator(&Random{2}, [][]byte{[]byte("w")}, nil, 64)
	for i := 0; i < 2000; i++ {
		mutated := m.Mutate(values, values)[0].([]byte)
		for k := range mutated {
			mutated[k] = 0
		}
		if !bytes.Equal(values[0].([]byte), seed) {
			t.Fatalf("mutation %d changed its input to %q", i, values[0])
		}
	}
}

func TestInputsKeepToTheLimitUntilItGrows(t *testing.T) {
	m := NewMutator(&Random{3}, [][]byte{[]byte("literal")}, nil, 100)
	values := []any{[]byte{}}
	longest := func() (n int) {
		for i := 0; i < 20_000; i++ {
			values = m.Mutate(values, []any{[]byte("0123456789")})
			n = max(n, len(values[0].([]byte)))
		}
		return n
	}
	if n := longest(); n != firstLimit {
		t.Errorf("inputs reach %d bytes, want %d", n, firstLimit)
	}
	m.Grow()
	m.Grow()
	if n := longest(); n != 100 {
		t.Errorf("inputs reach %d bytes, want the maximum of 100", n)
	}
}

func TestLongSeedsAreNotCut(t *testing.T) {
	seed := bytes.Repeat([]byte("x"), 500)
	m := NewMutator(&Random{4}, nil, nil, 1<<16)
	longest := 0
	for i := 0; i < 1000; i++ {
		longest = max(longest, len(m.Mutate([]any{seed}, []any{seed})[0].([]byte)))
	}
	if longest != 500 {
		t.Errorf("the longest input of a seed of 500 bytes has %d", longest)
	}
}

func TestLiteralsOfTheCodeAreFoundSoon(t *testing.T) {
	words := [][]byte{[]byte("v1.2"), []byte("deadbeef"), []byte("123456789"), []byte("-40")}
	for _, test := range []struct {
		name  string
		start any
		want  any
	}{
		{"string", "", "v1.2"},
		{"other string", "abc", "deadbeef"},
		{"int", 0, 123456789},
		{"neighbour", 0, 123456788},
		{"negative", int8(0), int8(-40)},
		{"uint32", uint32(0), uint32(123456789)},
		{"little-endian", []byte{}, []byte{0x15, 0xcd, 0x5b, 0x07}},
		{"big-endian", []byte{9}, []byte{0x07, 0x5b, 0xcd, 0x15}},
	} {
		m := NewMutator(&Random{5}, words, nil, 1<<16)
		values := []any{test.start}
		i := 0
		for i < 200_000 && !reflect.DeepEqual(m.Mutate(values, values)[0], test.want) {
			i++
		}
		if i == 200_000 {
			t.Errorf("%s: %v is not found", test.name, test.want)
		}
	}
}

func TestEqualSeedsGiveEqualInputs(t *testing.T) {
	sequence := func(seed uint64) (list []any) {
		m := NewMutator(&Random{seed}, [][]byte{[]byte("w")}, nil, 64)
		values := everyType()
		for i := 0; i < 200; i++ {
			values = m.Mutate(values, everyType())
			list = append(list, wire.EncodeEntry(values))
		}
		return list
	}
	if !reflect.DeepEqual(sequence(9), sequence(9)) {
		t.Error("the same seed gives other inputs")
	}
	if reflect.DeepEqual(sequence(9), sequence(10)) {
		t.Error("another seed gives the same inputs")
	}
}

func TestRandomNumbersStayBelowAndReachEveryValue(t *testing.T) {
	r := Random{7}
	for n := 1; n < 20; n++ {
		seen := make([]bool, n)
		for i := 0; i < 200*n; i++ {
			seen[r.Below(n)] = true // panics if out of range
		}
		for i, ok := range seen {
			if !ok {
				t.Errorf("below(%d) never gives %d", n, i)
			}
		}
	}
}

func TestLinesAreMarkedAndWordsEnclosed(t *testing.T) {
	m := NewMutator(&Random{1}, [][]byte{[]byte("word")}, nil, 1<<10)
	want := map[string]bool{"\ta\n\tb\n": false, "a\n\tb\n": false, "b\na\nb\n": false, "b\n": false}
	for range 100_000 {
		m.buffer = append(m.buffer[:0], "a\nb\n"...)
		m.line(64)
		if _, ok := want[string(m.buffer)]; ok {
			want[string(m.buffer)] = true
		}
	}
	for text, found := range want {
		if !found {
			t.Errorf("the lines a and b never become %q", text)
		}
	}
	enclosed := map[string]bool{`x"word"y`: false, "[x]y": false, "x(y)": false}
	for range 100_000 {
		m.buffer = append(m.buffer[:0], "xy"...)
		m.enclose(64)
		if _, ok := enclosed[string(m.buffer)]; ok {
			enclosed[string(m.buffer)] = true
		}
		m.buffer = append(m.buffer[:0], "xy"...)
		if m.enclose(3); len(m.buffer) > 3 {
			t.Fatalf("%q is longer than it may be", m.buffer)
		}
	}
	for text, found := range enclosed {
		if !found {
			t.Errorf("xy never becomes %q", text)
		}
	}
}
