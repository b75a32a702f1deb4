// Package words is imported in several ways.
package words

// Limit bounds something.
const Limit = 5

// Repeat repeats s.
func Repeat(s string, n int) (out string) {
	for ; n > 0; n-- {
		out += s
	}
	return out
}

// Pair is a pair.
type Pair struct{ A, B int }
