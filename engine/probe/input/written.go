//go:build go1.21

package input

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Written holds values written by somebody who knows the program. They mean something to readers, unlike what
// chance leaves of an input.
type Written struct {
	Inputs [][]any  // whole inputs
	Tests  [][]byte // literals of tests: the bytes of strings, numbers as Go source
	Code   [][]byte // literals of the code, which are less likely to be inputs
}

// known is a value that somebody has written.
type known struct {
	value any
	cost  int
}

// Costs of reading a value, in quarters of a character that nobody has written. Known values have a base
// cost, so that none is cheaper than a single character. Literals of the code cost more than those of tests,
// unless they are much shorter.
const (
	costOfCharacter = 4
	costOfTest      = 3 // plus 1 for each character
	costOfCode      = 7 // plus 1 for each character
)

// cost returns how much a value asks of a reader. The list has the known values.
func (m *Minimiser) cost(v any, list []known) int {
	if i := slices.IndexFunc(list, func(k known) bool { return reflect.DeepEqual(k.value, v) }); i >= 0 {
		return list[i].cost
	}
	return costOfCharacter * length(v)
}

// length returns the number of characters of a value.
func length(v any) int {
	if text, ok := textOf(v); ok {
		return utf8.RuneCount(text)
	}
	return len(fmt.Sprint(v))
}

// textOf returns the text that a value is. It is not ok if the value is not a text.
func textOf(v any) (text []byte, ok bool) {
	switch v := v.(type) {
	case []byte:
		return v, true
	case string:
		return []byte(v), true
	}
	return nil, false
}

// knownFor returns the known values that may take the place of the i-th argument, the cheapest first.
func (m *Minimiser) knownFor(i int) (list []known) {
	seen := map[string]bool{}
	add := func(v any, cost int) {
		text, ok := textOf(v)
		if key := fmt.Sprint(v); v != nil && !seen[key] && (!ok || printable(text)) {
			seen[key] = true
			list = append(list, known{v, length(v) + cost})
		}
	}
	for _, other := range m.Written.Inputs {
		add(other[i], costOfTest)
	}
	for _, word := range m.Written.Tests {
		add(like(m.Values[i], word), costOfTest)
	}
	for _, word := range m.Written.Code {
		add(like(m.Values[i], word), costOfCode)
	}
	slices.SortStableFunc(list, func(a, b known) int { return a.cost - b.cost })
	return list
}

