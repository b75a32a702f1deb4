//go:build go1.21

package input

import (
	"bytes"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Simplify minimises the input again and again until nothing changes, and each time replaces what cannot be
// read. Then it prefers values that somebody has written: what chance has left means nothing to readers, unless
// it is a single character.
func (m *Minimiser) Simplify() {
	forWritten := m.Left / 3
	m.Left -= forWritten
	for before := []any(nil); m.Left > 0 && !reflect.DeepEqual(before, m.Values); {
		before = m.Values
		for i := range m.Values {
			m.argument(i)
			m.once(i)
			m.legibleArgument(i)
			m.legibleTogether(i)
		}
	}
	m.Left += forWritten / 2
	for i, v := range m.Values {
		switch _, yesOrNo := v.(bool); {
		case m.data(i):
			m.fewerCalls(i)
			m.fill(i)
		case !yesOrNo:
			m.nameKeys(i)
			m.asWritten(i)
		}
	}
	m.tellApart()
	m.inOrder()
	m.Left += forWritten - forWritten/2
	m.akin()
	m.asTested()
	m.whole()
}

// data reports whether the i-th argument is driver data.
func (m *Minimiser) data(i int) bool { return m.Reads && i == len(m.Values)-1 }

// legibleTogether replaces a text argument by a letter, unless it is one letter or digit, also wherever that text is part
// of another argument: the code may compare them.
func (m *Minimiser) legibleTogether(i int) {
	text, ok := m.Values[i].(string)
	if !ok || text == "" || utf8.RuneCountInString(text) == 1 && strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return
	}
	changed, places := append([]any(nil), m.Values...), 0
	for n, v := range changed {
		switch v := v.(type) {
		case string:
			places += strings.Count(v, text)
			changed[n] = strings.ReplaceAll(v, text, "a")
		case []byte:
			places += bytes.Count(v, []byte(text))
			changed[n] = bytes.ReplaceAll(v, []byte(text), []byte("a"))
		}
	}
	if places > 1 && m.may() && m.Holds(changed) {
		m.Values = changed
	}
}

// nameless matches a separator between a key and a value that has no key before it.
var nameless = regexp.MustCompile(`(?m)(^|[ \t,;&?{(\[])([=:])`)

// nameKeys puts a letter in place of empty keys in a text: "=1" becomes "a=1". An input is
// seldom about an empty key.
func (m *Minimiser) nameKeys(i int) {
	if text, ok := textOf(m.Values[i]); ok && nameless.Match(text) {
		m.try(i, reflect.ValueOf(nameless.ReplaceAll(text, []byte("${1}a$2"))).Convert(reflect.TypeOf(m.Values[i])).Interface())
	}
}

// maxRepeats bounds how many pieces of a text once tries to drop.
const maxRepeats = 150

// once drops pieces of a text up to a byte that equals the first one of the piece, the longest first: "(a)(b)"
// becomes "(b)". What is there several times, such as a part between brackets, may be needed only once. Minimising
// drops only pieces of some lengths.
func (m *Minimiser) once(i int) {
	if m.data(i) {
		return
	}
	tried := 0
	for again := true; again; {
		text, _ := textOf(m.Values[i])
		again = false
		for size := len(text) - 1; size > 1 && !again; size-- {
			for at := 0; at+size < len(text) && !again; at++ {
				if text[at] != text[at+size] {
					continue
				}
				if tried++; tried > maxRepeats {
					return
				}
				again = m.try(i, reflect.ValueOf(splice(text, at, size, "")).Convert(reflect.TypeOf(m.Values[i])).Interface())
			}
		}
	}
}

// legibleArgument makes one argument easier to read.
func (m *Minimiser) legibleArgument(i int) {
	switch v := m.Values[i].(type) {
	case []byte:
		if m.data(i) {
			m.zeros(i, v)
			m.letters(i)
			m.even(i)
			return
		}
		m.legibleText(i, v, func(b []byte) any { return append([]byte{}, b...) })
	case string:
		m.legibleText(i, []byte(v), func(b []byte) any { return string(b) })
	case bool:
	default:
		m.shortNumber(i)
	}
}

