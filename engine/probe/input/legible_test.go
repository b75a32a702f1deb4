package input

import (
	"bytes"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// simplified returns what Simplify makes of values, keeping a property, with at most limit checks.
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
		{"invisible bytes become letters", "\x00\x01\xff\xfe", length(3), "aaa"},
		{"where digits and letters do not do, punctuation", "\x00\x01", invalid, "!"},
		{"where none of ASCII will do, another letter", "\xff0", func(v []any) bool {
			return strings.ContainsFunc(v[0].(string), func(r rune) bool { return r >= utf8.RuneSelf })
		}, "é"},
		{"wide characters go as a whole", "日本(x)語", has("x"), "x"},
		{"brackets go in pairs", "((x))", func(v []any) bool {
			s := v[0].(string)
			return strings.Count(s, "(") == strings.Count(s, ")") && strings.Contains(s, "x")
		}, "x"},
		{"what repeats itself is there once", "[a=''][b=''][a=''][a=''i", func(v []any) bool {
			return regexp.MustCompile(`^(\[[ab]=''\])*\[a=''i$`).MatchString(v[0].(string))
		}, "[a=''i"},
		{"an empty key has a name", "=x#", has("=", "#"), "a=#"},
		{"if it may have one", "=x#", func(v []any) bool { return strings.HasPrefix(v[0].(string), "=") }, "="},
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
	m := &Minimiser{Values: []any{[]byte{5, 7, 2}}, Left: 1000, Over: func() bool { return false }, Reads: true}
	bytes := func() []byte { return m.Values[0].([]byte) }
	m.Holds = func(v []any) bool {
		b := v[0].([]byte)
		return len(b) == 3 && b[0]&3 == 1 && b[1] != 0 && b[2] != 0
	}
	m.Calls = func() Calls { return Calls{Args: []string{strconv.Quote(string(bytes()[1:]))}} }
	m.Simplify()
	if got := bytes(); string(got) != "\x01aa" {
		t.Errorf("got %q", got)
	}
}

func TestWhereADriverNeedsOtherThanASCIIItReadsALetter(t *testing.T) {
	m := &Minimiser{Values: []any{[]byte{0xff, 'a', 0}}, Left: 1000, Over: func() bool { return false }, Reads: true}
	m.Holds = func(v []any) bool {
		return slices.ContainsFunc(v[0].([]byte), func(b byte) bool { return b >= utf8.RuneSelf })
	}
	m.Calls = func() Calls { return Calls{Args: []string{strconv.QuoteToGraphic(string(m.Values[0].([]byte)))}} }
	m.Simplify()
	if got := string(m.Values[0].([]byte)); got != "é" {
		t.Errorf("got %q", got)
	}
}

func TestWhereADriverNeedsOtherThanALetterItReadsASign(t *testing.T) {
	m := &Minimiser{Values: []any{[]byte{1, 0}}, Left: 1000, Over: func() bool { return false }, Reads: true}
	m.Holds = func(v []any) bool {
		b := v[0].([]byte)
		return len(b) > 0 && (b[0] == '&' || b[0] == 1)
	}
	m.Calls = func() Calls { return Calls{Args: []string{strconv.Quote(string(m.Values[0].([]byte)[:1]))}} }
	m.Simplify()
	if got := string(m.Values[0].([]byte)); got != "&" {
		t.Errorf("got %q", got)
	}
}

