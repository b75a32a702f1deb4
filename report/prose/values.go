package prose

import "unicode"

// MaxValue is how many runes of a value are shown beside another one. sameBefore is how many runes of their common
// beginning are shown.
const (
	MaxValue   = 80
	sameBefore = 24
)

// Difference returns the parts in which two values differ, with a little of what is around them: at most MaxValue runes of
// either, beside "…" for what is left out.
func Difference(a, b string) (string, string) { return DifferenceWithin(a, b, MaxValue) }

// DifferenceWithin is Difference with room for limit runes of either value.
func DifferenceWithin(a, b string, limit int) (string, string) {
	x, y := []rune(a), []rune(b)
	if max(len(x), len(y)) <= limit {
		return a, b
	}
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	begin := wordStart(x, max(0, same-min(sameBefore, limit/2)), same)
	cut := func(s []rune) string {
		part := Shorten(string(s[begin:]), limit)
		if begin > 0 {
			part = "…" + part
		}
		return part
	}
	return cut(x), cut(y)
}

// wordStart returns the first index from begin on that is not within a word of text; begin if there is none before end.
func wordStart(text []rune, begin, end int) int {
	inWord := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for i := begin; i > 0 && i < end; i++ {
		if !inWord(text[i-1]) || !inWord(text[i]) {
			return i
		}
	}
	return begin
}
