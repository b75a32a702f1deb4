package wire

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestValuesAreEncodedAsGoTestDoes(t *testing.T) {
	for _, test := range []struct {
		value any
		want  string
	}{
		{[]byte("a\x00\xff\"é"), `[]byte("a\x00\xff\"é")`},
		{"line\n`", "string(\"line\\n`\")"},
		{byte('a'), `byte('a')`},
		{byte(0), `byte('\x00')`},
		{byte(0xff), `byte('ÿ')`},
		{'世', `rune('世')`},
		{rune(-1), `int32(-1)`},
		{rune(0xd800), `int32(55296)`},
		{int(-3), `int(-3)`},
		{int8(-128), `int8(-128)`},
		{int16(7), `int16(7)`},
		{int64(math.MinInt64), `int64(-9223372036854775808)`},
		{uint(3), `uint(3)`},
		{uint16(3), `uint16(3)`},
		{uint32(3), `uint32(3)`},
		{uint64(math.MaxUint64), `uint64(18446744073709551615)`},
		{true, `bool(true)`},
		{1.5, `float64(1.5)`},
		{1e300, `float64(1e+300)`},
		{math.Copysign(0, -1), `float64(-0)`},
		{math.Inf(1), `float64(+Inf)`},
		{math.Inf(-1), `float64(-Inf)`},
		{math.NaN(), `float64(NaN)`},
		{math.Float64frombits(0x7ff8000000000002), `math.Float64frombits(0x7ff8000000000002)`},
		{float32(0.1), `float32(0.1)`},
		{math.Float32frombits(0x7fc00001), `math.Float32frombits(0x7fc00001)`},
	} {
		got := EncodeEntry([]any{test.value})
		if want := "go test fuzz v1\n" + test.want + "\n"; got != want {
			t.Errorf("%v: got %q, want %q", test.value, got, want)
		}
		back, err := DecodeEntry(got)
		if err != nil || len(back) != 1 || !sameValue(back[0], test.value) {
			t.Errorf("%s comes back as %#v, %v", test.want, back, err)
		}
	}
}

// sameValue reports whether two values are equal, floating-point numbers bit by bit.
func sameValue(a, b any) bool {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		return ok && math.Float64bits(a) == math.Float64bits(b)
	case float32:
		b, ok := b.(float32)
		return ok && math.Float32bits(a) == math.Float32bits(b)
	}
	return reflect.DeepEqual(a, b)
}

func TestHandWrittenEntriesAreRead(t *testing.T) {
	for _, test := range []struct {
		line string
		want any
	}{
		{"string(`raw\\n`)", `raw\n`},
		{`int(0x10)`, 16},
		{`byte(65)`, byte('A')},
		{`uint8(65)`, byte('A')},
		{`byte('\xff')`, byte(0xff)},
		{`rune(97)`, 'a'},
		{`int32(97)`, 'a'},
		{`float64(3)`, 3.0},
		{`  bool( false )  `, false},
		{`string(")(")`, ")("},
	} {
		got, err := DecodeEntry("go test fuzz v1\r\n" + test.line + "\r\n\n")
		if err != nil || len(got) != 1 || got[0] != test.want {
			t.Errorf("%s: got %#v, %v; want %#v", test.line, got, err, test.want)
		}
	}
}

func TestMalformedEntriesAreErrorsThatNameTheLine(t *testing.T) {
	for _, text := range []string{
		"", "go test fuzz v2\nint(1)\n", "go test fuzz v1", "go test fuzz v1\n\n",
		"go test fuzz v1\nint(1", "go test fuzz v1\nint 1)", "go test fuzz v1\nint(x)",
		"go test fuzz v1\nint8(128)", "go test fuzz v1\nstring('a')", "go test fuzz v1\n[]byte()",
		"go test fuzz v1\nbool(1)", "go test fuzz v1\nbyte('世')", "go test fuzz v1\nrune('ab')",
		"go test fuzz v1\nuintptr(1)", "go test fuzz v1\nrune(')",
	} {
		if values, err := DecodeEntry(text); err == nil {
			t.Errorf("%q is read as %#v", text, values)
		}
	}
	_, err := DecodeEntry("go test fuzz v1\nint(1)\nint(x)\n")
	if err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("error %v does not name line 3", err)
	}
}

func FuzzDecodedEntriesSurviveEncoding(f *testing.F) {
	f.Add("go test fuzz v1\nint(3)\nstring(\"x\")\n")
	f.Add("go test fuzz v1\nfloat64(NaN)\nmath.Float32frombits(0x7fc00001)\nbyte('ÿ')\n")
	f.Add("go test fuzz v1\n[]byte(\"\\xff\")\nrune(-1)\nbool(true)\n")
	f.Fuzz(func(t *testing.T, text string) {
		values, err := DecodeEntry(text)
		if err != nil {
			return
		}
		encoded := EncodeEntry(values)
		again, err := DecodeEntry(encoded)
		if err != nil {
			t.Fatalf("%q: %v", encoded, err)
		}
		if second := EncodeEntry(again); second != encoded {
			t.Errorf("encoded as %q, then as %q", encoded, second)
		}
	})
}

func TestInputInTheStateComesBack(t *testing.T) {
	values := []any{
		[]byte("bytes"), "text", true, false, int(-1), int8(-2), int16(-3), int32(-4), int64(-5),
		uint(1), uint8(2), uint16(3), uint32(4), uint64(5), float32(1.5), math.Inf(-1),
	}
	buffer := make([]byte, 1024)
	n := EncodeStateInput(buffer, values)
	got, err := DecodeStateInput(buffer[:n])
	if err != nil || !reflect.DeepEqual(got, values) {
		t.Errorf("got %#v, %v; want %#v", got, err, values)
	}
	for size := 1; size < n; size++ {
		if EncodeStateInput(buffer[:size], values) != -1 {
			t.Fatalf("%d bytes are said to fit into %d", n, size)
		}
	}
}

func FuzzAnyStateInputIsReadOrRefused(f *testing.F) {
	buffer := make([]byte, 64)
	f.Add(buffer[:EncodeStateInput(buffer, []any{"text", 3})])
	f.Fuzz(func(t *testing.T, data []byte) {
		values, err := DecodeStateInput(data)
		if err != nil {
			return
		}
		buffer := make([]byte, len(data)+16)
		if n := EncodeStateInput(buffer, values); n != len(data) {
			t.Errorf("%d bytes are read, %d written", len(data), n)
		}
	})
}

func TestEntryIDIsTheNameGoTestGivesTheFile(t *testing.T) {
	if got, want := EntryID("go test fuzz v1\nstring(\"0\")\n"), "771e938e4458e983"; got != want {
		t.Errorf("ID %s, want %s", got, want)
	}
}
