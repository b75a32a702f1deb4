package witness

import (
	"go/scanner"
	"go/token"
	"strconv"
	"strings"
)

// element is what is known of an element of a composite value while its source is read.
type element struct {
	key   string // of a field or of a map; empty: the element is known by its number
	n     int    // number of elements before it
	value int    // offset at which its value begins
}

// maxOuter bounds the elements around a difference that innermost looks at, from the inside out.
const maxOuter = 8

// innermost returns the smallest elements of two values, given as source, that both have and in which they differ, and
// the path to them, as in `Services["a"].Ports[0]`. The path is empty if there are no such elements.
func innermost(a, b string) (path, x, y string) {
	open := elementsAt(commonStart(a, b))
	for least := len(open) - maxOuter; len(open) > max(least, 0); open = open[:len(open)-1] {
		from := open[len(open)-1].value
		if x, y = firstValue(a[from:]), firstValue(b[from:]); x == y || x == "" || y == "" {
			// They differ in which elements there are.
			continue
		}
		for _, e := range open {
			path += e.step()
		}
		return strings.TrimPrefix(path, "."), x, y
	}
	return "", a, b
}

// step returns the element as a step of a path.
func (e element) step() string {
	switch {
	case e.key == "":
		return "[" + strconv.Itoa(e.n) + "]"
	case token.IsIdentifier(e.key):
		return "." + e.key
	}
	return "[" + e.key + "]"
}

// commonStart returns what two texts have in common at the start, without an incomplete token.
func commonStart(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:strings.LastIndexAny(a[:n], "{}()[],: ")+1]
}

// elementsAt returns the elements that are still open at the end of src, the outermost first. src is the beginning of a
// value. An innermost element without any text counts only if it follows a key: else its key may come yet.
func elementsAt(src string) (open []element) {
	calls := 0 // open brackets and parentheses; what is in these has no path
	for offset, tok := range positions(src) {
		last := len(open) - 1
		switch tok {
		case token.LPAREN, token.LBRACK:
			calls++
		case token.RPAREN, token.RBRACK:
			calls--
		}
		switch {
		case calls > 0:
		case tok == token.LBRACE:
			open = append(open, element{value: offset + 1})
		case last < 0:
		case tok == token.RBRACE:
			open = open[:last]
		case tok == token.COMMA:
			open[last] = element{n: open[last].n + 1, value: offset + 1}
		case tok == token.COLON:
			open[last].key = strings.TrimSpace(src[open[last].value:offset])
			open[last].value = offset + 1
		}
	}
	if last := len(open) - 1; last >= 0 && open[last].key == "" && strings.TrimSpace(src[open[last].value:]) == "" {
		return open[:last]
	}
	return open
}

// firstValue returns the value that a text begins with, without what comes after it.
func firstValue(src string) string {
	depth := 0
	for offset, tok := range positions(src) {
		switch tok {
		case token.LBRACE, token.LPAREN, token.LBRACK:
			depth++
		case token.RBRACE, token.RPAREN, token.RBRACK:
			depth--
		}
		if depth < 0 || depth == 0 && tok == token.COMMA {
			return strings.TrimSpace(src[:offset])
		}
	}
	return strings.TrimSpace(src)
}

// positions returns the tokens of a source, which may be incomplete, by their offsets.
func positions(src string) func(yield func(int, token.Token) bool) {
	return func(yield func(int, token.Token) bool) {
		var s scanner.Scanner
		file := token.NewFileSet().AddFile("", -1, len(src))
		s.Init(file, []byte(src), func(token.Position, string) {}, 0)
		for {
			pos, tok, _ := s.Scan()
			if tok == token.EOF || !yield(file.Offset(pos), tok) {
				return
			}
		}
	}
}
