//go:build go1.21

package input

import (
	"bytes"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Bounds on the literals of tests that akin tries in place of a text.
const (
	shortestAkin = 3  // bytes that a literal and the text have in common
	longestAkin  = 60 // bytes of a literal
	mostAkin     = 8  // literals tried for a text
)

// akin replaces a text by a literal of the tests that has a part in common with it and is cheaper to read. The
// literal may be slightly altered. The text is an argument, or part of driver data.
func (m *Minimiser) akin() {
	for i, v := range m.Values {
		text, ok := textOf(v)
		switch {
		case !ok:
		case m.data(i):
			for at := 0; at < m.size(i); {
				at = m.akinWithin(i, at) + 1
			}
		case m.cost(v, m.knownFor(i)) == costOfCharacter*length(v): // nobody has written it
			m.akinTo(text, func(b []byte) []any {
				changed := slices.Clone(m.Values)
				changed[i] = reflect.ValueOf(b).Convert(reflect.TypeOf(v)).Interface()
				return changed
			})
		}
	}
}

// akinWithin does so for the text in driver data from a position up to the next zero, if a call is passed that
// text. It returns the position of that zero afterwards.
func (m *Minimiser) akinWithin(i, at int) (end int) {
	data, _ := m.Values[i].([]byte)
	endOf := func(data []byte) int {
		if n := bytes.IndexByte(data[at:], 0); n >= 0 {
			return at + n
		}
		return len(data)
	}
	// Skip the length of a list, or what says that a text follows.
	for end = endOf(data); at < end && data[at] < ' '; at++ {
	}
	text := data[at:end:end]
	source := strconv.Quote(string(text))
	if !slices.ContainsFunc(m.calls().Args, func(arg string) bool { return strings.Contains(arg, source) }) {
		return end
	}
	m.akinTo(text, func(b []byte) []any {
		changed := slices.Clone(m.Values)
		changed[i] = splice(data, at, len(text), string(b))
		return changed
	})
	data, _ = m.Values[i].([]byte)
	return endOf(data)
}

// akinTo tries literals in place of a text. With returns the input that has a given literal in that place.
func (m *Minimiser) akinTo(text []byte, with func([]byte) []any) {
	if len(text) < shortestAkin || slices.ContainsFunc(m.Written.Tests, func(word []byte) bool { return bytes.Equal(word, text) }) {
		return
	}
	most := costOfCharacter * utf8.RuneCount(text)
	kin := m.kin(text)
	for n, variant := range variants(kin, text) {
		cost := utf8.RuneCount(variant) + costOfTest
		if n >= len(kin) {
			cost += costOfCharacter
		}
		if cost >= most {
			continue
		}
		if !m.may() {
			return
		}
		if changed := with(variant); m.Holds(changed) {
			m.Values = changed
			return
		}
	}
}

// variants returns words of tests, first as they are and then with a small change: with one of their own words in
// capitals, with a sign of text, cut short after such a change, or with less in them.
func variants(words [][]byte, text []byte) (list [][]byte) {
	list = append(list, words...)
	for _, word := range words {
		list = append(list, recased(word)...)
		list = append(list, resigned(word, text)...)
	}
	for _, word := range words {
		for _, changed := range recased(word) {
			list = append(list, cut(changed)...)
		}
		list = append(list, shortened(word)...)
	}
	return list
}

// cut returns the beginnings of a text that end before a sign, the longest first.
func cut(text []byte) (list [][]byte) {
	for at := len(text) - 1; at > 0; at-- {
		if strings.IndexByte(signs, text[at]) >= 0 {
			list = append(list, text[:at:at])
		}
	}
	return list
}

// kin returns the literals of tests that have the longest pieces in common with a text, ignoring case. Of equally
// long pieces, the shortest literal comes first.
func (m *Minimiser) kin(text []byte) (list [][]byte) {
	common, lower := map[string]int{}, bytes.ToLower(text)
	for _, word := range m.Written.Tests {
		if len(word) > longestAkin || !printable(word) || common[string(word)] > 0 {
			continue
		}
		if n := inCommon(bytes.ToLower(word), lower); n >= shortestAkin {
			common[string(word)] = n
			list = append(list, word)
		}
	}
	slices.SortStableFunc(list, func(a, b []byte) int {
		if x, y := common[string(a)], common[string(b)]; x != y {
			return y - x
		}
		return len(a) - len(b)
	})
	return list[:min(len(list), mostAkin)]
}

// inCommon returns the length of the longest piece that two texts have in common.
func inCommon(a, b []byte) (most int) {
	// ends[j] is the length of the common piece that ends before b[j] and with the current byte of a.
	ends := make([]int, len(b)+1)
	for _, c := range a {
		for j := len(b); j > 0; j-- {
			if c != b[j-1] {
				ends[j] = 0
				continue
			}
			ends[j] = ends[j-1] + 1 // ends[j-1] is that of the previous byte of a
			most = max(most, ends[j])
		}
	}
	return most
}
