package input

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
)

// capital reports whether the scheme of an address contains "+http", in any case, and a capital letter.
func capital(address string) bool {
	scheme, _, ok := strings.Cut(address, ":")
	lower := strings.ToLower(scheme)
	return ok && strings.Contains(lower, "+http") && scheme != lower
}

func TestATextWithAPartOfALiteralOfATestBecomesThatWithASmallChange(t *testing.T) {
	literals := [][]byte{[]byte("x"), []byte("other"), []byte("db+http://user@localhost/?a=b"), bytes.Repeat([]byte("+http"), 20)}
	const want = "DB+http://user@localhost/?a=b"

	m := &Minimiser{Values: []any{"qwer+htTp:a"}, Left: 100, Over: func() bool { return false }}
	m.Holds = func(v []any) bool { return capital(v[0].(string)) }
	m.Written.Tests = literals
	if m.akin(); m.Values[0] != want {
		t.Errorf("an argument: %q", m.Values)
	}

	var made Calls
	m = &Minimiser{Values: []any{1, []byte("\x05\x00\x01qwer+htTp:a\x00tail\x00")}, Reads: true, Left: 100, Over: func() bool { return false }}
	m.Holds = func(v []any) bool {
		parts := bytes.Split(v[1].([]byte), []byte{0})
		if len(parts) != 4 || parts[1][0] != 1 || string(parts[2]) != "tail" {
			return false
		}
		made.Args = []string{"&T{Address: " + strconv.Quote(string(parts[1][1:])) + "}", `"tail"`}
		return capital(string(parts[1][1:]))
	}
	m.Calls = func() Calls { return made }
	m.Written.Tests = literals
	m.Holds(m.Values)
	if m.akin(); string(m.Values[1].([]byte)) != "\x05\x00\x01"+want+"\x00tail\x00" {
		t.Errorf("within data: %q", m.Values)
	}
}

func TestWhatSomebodyHasWrittenStaysAndSoDoesWhatIsLikeNothing(t *testing.T) {
	for _, text := range []string{"db+HTTP:", "zz+httP:"} {
		m := &Minimiser{Values: []any{text}, Left: 100, Over: func() bool { return false }}
		m.Holds = func(v []any) bool { return capital(v[0].(string)) }
		m.Written.Tests = [][]byte{[]byte("db+HTTP:"), []byte("ab")}
		if text == "zz+httP:" {
			m.Written.Tests = m.Written.Tests[1:]
		}
		if m.akin(); m.Values[0] != text {
			t.Errorf("%q became %q", text, m.Values)
		}
	}
}

func TestPiecesInCommonAreFoundWhereverTheyAre(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "a", 0}, {"abc", "xabcx", 3}, {"abab", "bab", 3}, {"aaa", "aa", 2}, {"abc", "def", 0}} {
		if got := inCommon([]byte(tt.a), []byte(tt.b)); got != tt.want {
			t.Errorf("%q and %q: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestAWholeInputOfATestIsTakenWithAWordOfItInWhatADriverMakesValuesOf(t *testing.T) {
	m := &Minimiser{Values: []any{"", "", "", []byte("\x01")}, Reads: true, Left: 100, Over: func() bool { return false }}
	m.Holds = func(v []any) bool { // the data: length of a map, a zero for its nil item, its key
		data := append(bytes.Clone(v[3].([]byte)), 0, 0)
		if data[0] != 1 || data[1] != 0 {
			return false
		}
		key, _, _ := bytes.Cut(data[2:], []byte{0})
		return strings.Contains(v[0].(string), v[1].(string)+string(key)+v[2].(string))
	}
	m.Written.Inputs = [][]any{{"a {foo} b", "{", "}", []byte("\x00")}}
	if m.whole(); m.Values[0] != "a {foo} b" || string(m.Values[3].([]byte)) != "\x01\x00foo" {
		t.Errorf("%q", m.Values)
	}
}
