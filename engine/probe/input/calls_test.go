package input

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestWhatCannotBeReadInArgumentsIsCounted(t *testing.T) {
	for source, want := range map[string]int{
		`F("a", "")`: 0, `"a b"`: 0, `" "`: 1, `[]string{" ", "", "  "}`: 2, `"\xff \u200b"`: 2, `T{A: " a", B: "é"}`: 0,
	} {
		if got := (Calls{Args: []string{source}}).escapes(); got != want {
			t.Errorf("%s: %d, want %d", source, got, want)
		}
	}
}

func TestWhatIsEmptyInArgumentsIsCounted(t *testing.T) {
	for source, want := range map[string]int{
		`"a"`: 0, `""`: 1, `[]byte("")`: 1, `nil`: 1, `(*T)(nil)`: 1, `[]int(nil)`: 0, `T{}`: 1, `&pkg.T{}`: 1, `T[string, int]{}`: 1,
		`[]T{T{}, T{A: U{}}, T{A: ""}}`: 3, `map[string]string{"": "a\"", "b": ""}`: 2, `"\""`: 0, `[]T{}`: 0, `map[string]int{}`: 0, `map[string]struct{}{"a": struct{}{}}`: 0, `map[string]interface{}(nil)`: 0,
	} {
		if got := (Calls{Args: []string{source}}).empties(); got != want {
			t.Errorf("%s: %d, want %d", source, got, want)
		}
	}
}

// texts returns what the driver of these tests reads from data: two texts, which end at a zero byte, and a value of any
// type, which is a text or nil. For nil it returns "".
func texts(data []byte) []string {
	parts := strings.SplitN(string(data)+"\x00\x00\x00", "\x00", 4)
	if dynamic, ok := strings.CutPrefix(parts[2], aText); ok {
		parts[2] = dynamic
	} else {
		parts[2] = ""
	}
	return parts[:3]
}

// filling returns a Minimiser of the data that a driver reads. args and results return the sources of the arguments and
// results of the calls that the driver makes of data; results may be nil.
func filling(data string, holds func(data []byte) bool, args func(data []byte) []string, results func(data []byte) []string) *Minimiser {
	m := &Minimiser{Values: []any{[]byte(data)}, Left: 2000, Over: func() bool { return false }, Reads: true}
	m.Holds = func(v []any) bool { return holds(v[0].([]byte)) }
	m.Calls = func() (c Calls) {
		now := m.Values[0].([]byte)
		c.Args = args(now)
		if results != nil {
			c.Results = results(now)
		}
		return c
	}
	return m
}

func quoted(list []string) []string {
	list = slices.Clone(list)
	for i, text := range list {
		list[i] = strconv.Quote(text)
	}
	return list
}

func TestEmptyTextsAndNilBecomeLettersWhereTheyNeedNotBeEmpty(t *testing.T) {
	for _, tt := range []struct {
		fact  string
		holds func(list []string) bool
		want  []string
	}{
		{"all may be anything", func([]string) bool { return true }, []string{"a", "b", "c"}},
		{"the second has to be empty", func(list []string) bool { return list[1] == "" }, []string{"a", "", "b"}},
		{"the last has to be", func(list []string) bool { return list[2] == "" }, []string{"a", "b", ""}},
		{"two have to be equal", func(list []string) bool { return list[0] == list[1] }, []string{"a", "a", "b"}},
	} {
		m := filling("", func(data []byte) bool { return tt.holds(texts(data)) }, func(data []byte) []string { return quoted(texts(data)) }, nil)
		m.Simplify()
		if got := texts(m.Values[0].([]byte)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.fact, got, tt.want)
		}
	}
}

func TestAFieldIsFilledIfWhatTheCallGivesHasIt(t *testing.T) {
	fields := func(data []byte) []string {
		list := texts(data)
		source := "T{C: 1"
		for i, field := range []string{", A: ", ", B: "} {
			if list[i] != "" {
				source += field + strconv.Quote(list[i])
			}
		}
		return []string{source + "}"}
	}
	m := filling("", func([]byte) bool { return true }, fields, func(data []byte) []string { return []string{"/" + texts(data)[1]} })
	m.Simplify()
	if got := fields(m.Values[0].([]byte))[0]; got != `T{C: 1, B: "a"}` {
		t.Errorf("got %s", got)
	}
}

func TestNumbersAreToldApartIfTheyNeedNotBeAlike(t *testing.T) {
	for want, holds := range map[int]func(v []any) bool{
		2: func(v []any) bool { return v[0].(int) > 0 && v[1].(int) >= v[0].(int) },
		1: func(v []any) bool { return v[0].(int) > 0 && v[1] == v[0] },
	} {
		if got := simplified(1000, []any{7, 7}, holds); got[0] != 1 || got[1] != want {
			t.Errorf("%v, want 1 and %d", got, want)
		}
	}
}