func TestALongTextBecomesOneLetterWhereOnlyItsLengthMatters(t *testing.T) {
	for from, want := range map[string]string{
		"ae1e6b667bb3d4247616d4f5ba10d4cf": strings.Repeat("a", 32),
		"ae1e6b66-bb3d4247616d4f5ba10d4cf": strings.Repeat("a", 8) + "-" + strings.Repeat("a", 23),
		"short 2a, which can be read":      strings.Repeat("a", 27),
		"ae1e6b667bb3d424":                 "ae1e6b667bb3d424", // can be read as it is
	} {
		m := &Minimiser{Values: []any{[]byte(from)}, Left: 1000, Over: func() bool { return false }, Reads: true}
		m.Holds = func(v []any) bool {
			b := v[0].([]byte)
			return len(b) == len(from) && bytes.IndexByte(b, '-') == strings.IndexByte(from, '-')
		}
		m.Calls = func() Calls { return Calls{Args: []string{strconv.Quote(string(m.Values[0].([]byte)))}} }
		m.even(0)
		if got := string(m.Values[0].([]byte)); got != want {
			t.Errorf("%q becomes %q, want %q", from, got, want)
		}
	}
}

func TestArgumentsThatHaveToBeEqualBecomeLettersTogether(t *testing.T) {
	got := simplified(1000, []any{"!!", []byte("0!!")}, func(v []any) bool {
		return v[0].(string) != "" && string(v[1].([]byte)) == "0"+v[0].(string)
	})
	if !reflect.DeepEqual(got, []any{"a", []byte("0a")}) {
		t.Errorf("%q", got)
	}
	got = simplified(1000, []any{"parse: %w", "parse: %w"}, func(v []any) bool { return v[0].(string) != "" && v[0] == v[1] })
	if !reflect.DeepEqual(got, []any{"a", "a"}) {
		t.Errorf("what has letters stays: %q", got)
	}
}

func TestTextsThatHaveToBeEqualBecomeLettersTogether(t *testing.T) {
	m := &Minimiser{Values: []any{[]byte("\x02\x02\x02")}, Left: 1000, Over: func() bool { return false }, Reads: true}
	m.Holds = func(v []any) bool {
		b := v[0].([]byte)
		return len(b) == 3 && b[0] == b[2] && b[0] > 1 && b[1] == 2
	}
	m.Calls = func() Calls { return Calls{Args: []string{strconv.Quote(string(m.Values[0].([]byte)))}} }
	m.Simplify()
	if got := string(m.Values[0].([]byte)); got != "a\x02a" {
		t.Errorf("got %q", got)
	}
}

