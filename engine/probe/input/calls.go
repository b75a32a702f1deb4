//go:build go1.21

package input

import (
	"bytes"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Calls are the calls that an input leads to, as a reader sees them.
type Calls struct {
	Args    []string // the arguments of all calls, as Go source
	Results []string // the results of all calls, as text
	Before  int      // how many calls come before the one that the input is about
}

// escapes counts what cannot be read in the arguments: escape sequences, and texts of nothing but blanks.
func (c Calls) escapes() (n int) {
	for _, source := range c.Args {
		n += strings.Count(source, `\x`) + strings.Count(source, `\u`) + blanks(source)
	}
	return n
}

// blanks counts the texts of nothing but blanks in Go source.
func blanks(source string) (n int) {
	for _, text := range strings.Split(source, `"`) {
		if text != "" && strings.Trim(text, " ") == "" {
			n++
		}
	}
	return n
}

// characters counts the different bytes of the arguments.
func (c Calls) characters() (n int) {
	var seen [256]bool
	for _, source := range c.Args {
		for i := 0; i < len(source); i++ {
			if b := source[i]; !seen[b] {
				seen[b] = true
				n++
			}
		}
	}
	return n
}

// emptyStruct matches a struct literal in which no field is set.
var emptyStruct = regexp.MustCompile(`(^|[ &(,:{])[\pL_][\w.]*(\[[^\[\]{}]+\])?\{\}`)

// empties counts what is empty in the arguments: empty texts, arguments that are nil, and structs
// in which no field is set.
func (c Calls) empties() (n int) {
	for _, source := range c.Args {
		if source == "nil" || strings.HasSuffix(source, ")(nil)") {
			n++
		}
		n += emptyTexts(source)
		for _, literal := range emptyStruct.FindAllString(source, -1) {
			if !strings.HasSuffix(literal, "struct{}") && !strings.HasSuffix(literal, "interface{}") { // types
				n++
			}
		}
	}
	return n
}

// emptyTexts counts the empty texts in Go source.
func emptyTexts(source string) (n int) {
	for at := 0; at < len(source); at++ {
		if text, err := strconv.QuotedPrefix(source[at:]); err == nil {
			if len(text) == len(`""`) {
				n++
			}
			at += len(text) - 1
		}
	}
	return n
}

// passes reports whether a letter is a text of its own, as an argument or within one.
func (c Calls) passes(letter string) bool {
	return slices.ContainsFunc(c.Args, func(source string) bool { return strings.Contains(source, `"`+letter+`"`) })
}

// gives counts how often a letter occurs in the results.
func (c Calls) gives(letter string) (n int) {
	for _, text := range c.Results {
		n += strings.Count(text, letter)
	}
	return n
}

// Bounds on filling driver data.
const (
	maxPadding = 32  // zeros that may be appended to data before a letter: what is read there is zero anyway
	maxPairs   = 150 // pairs of places that are tried
	maxGiven   = 3   // letters that leave as much empty as before, and are put in only because results have them
)

// aText makes a driver choose a text for a value of any type. aNumber is the second simplest number, because the
// simplest one may be there already.
const aText, aNumber = "\x01", "\x02"

// leftOut makes a driver leave out a call.
const leftOut = "\xff"

// fewerCalls leaves out calls that come before the one that the input is about, where driver data has more of them than
// that needs. It replaces the byte by which the driver chooses such a call, with the bytes of its arguments.
func (m *Minimiser) fewerCalls(i int) {
	fewer := func(was, now Calls) bool { return now.Before < was.Before }
	for at := 0; at < m.size(i)+maxPadding && m.Left > 0 && m.calls().Before > 0; at++ {
		data, padded := m.padded(i, at)
		for size := 1; size <= min(valueSize, len(padded)-at); size++ {
			if m.filled(i, data, splice(padded, at, size, leftOut), fewer) {
				break
			}
		}
	}
}

// fill puts letters in place of what is empty in the calls that driver data leads to. What is empty or nil looks
// like a special case, and most often the input is not about it.
func (m *Minimiser) fill(i int) {
	given := 0
	for at := 0; at < m.size(i)+maxPadding && m.Left > 0; at++ {
		data, padded := m.padded(i, at)
		switch {
		case padded[at]&0xf == 0xf: // this byte makes a pointer nil
			_ = m.filled(i, data, splice(padded, at, 1, "\x00"), fuller) || m.filled(i, data, splice(padded, at, 1, "\x00\x01"), fuller)
		case padded[at] != 0 || given == maxGiven && m.calls().empties() == 0:
		default:
			empties := m.calls().empties()
			if n := m.fillAt(i, at); n > 0 {
				at += n - 1
				if m.calls().empties() == empties {
					given++
				}
			}
		}
	}
	m.fillTogether(i)
}

// size returns the length of the i-th argument, which is driver data.
func (m *Minimiser) size(i int) int {
	data, _ := m.Values[i].([]byte)
	return len(data)
}

// padded returns the i-th argument, which is driver data, as it is and with zeros appended so
// that it includes a position.
func (m *Minimiser) padded(i, at int) (data, padded []byte) {
	data, _ = m.Values[i].([]byte)
	return data, append(bytes.Clone(data), make([]byte, max(0, at+1-len(data)))...)
}

// fillAt puts a letter in place of a zero in driver data, or else a small number. It returns how many bytes are
// there then; 0 means that nothing made the calls better.
func (m *Minimiser) fillAt(i, at int) int {
	data, padded := m.padded(i, at)
	letter := m.unusedLetter()
	for _, text := range []string{letter + "\x00", aText + letter + "\x00"} {
		if m.filled(i, data, splice(padded, at, 1, text), with(letter)) {
			return len(text)
		}
	}
	if m.calls().empties() > 0 && m.filled(i, data, splice(padded, at, 1, aNumber), fullerAlike) {
		return len(aNumber)
	}
	return 0
}

// fillTogether puts the same letter in two places at once: what is there may have to be equal.
func (m *Minimiser) fillTogether(i int) {
	for pairs, last := 0, 1; last < m.size(i)+maxPadding; last++ {
		for first := 0; first < last; first++ {
			if m.calls().empties() < 2 {
				return
			}
			data, padded := m.padded(i, last)
			if padded[first] != 0 || padded[last] != 0 {
				continue
			}
			if pairs++; pairs > maxPairs {
				return
			}
			letter := m.unusedLetter()
			for _, text := range []string{letter + "\x00", aText + letter + "\x00"} {
				if m.filled(i, data, splice(splice(padded, last, 1, text), first, 1, text), with(letter)) {
					break
				}
			}
		}
	}
}

// fillArgument puts a letter in place of an argument that is an empty text, if that makes the calls better. It puts
// a small number in place of one that is zero, if that leaves less empty.
func (m *Minimiser) fillArgument(i int, zero any) {
	if _, text := textOf(zero); text {
		letter := m.unusedLetter()
		m.filled(i, zero, reflect.ValueOf(letter).Convert(reflect.TypeOf(zero)).Interface(), with(letter))
		return
	}
	if two := like(zero, []byte("2")); two != nil {
		m.filled(i, zero, two, fullerAlike)
	}
}

// tellApart makes equal integers different, so that one can see which of them a result comes from. If they have to
// be equal, it makes both of them 1.
func (m *Minimiser) tellApart() {
	for i, v := range m.Values {
		for j := i + 1; j < len(m.Values); j++ {
			next, one := numbersAfter(v)
			if next == nil || !reflect.DeepEqual(m.Values[j], v) || reflect.ValueOf(v).IsZero() || m.try(j, next) {
				continue
			}
			both := slices.Clone(m.Values)
			both[i], both[j] = one, one
			if !reflect.DeepEqual(both, m.Values) && m.may() && m.Holds(both) {
				m.Values = both
			}
		}
	}
}

// numbersAfter returns v+1 and 1 in v's type, or nil if v is not an integer.
func numbersAfter(v any) (next, one any) {
	r := reflect.ValueOf(v)
	n, m := reflect.New(r.Type()).Elem(), reflect.New(r.Type()).Elem()
	switch {
	case r.CanInt():
		n.SetInt(r.Int() + 1)
		m.SetInt(1)
	case r.CanUint():
		n.SetUint(r.Uint() + 1)
		m.SetUint(1)
	default:
		return nil, nil
	}
	return n.Interface(), m.Interface()
}

// filled replaces an argument if that makes the calls better without making more of them unreadable.
// It reports whether it did.
func (m *Minimiser) filled(i int, before, changed any, better func(was, now Calls) bool) bool {
	if m.Calls == nil { // nobody reads them
		return false
	}
	was := m.calls()
	return m.better(i, before, changed, func() bool {
		now := m.calls()
		return now.escapes() <= was.escapes() && better(was, now)
	})
}

// fuller reports whether less is empty than before.
func fuller(was, now Calls) bool { return now.empties() < was.empties() }

// fullerAlike reports whether less is empty than before, in as many arguments.
func fullerAlike(was, now Calls) bool { return len(now.Args) == len(was.Args) && fuller(was, now) }

// with returns a function that reports whether putting letter into the calls made them better: less is empty in
// them, or as much is and their results have the letter more often.
func with(letter string) func(was, now Calls) bool {
	return func(was, now Calls) bool {
		return len(now.Args) == len(was.Args) && now.passes(letter) &&
			(fuller(was, now) || now.empties() == was.empties() && now.gives(letter) > was.gives(letter))
	}
}

// unusedLetter returns the first letter that is in no argument, so that one text can be told from another.
func (m *Minimiser) unusedLetter() string {
	for letter := 'a'; letter <= 'z'; letter++ {
		if !slices.ContainsFunc(m.Values, func(v any) bool { text, ok := textOf(v); return ok && bytes.ContainsRune(text, letter) }) {
			return string(letter)
		}
	}
	return "a"
}

// single matches a text that is a single letter.
var single = regexp.MustCompile(`"([a-z])"`)

// inOrder renames the texts that are single letters to a, b, c and so on, in the order in
// which a reader comes to them.
func (m *Minimiser) inOrder() {
	calls, order := m.calls(), map[byte]byte{}
	for _, source := range calls.Args {
		for _, match := range single.FindAllStringSubmatch(source, -1) {
			if letter := match[1][0]; order[letter] == 0 {
				order[letter] = 'a' + byte(len(order))
			}
		}
	}
	changed := slices.Clone(m.Values)
	for i, v := range changed {
		if text, ok := textOf(v); ok && (m.data(i) || len(text) == 1) {
			changed[i] = reflect.ValueOf(renamed(text, order)).Convert(reflect.TypeOf(v)).Interface()
		}
	}
	if reflect.DeepEqual(changed, m.Values) || !m.may() || !m.Holds(changed) {
		return
	}
	if now := m.calls(); len(now.Args) == len(calls.Args) && now.escapes() <= calls.escapes() && now.empties() <= calls.empties() {
		m.Values = changed
	}
}

// renamed returns a text with some letters replaced by others.
func renamed(text []byte, letters map[byte]byte) []byte {
	text = bytes.Clone(text)
	for i, b := range text {
		if other := letters[b]; other != 0 {
			text[i] = other
		}
	}
	return text
}
