package input

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
)

// simplified is what is left of values while a property holds.
func simplified(limit int, values []any, holds func([]any) bool) []any {
	m := &Minimiser{Values: values, Holds: holds, Left: limit, Over: func() bool { return false }}
	m.Simplify()
	return m.Values
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
	m := &Minimiser{Values: []any{[]byte{5, 7, 2}}, Left: 1000, Over: func() bool { return false }, Driver: true}
	bytes := func() []byte { return m.Values[0].([]byte) }
	m.Holds = func(v []any) bool {
		b := v[0].([]byte)
		return len(b) == 3 && b[0]&3 == 1 && b[1] != 0 && b[2] != 0
	}
	m.Escapes = func() (n int) {
		for _, b := range bytes()[1:] {
			if b < ' ' {
				n++
			}
		}
		return n
	}
	m.Simplify()
	if got := bytes(); string(got) != "aaa" {
		t.Errorf("got %q", got)
	}
}