func TestALetterMakesNoFurtherCalls(t *testing.T) {
	calls := func(data []byte) (args []string) {
		for _, text := range texts(data)[:2] {
			if text != "" {
				args = append(args, strconv.Quote(text))
			}
		}
		return append(args, `""`)
	}
	m := filling("", func([]byte) bool { return true }, calls, calls)
	m.Simplify()
	if got := calls(m.Values[0].([]byte)); len(got) != 1 {
		t.Errorf("the calls are passed %v", got)
	}
}

func TestAnEmptyStructGetsANumber(t *testing.T) {
	point := func(data []byte) []string {
		if len(data) > 2 && data[2] > 0 {
			return []string{"T{N: 1}", "T{N: " + strconv.Itoa(int(data[2])) + "}"}
		}
		return []string{"T{N: 1}", "T{}"}
	}
	m := filling("\x01", func([]byte) bool { return true }, point, nil)
	m.Simplify()
	if got := point(m.Values[0].([]byte))[1]; got != "T{N: 2}" {
		t.Errorf("got %s", got)
	}
}

func TestAnArgumentOfZeroThatWouldLeaveAStructEmptyIsANumber(t *testing.T) {
	m := &Minimiser{Values: []any{1, 0.0, uint8(0)}, Left: 100, Over: func() bool { return false }}
	m.Holds = func(v []any) bool { return v[0].(int) > 0 }
	m.Calls = func() Calls {
		x, y := "T{}", strconv.Itoa(int(m.Values[2].(uint8)))
		if f := m.Values[1].(float64); f != 0 {
			x = "T{F: " + strconv.Itoa(int(f)) + "}"
		}
		return Calls{Args: []string{x, y}}
	}
	if m.Simplify(); !slices.Equal(m.Values, []any{1, 2.0, uint8(0)}) {
		t.Errorf("got %v", m.Values)
	}
}

func TestAPointerIsNilOnlyWhereItHasToBe(t *testing.T) {
	pointer := func(data []byte) []string {
		if len(data) > 0 && data[0]&0xf == 0xf {
			return []string{"(*T)(nil)"}
		}
		if len(data) > 1 && data[1] > 0 {
			return []string{"&T{A: 1}"}
		}
		return []string{"&T{}"}
	}
	for want, holds := range map[string]func(data []byte) bool{
		"&T{A: 1}":  func(data []byte) bool { return pointer(data)[0] != "&T{}" },
		"(*T)(nil)": func(data []byte) bool { return pointer(data)[0] == "(*T)(nil)" },
	} {
		m := filling("\x0f", holds, pointer, nil)
		m.Simplify()
		if got := pointer(m.Values[0].([]byte))[0]; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// preparing decodes driver data as drivers do, and returns the calls: up to three with an argument, then two without, then
// the one that shows the difference.
func preparing(data []byte) (calls []string) {
	next := func() (b byte) {
		if len(data) > 0 {
			b, data = data[0], data[1:]
		}
		return b
	}
	for range 3 {
		b := next()
		if b == 0 {
			break
		}
		if b != leftOut[0] {
			calls = append(calls, "set"+strconv.Itoa(int(b%2))+"("+strconv.Itoa(int(next()))+")")
		}
	}
	for _, name := range []string{"first()", "second()"} {
		if next() != leftOut[0] {
			calls = append(calls, name)
		}
	}
	return append(calls, "shows()")
}

func TestCallsThatAreNotNeededAreLeftOut(t *testing.T) {
	for _, tt := range []struct {
		fact, data string
		needed     []string // calls of the kinds that the difference needs, in this order
		want       []string
	}{
		{"nothing is needed", "\x01\x07\x02\x07\x01\x07", nil, []string{"shows()"}},
		{"the last of three", "\x02\x07\x02\x07\x01\x07", []string{"set1"}, []string{"set1(0)", "shows()"}},
		{"the first of three", "\x01\x07\x02\x07\x02\x07", []string{"set1"}, []string{"set1(0)", "shows()"}},
		{"the one in between", "\x02\x07\x01\x07\x02\x07", []string{"set1"}, []string{"set1(0)", "shows()"}},
		{"what is called afterwards", "", []string{"second"}, []string{"second()", "shows()"}},
		{"one of each", "\x02\x07\x01\x07\x02\x07", []string{"set1", "first"}, []string{"set1(0)", "first()", "shows()"}},
	} {
		holds := func(data []byte) bool {
			needed := tt.needed
			for _, call := range preparing(data) {
				if len(needed) > 0 && strings.HasPrefix(call, needed[0]) {
					needed = needed[1:]
				}
			}
			return len(needed) == 0
		}
		m := filling(tt.data, holds, func([]byte) []string { return nil }, nil)
		m.Calls = func() Calls { return Calls{Before: len(preparing(m.Values[0].([]byte))) - 1} }
		m.Simplify()
		if got := preparing(m.Values[0].([]byte)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.fact, got, tt.want)
		}
	}
}

func TestCallsAfterTheOneThatTheInputIsAboutStay(t *testing.T) {
	m := filling("", func([]byte) bool { return true }, func([]byte) []string { return nil }, nil)
	m.Calls = func() Calls { return Calls{} }
	if m.Simplify(); len(m.Values[0].([]byte)) > 0 {
		t.Errorf("the data is %q", m.Values[0])
	}
}