// printable reports whether people can read all of a text.
func printable(text []byte) bool {
	for _, r := range string(text) {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// like converts a literal to the type of v. It returns nil if it cannot.
func like(v any, word []byte) any {
	n := reflect.New(reflect.TypeOf(v)).Elem()
	var err error
	switch {
	case n.Kind() == reflect.String:
		n.SetString(string(word))
	case n.Kind() == reflect.Slice:
		n.SetBytes(slices.Clone(word))
	case n.CanInt():
		var x int64
		x, err = strconv.ParseInt(string(word), 0, n.Type().Bits())
		n.SetInt(x)
	case n.CanUint():
		var x uint64
		x, err = strconv.ParseUint(string(word), 0, n.Type().Bits())
		n.SetUint(x)
	case n.CanFloat():
		var x float64
		x, err = strconv.ParseFloat(string(word), n.Type().Bits())
		n.SetFloat(x)
	default:
		return nil
	}
	if err != nil {
		return nil
	}
	return n.Interface()
}

// asWritten replaces an argument by a known value that is cheaper, or by one that is a single character away from a
// known value. An argument that is empty or zero looks like a special case. Unless it has to be so, it is replaced
// by a more ordinary value.
func (m *Minimiser) asWritten(i int) {
	if zero := zeroLike(m.Values[i]); reflect.DeepEqual(m.Values[i], zero) {
		m.ordinary(i)
		if reflect.DeepEqual(m.Values[i], zero) {
			m.fillArgument(i, zero)
		}
		if reflect.DeepEqual(m.Values[i], zero) {
			m.smallNumber(i, zero)
		}
		return
	}
	list := m.knownFor(i)
	most := m.cost(m.Values[i], list)
	for _, k := range list {
		if k.cost < most && m.try(i, k.value) {
			return
		}
	}
	text, ok := textOf(m.Values[i])
	if !ok || !printable(text) {
		return
	}
	for _, k := range list {
		if k.cost+costOfCharacter < most && m.almost(i, k.value, []rune(string(text))) {
			return
		}
	}
}

// Bounds on the values to try in place of an empty or zero argument.
const (
	mostOrdinary    = 8  // values that are tried
	longestOrdinary = 16 // characters of one
)

// ordinary replaces an argument that is empty or zero by one that a test passes.
func (m *Minimiser) ordinary(i int) {
	tried := 0
	inputs := Written{Inputs: m.Written.Inputs}
	for _, k := range (&Minimiser{Values: m.Values, Written: inputs}).knownFor(i) {
		switch {
		case tried == mostOrdinary || length(k.value) > longestOrdinary:
			return
		case reflect.DeepEqual(k.value, m.Values[i]):
			continue
		case m.try(i, k.value):
			return
		}
		tried++
	}
}

// smallNumber replaces a zero by a small number if tests pass numbers there, but never zero: it
// would look like a mistake.
func (m *Minimiser) smallNumber(i int, zero any) {
	if _, text := textOf(zero); text || len(m.Written.Inputs) == 0 || slices.ContainsFunc(m.Written.Inputs, func(values []any) bool { return reflect.DeepEqual(values[i], zero) }) {
		return
	}
	for _, small := range []string{"2", "3", "10"} {
		if n := like(zero, []byte(small)); n != nil && m.try(i, n) {
			return
		}
	}
}

// zeroLike returns the empty or zero value of v's type.
func zeroLike(v any) any {
	if _, ok := v.([]byte); ok {
		return []byte{}
	}
	return reflect.Zero(reflect.TypeOf(v)).Interface()
}

// almost tries a known text in which one character is replaced by that at the same place in the argument's text. It
// reports whether the argument is such a text in the end.
func (m *Minimiser) almost(i int, value any, text []rune) bool {
	bytes, _ := textOf(value)
	characters := []rune(string(bytes))
	if len(characters) != len(text) {
		return false
	}
	for at, c := range characters {
		if c == text[at] {
			continue
		}
		characters[at] = text[at]
		changed := reflect.ValueOf(string(characters)).Convert(reflect.TypeOf(value)).Interface()
		if reflect.DeepEqual(changed, m.Values[i]) || m.try(i, changed) {
			return true
		}
		characters[at] = c
	}
	return false
}

// Bounds on the inputs of tests that are altered.
const (
	mostAltered    = 12 // inputs
	longestAltered = 40 // bytes of the argument that is altered
)

// asTested replaces the input by a slightly altered input of a test, if that is cheaper. It drops a character of a
// text, cuts the text short, replaces one of its signs, or puts a word in capitals. Readers know the test's input,
// and see what is special about the altered one.
func (m *Minimiser) asTested() {
	var lists [][]known
	for i := range m.Values {
		lists = append(lists, m.knownFor(i))
	}
	tried := 0
	for _, tested := range m.Written.Inputs {
		if tried == mostAltered {
			return
		}
		altered := false
		for i, v := range tested {
			if text, ok := textOf(v); ok && !m.data(i) && len(text) <= longestAltered && printable(text) {
				altered = m.altered(tested, i, text, lists) || altered
			}
		}
		if altered {
			tried++
		}
	}
}

// altered replaces the input by a test's input whose i-th argument, a text, is altered, if that is cheaper. It
// reports whether it has tried to.
func (m *Minimiser) altered(tested []any, i int, text []byte, lists [][]known) (tried bool) {
	cost := func(values []any, but int) (sum int) {
		for j, v := range values {
			if j != but && !m.data(j) { // nobody reads driver data
				sum += m.cost(v, lists[j])
			}
		}
		return sum
	}
	most, others := cost(m.Values, -1), cost(tested, i)
	variants := append(shortened(text), recased(text)...)
	if now, ok := textOf(m.Values[i]); ok {
		variants = append(variants, resigned(text, now)...)
	}
	for _, variant := range variants {
		now := others + utf8.RuneCount(variant) + costOfTest + costOfCharacter
		if now >= most {
			continue
		}
		if tried = true; !m.may() {
			return tried
		}
		changed := slices.Clone(tested)
		changed[i] = reflect.ValueOf(variant).Convert(reflect.TypeOf(tested[i])).Interface()
		if m.Holds(changed) {
			m.Values, most = changed, now
		}
	}
	return tried
}

// shortened returns the beginnings of a text, the shortest first, and then the text without each of its characters.
func shortened(text []byte) (list [][]byte) {
	for at := range string(text) {
		if at > 0 {
			list = append(list, text[:at:at])
		}
	}
	for at, r := range string(text) {
		list = append(list, append(text[:at:at], text[at+utf8.RuneLen(r):]...))
	}
	return list
}

// recased returns the text with one of its words in capitals, or in small letters if it is in
// capitals: once for each word.
func recased(text []byte) (list [][]byte) {
	for at := 0; at < len(text); at++ {
		end := at
		for end < len(text) && isLetter(text[end]) {
			end++
		}
		if end > at {
			word := bytes.ToUpper(text[at:end])
			if bytes.Equal(word, text[at:end]) {
				word = bytes.ToLower(word)
			}
			list = append(list, append(append(text[:at:at], word...), text[end:]...))
			at = end
		}
	}
	return list
}

// resigned returns the text with one of its signs replaced in all places by a sign of another text, such as another
// kind of quotes: once for each pair of signs.
func resigned(text, other []byte) (list [][]byte) {
	theirs := signsIn(other)
	for _, was := range signsIn(text) {
		for _, by := range theirs {
			if by != was {
				list = append(list, bytes.ReplaceAll(text, []byte{was}, []byte{by}))
			}
		}
	}
	return list
}

// signsIn returns the signs in a text, once each.
func signsIn(text []byte) (list []byte) {
	for _, c := range text {
		if strings.IndexByte(signs, c) >= 0 && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// Bounds on whole inputs that are tried as they are.
const (
	mostWhole    = 16
	longestWhole = 40 // characters of all texts
)

// whole replaces the input by one that somebody has written. It tries those with fewer bare texts, or all if
// several texts of the input were written by nobody. An author would write no test with such texts, and the inputs
// of tests show what the code is for. Driver data stays, apart from the words that named puts into it.
func (m *Minimiser) whole() {
	bare, strange, before, tried := m.bare(m.Values), m.strange(), m.Values, 0
	for _, written := range m.Written.Inputs {
		if m.bare(written) >= bare && strange < 2 || !m.short(written) {
			continue
		}
		if tried++; tried > mostWhole || !m.may() {
			return
		}
		values, escapes := slices.Clone(written), m.escapes()
		if last := len(values) - 1; m.data(last) {
			values[last] = before[last]
		}
		if !m.Holds(values) {
			if values = m.named(values); values == nil {
				continue
			}
		}
		if m.Values = values; m.escapes() <= escapes {
			return
		}
		if !m.may() || !m.Holds(before) { // once more, so that m.calls returns its calls again
			return
		}
		m.Values = before
	}
}

// Bounds on putting a word of another argument into driver data.
const (
	mostNamed  = 8 // places
	zerosAfter = 4 // appended to the data: what is read there is zero anyway
)

// named returns values with a word from one of its texts in place of a text in the driver data, such as the key of
// a map, if the property holds with it. It returns nil if there is none.
func (m *Minimiser) named(values []any) []any {
	last := len(values) - 1
	if !m.data(last) {
		return nil
	}
	data, _ := values[last].([]byte)
	padded := append(bytes.Clone(data), make([]byte, zerosAfter)...)
	var words []string
	for i, v := range values[:last] {
		if text, ok := textOf(v); ok && !m.data(i) {
			words = append(words, wordsIn(text)...)
		}
	}
	places := 0
	for at := 0; at < len(padded) && places < mostNamed; at++ {
		if padded[at] != 0 {
			continue
		}
		places++
		start := at
		for start > 0 && padded[start-1] >= ' ' {
			start--
		}
		for _, word := range words {
			if !m.may() {
				return nil
			}
			changed := slices.Clone(values)
			changed[last] = bytes.TrimRight(splice(padded, start, at-start, word), "\x00")
			if m.Holds(changed) {
				return changed
			}
		}
	}
	return nil
}

// wordsIn returns the words of a text, which consist of letters.
func wordsIn(text []byte) (list []string) {
	return strings.FieldsFunc(string(text), func(r rune) bool { return !unicode.IsLetter(r) })
}

// bare returns how many texts of an input have at most one character. Empty ones count twice.
func (m *Minimiser) bare(values []any) (n int) {
	for i, v := range values {
		if text, ok := textOf(v); ok && !m.data(i) {
			n += max(0, 2-utf8.RuneCount(text))
		}
	}
	return n
}

// strange returns how many arguments are texts that nobody has written there.
func (m *Minimiser) strange() (n int) {
	for i, v := range m.Values {
		if _, ok := textOf(v); ok && !m.data(i) && !slices.ContainsFunc(m.Written.Inputs, func(w []any) bool { return reflect.DeepEqual(w[i], v) }) {
			n++
		}
	}
	return n
}

// short reports whether the texts of an input are printable and quickly read.
func (m *Minimiser) short(values []any) bool {
	n := 0
	for i, v := range values {
		if text, ok := textOf(v); ok && !m.data(i) {
			if n += utf8.RuneCount(text); !printable(text) {
				return false
			}
		}
	}
	return n <= longestWhole
}