// zeros replaces bytes of driver data by zeros, or else by ones. It takes back a one that leaves more unreadable
// characters, because the byte is part of a text then.
func (m *Minimiser) zeros(i int, data []byte) {
	for at, b := range data {
		for _, instead := range "\x00\x01" {
			if b == byte(instead) {
				break
			}
			changed, escapes := splice(data, at, 1, string(instead)), m.escapes()
			if m.better(i, data, changed, func() bool { return instead == 0 || m.escapes() <= escapes }) {
				data = changed
				break
			}
		}
	}
}

// longText matches text in driver data that a reader does not take in at a glance.
var longText = regexp.MustCompile(`[ -~]{20,}`)

// even puts one letter in place of long texts in driver data, or of halves of them, where that leaves no more different
// characters in the calls: of a text that only has to have some length, nothing else matters.
func (m *Minimiser) even(i int) {
	data, _ := m.Values[i].([]byte)
	if m.Calls == nil { // nobody reads them
		return
	}
	for _, text := range longText.FindAllIndex(data, -1) {
		m.evenWithin(i, text[0], text[1])
	}
}

// evenWithin does what even does for the text between two offsets.
func (m *Minimiser) evenWithin(i, start, end int) {
	data, _ := m.Values[i].([]byte)
	changed := splice(data, start, end-start, strings.Repeat("a", end-start))
	was := m.calls()
	if bytes.Equal(data, changed) || m.Left <= 0 || m.better(i, data, changed, func() bool {
		now := m.calls()
		return now.escapes() <= was.escapes() && now.characters() <= was.characters()
	}) {
		return
	}
	if middle := start + (end-start)/2; middle > start {
		m.evenWithin(i, start, middle)
		m.evenWithin(i, middle, end)
	}
}

// isLetter reports whether b is an ASCII letter.
func isLetter(b byte) bool { return b < utf8.RuneSelf && unicode.IsLetter(rune(b)) }

// letters replaces bytes of driver data by a letter where that leaves fewer unreadable characters: they
// are part of a text then. If no ASCII letter will do, the code may be about other characters or about
// signs, so it tries those.
func (m *Minimiser) letters(i int) {
	for at := 0; m.escapes() > 0; at++ {
		data, _ := m.Values[i].([]byte)
		if at >= len(data) {
			return
		}
		if !isLetter(data[at]) {
			_ = m.letter(i, at, "a") || m.letterTwice(i, at, "a") || data[at] >= utf8.RuneSelf && m.letter(i, at, foreign) || m.sign(i, at)
		}
	}
}

// foreign is a letter outside of ASCII. wide is a character that is two columns wide.
const foreign, wide = "é", "世"

// letter puts a letter in place of a byte, and reports whether that leaves fewer unreadable characters.
func (m *Minimiser) letter(i, at int, letter string) bool {
	data, _ := m.Values[i].([]byte)
	return m.fewerEscapes(i, data, splice(data, at, 1, letter))
}

// mostSigned is how many unreadable characters the calls may have for signs to be tried,
// since there are many signs.
const mostSigned = 2

// sign puts a sign, a digit or a capital in place of a byte, and reports whether that leaves
// fewer unreadable characters.
func (m *Minimiser) sign(i, at int) bool {
	if m.escapes() > mostSigned {
		return false
	}
	for _, c := range signs + "01A" {
		if m.Left > 0 && m.letter(i, at, string(c)) {
			return true
		}
	}
	return false
}

// letterTwice does what letter does for two equal bytes at once: texts may have to be equal.
func (m *Minimiser) letterTwice(i, at int, letter string) bool {
	data, _ := m.Values[i].([]byte)
	for other := len(data) - 1; other > at; other-- {
		if data[other] == data[at] && m.fewerEscapes(i, data, splice(splice(data, other, 1, letter), at, 1, letter)) {
			return true
		}
	}
	return false
}

// fewerEscapes replaces data by changed if that leaves fewer unreadable characters, and reports whether it did.
func (m *Minimiser) fewerEscapes(i int, data, changed []byte) bool {
	before := m.escapes()
	return m.better(i, data, changed, func() bool { return m.escapes() < before })
}

// better replaces an argument, and takes that back unless is reports that the calls are better. It reports
// whether the change stays.
func (m *Minimiser) better(i int, before, changed any, is func() bool) bool {
	values := m.Values
	if !m.try(i, changed) {
		return false
	}
	if is() {
		return true
	}
	m.try(i, before) // once more, so that m.calls returns its calls again
	m.Values = values
	return false
}