func TestWhatSomebodyHasWrittenIsEasierToRead(t *testing.T) {
	contains := func(parts string) func([]any) bool {
		return func(v []any) bool { return strings.ContainsAny(v[0].(string), parts) }
	}
	length := func(n int) func([]any) bool {
		return func(v []any) bool { return len(v[0].(string)) >= n }
	}
	words := func(list ...string) (words [][]byte) {
		for _, word := range list {
			words = append(words, []byte(word))
		}
		return words
	}
	for _, tt := range []struct {
		fact    string
		written Written
		from    any
		holds   func([]any) bool
		expect  any
	}{
		{"a literal of a test", Written{Tests: words("Infinity", "NaN", "x")}, "n0\x00", length(2), "NaN"},
		{"a literal of the code", Written{Code: words("infinity", "zebra")}, "n0\x00aaaaa", length(5), "zebra"},
		{"an argument of a test rather than a literal", Written{Inputs: [][]any{{"nan"}}, Tests: words("NaN")}, "n0", length(2), "nan"},
		{"a literal of a test rather than one of the code", Written{Tests: words("nan"), Code: words("i0")}, "n0x0", length(2), "nan"},
		{"nothing is easier to read than a single character", Written{Tests: words("xy")}, "xy", contains("xy"), "x"},
		{"what is given stays if somebody has written it", Written{Inputs: [][]any{{"* * *"}}}, "* * *", length(4), "* * *"},
		{"a long literal is no help", Written{Tests: words("0123456789abc")}, "zzz", length(3), "aaa"},
		{"nor is one that cannot be read", Written{Tests: words("\x01\x02\x03", "\xff\xfe\xfd")}, "zzz", length(3), "aaa"},
		{"almost a literal", Written{Tests: words("*/2", "7/8", "1")}, "?/1", func(v []any) bool {
			s := v[0].(string)
			return s == "?/1" || s == "*/1"
		}, "*/1"},
		{"what is almost a literal stays", Written{Tests: words("ac", "abcd", "xycd")}, "a0cd", func(v []any) bool {
			return strings.Contains("a0cd x0cd", v[0].(string)) && len(v[0].(string)) > 3
		}, "a0cd"},
		{"a small number rather than zero, which no test passes", Written{Inputs: [][]any{{1.0}}}, 7.5, func(v []any) bool { return v[0].(float64) != 1 }, 2.0},
		{"zero if a test passes it", Written{Inputs: [][]any{{1}, {0}}}, 7, func(v []any) bool { return v[0].(int) != 1 }, 0},
		{"zero if no other number will do", Written{Inputs: [][]any{{1}}}, 0, func(v []any) bool { return v[0].(int) == 0 }, 0},
		{"a number", Written{Tests: words("text", "1", "0x40", "100")}, uint8(51), func(v []any) bool { return v[0].(uint8) > 50 }, uint8(64)},
		{"a fraction", Written{Tests: words("2.5")}, 7.25, func(v []any) bool { return v[0].(float64) > 2 && v[0].(float64) < 2.9 }, 2.5},
		{"no number that does not fit", Written{Tests: words("300")}, uint8(51), func(v []any) bool { return v[0].(uint8) > 50 || v[0].(uint8) == 44 }, uint8(51)},
		{"false rather than true", Written{Inputs: [][]any{{true}}}, true, func([]any) bool { return true }, false},
		{"bytes", Written{Tests: words("NaN")}, []byte("n\x00"), func(v []any) bool { return len(v[0].([]byte)) > 1 }, []byte("NaN")},
	} {
		m := &Minimiser{Values: []any{tt.from}, Holds: tt.holds, Left: 1000, Over: func() bool { return false }, Written: tt.written}
		if m.Simplify(); !reflect.DeepEqual(m.Values, []any{tt.expect}) {
			t.Errorf("%s: %q, want %q", tt.fact, m.Values, tt.expect)
		}
	}
}

func TestAnInputOfATestWithLessOrAnotherSignInItIsEasierToReadThanOneByChance(t *testing.T) {
	open := func(v []any) bool {
		text, key := v[0].(string), v[1].(string)
		return strings.Count(text, "{") > strings.Count(text, "}") && strings.Count(text, "\"") > 2 && key != "" && strings.Contains(text, key)
	}
	for _, tt := range []struct {
		fact   string
		tested [][]any
		want   []any
	}{
		{"cut short", [][]any{{`{"b":1}`, "b"}, {`{"b":"c"}`, "b"}}, []any{`{"b":"`, "b"}},
		{"a character less", [][]any{{`{"b":"c"}x{}`, "b"}}, []any{`{"b":"`, "b"}},
		{"another sign", [][]any{{`'b'' {`, "b"}}, []any{`"b"" {`, "b"}},
		{"no text of a test leads there", [][]any{{"true", "b"}}, []any{`{"""`, `"`}},
		{"a long one", [][]any{{`{"b":"` + strings.Repeat("c", 40) + `"}`, "b"}}, []any{`{"""`, `"`}},
	} {
		m := &Minimiser{Values: []any{`,{"":"\x00":`, `"`}, Holds: open, Left: 3000, Over: func() bool { return false }}
		m.Written.Inputs = tt.tested
		if m.Simplify(); !reflect.DeepEqual(m.Values, tt.want) {
			t.Errorf("%s: %q, want %q", tt.fact, m.Values, tt.want)
		}
	}
}

func TestAWordOfATestInCapitalsIsEasierToReadThanOneByChance(t *testing.T) {
	mixed := func(v []any) bool {
		scheme, _, ok := strings.Cut(v[0].(string), "://")
		return ok && len(scheme) > 3 && scheme != strings.ToLower(scheme)
	}
	m := &Minimiser{Values: []any{"q0Z+P://\x00"}, Holds: mixed, Left: 3000, Over: func() bool { return false }}
	m.Written.Inputs = [][]any{{"a+http://b"}}
	if m.Simplify(); m.Values[0] != "A+http://b" {
		t.Errorf("%q", m.Values)
	}
}

func TestWhatADriverReadsIsNoText(t *testing.T) {
	m := &Minimiser{Values: []any{[]byte("xx"), []byte("xx")}, Left: 1000, Over: func() bool { return false }, Reads: true}
	m.Written.Tests = [][]byte{[]byte("NaN")}
	m.Holds = func(v []any) bool { return len(v[0].([]byte)) > 1 && len(v[1].([]byte)) > 1 }
	if m.Simplify(); !reflect.DeepEqual(m.Values, []any{[]byte("NaN"), []byte("\x00\x00")}) {
		t.Errorf("%q", m.Values)
	}
}

func TestInputsOfTestsAreShownRatherThanBareTexts(t *testing.T) {
	begins := func(v []any) bool { return v[0].(string) != "" && v[1].(string) != "0" }
	for _, tt := range []struct {
		fact    string
		written Written
		expect  []any
	}{
		{"an input of a test", Written{Inputs: [][]any{{"", "x"}, {"{foo}", "{"}}}, []any{"{foo}", "{"}},
		{"none with which nothing differs", Written{Inputs: [][]any{{"foo", "0"}}}, []any{"a", ""}},
		{"no long one", Written{Inputs: [][]any{{strings.Repeat("a", longestWhole), "bar"}}}, []any{"a", "bar"}},
		{"none that cannot be read", Written{Inputs: [][]any{{"foo\x00", "bar"}}}, []any{"a", "bar"}},
	} {
		m := &Minimiser{Values: []any{"zz", "yy"}, Holds: begins, Left: 1000, Over: func() bool { return false }, Written: tt.written}
		if m.Simplify(); !reflect.DeepEqual(m.Values, tt.expect) {
			t.Errorf("%s: %q, want %q", tt.fact, m.Values, tt.expect)
		}
	}
}

func TestAnInputOfATestIsShownRatherThanSeveralTextsThatNobodyHasWritten(t *testing.T) {
	holds := func(v []any) bool { return len(v[1].(string)) > 1 && strings.Contains(v[0].(string), v[1].(string)) }
	for fact, tt := range map[string]struct {
		written []any
		expect  []any
	}{
		"both by chance": {[]any{"foo bar", "foo"}, []any{"foo bar", "foo"}},
		"one by chance":  {[]any{"foo bar", "aa"}, []any{"aa", "aa"}},
	} {
		m := &Minimiser{Values: []any{"aaa", "aa"}, Holds: holds, Left: 1000, Over: func() bool { return false }}
		m.Written.Inputs = [][]any{tt.written}
		if m.Simplify(); !reflect.DeepEqual(m.Values, tt.expect) {
			t.Errorf("%s: %q, want %q", fact, m.Values, tt.expect)
		}
	}
}

func TestAnInputOfATestHasToBeAsLegible(t *testing.T) {
	m := &Minimiser{Values: []any{"a", []byte{0}}, Left: 1000, Over: func() bool { return false }, Reads: true}
	m.Written.Inputs = [][]any{{"foo", []byte{1}}, {"bar", []byte{2}}}
	var last []any
	m.Holds = func(v []any) bool { last = v; return v[0] != "" }
	m.Calls = func() Calls {
		call := last[0].(string)
		if call == "foo" {
			call += "\x00"
		}
		return Calls{Args: []string{strconv.Quote(call)}}
	}
	if m.Simplify(); m.Values[0] != "bar" || last[0] != "bar" || len(m.Values[1].([]byte)) > 0 {
		t.Errorf("%q, and %q ran last", m.Values, last)
	}
}