// calls returns the calls that the values lead to, none where nobody reads them.
func (m *Minimiser) calls() (c Calls) {
	if m.Calls != nil {
		c = m.Calls()
	}
	return c
}

// escapes returns how many unreadable characters the calls have.
func (m *Minimiser) escapes() int { return m.calls().escapes() }

// legibleBytes are the characters to try in place of others, the best first. signs are those of them that are not
// letters, digits or white space.
const (
	legibleBytes = "0a 1A" + signs + "bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ23456789" + foreign + wide + "\n\t"
	signs        = ".,-_/:;+*=()[]{}<>\"'`#!?&|%$@^~\\"
)

// legibleText drops characters and pairs of brackets and quotes. It replaces the characters that minimising has
// left by ones that are easier to read.
func (m *Minimiser) legibleText(i int, text []byte, value func([]byte) any) {
	try := func(changed []byte) bool {
		if !m.try(i, value(changed)) {
			return false
		}
		text = changed
		return true
	}
	for at := len(text) - 1; at >= 0 && m.Left > 0; at-- {
		if partner := closing(text, at); partner > 0 {
			try(splice(splice(text, partner, 1, ""), at, 1, ""))
		}
	}
	for at := 0; at < len(text) && m.Left > 0; {
		size := 1
		if r, width := utf8.DecodeRune(text[at:]); r != utf8.RuneError {
			size = width
		}
		if size > 1 && try(splice(text, at, size, "")) {
			continue
		}
		m.legibleCharacter(text[at:at+size], func(better string) bool { return try(splice(text, at, size, better)) })
		_, size = utf8.DecodeRune(text[at:])
		at += size
	}
}

// legibleCharacter tries characters that are easier to read in place of c. A letter or digit may become one of the
// first of its kind. Anything but printable ASCII may become any of legibleBytes.
func (m *Minimiser) legibleCharacter(c []byte, try func(string) bool) {
	var instead string
	switch r := rune(c[0]); {
	case len(c) > 1:
		instead = legibleBytes + "äß"
	case r >= utf8.RuneSelf, r < ' ' || r == 0x7f:
		instead = legibleBytes
	case r > '1' && r <= '9':
		instead = "123456789"[:r-'1']
	case r > 'A' && r <= 'Z':
		instead = "A" + string(r+'a'-'A')
	case r > 'b' && r <= 'z':
		instead = "b"
	}
	for _, better := range instead {
		if string(c) == string(better) || m.Left <= 0 || try(string(better)) {
			return
		}
	}
}

// closing returns the last position of a counterpart to the bracket or quote at a position; 0: there is none.
func closing(text []byte, at int) int {
	const opening, counterparts = "([{<\"'`", ")]}>\"'`"
	if i := strings.IndexByte(opening, text[at]); i >= 0 {
		if end := bytes.LastIndexByte(text[at+1:], counterparts[i]); end >= 0 {
			return at + 1 + end
		}
	}
	return 0
}

// splice returns text with n bytes replaced.
func splice(text []byte, at, n int, by string) []byte {
	return append(append(append(make([]byte, 0, len(text)), text[:at]...), by...), text[at+n:]...)
}

// shortNumber tries numbers that are easier to read: without the sign and, for floats, 1 or fewer digits.
func (m *Minimiser) shortNumber(i int) {
	v := reflect.ValueOf(m.Values[i])
	with := func(set func(reflect.Value)) any {
		n := reflect.New(v.Type()).Elem()
		set(n)
		return n.Interface()
	}
	switch {
	case v.CanInt() && v.Int() < 0:
		m.try(i, with(func(n reflect.Value) { n.SetInt(-v.Int()) }))
	case v.CanFloat():
		for _, shorter := range shorterFloats(v.Float()) {
			if m.try(i, with(func(n reflect.Value) { n.SetFloat(shorter) })) {
				return
			}
		}
	}
}

// shorterFloats returns the numbers to try in place of f, the best first.
func shorterFloats(f float64) (list []float64) {
	if f == 0 || f == 1 {
		return nil
	}
	list = append(list, 1)
	if f < 0 {
		list = append(list, -f)
	}
	for digits := 1; digits < 5; digits++ {
		short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', digits, 64), 64)
		if short == f {
			break
		}
		if err == nil && f == f {
			list = append(list, short)
		}
	}
	return list
}
