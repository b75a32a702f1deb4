package witness

import (
	"go/scanner"
	"go/token"
	"strconv"
	"strings"
)

// element is a part of a composite value, as source: what is known of it while the source is read.
type element struct {
	key   string // of a field or of a map; empty: it has its number
	n     int    // elements before it
	value int    // where its value begins
}

// maxOuter is in how many elements around a difference one is looked for that both values have.
const maxOuter = 8

// innermost are the smallest elements of two values, as source, that both have and in which they differ, and the path that
// leads to them, as in `Services["a"].Ports[0]`. It is empty if the values have no such elements.
func innermost(a, b string) (path, x, y string) {
	open := elementsAt(commonStart(a, b))
	for least := len(open) - maxOuter; len(open) > max(least, 0); open = open[:len(open)-1] {
		from := open[len(open)-1].value
		if x, y = firstValue(a[from:]), firstValue(b[from:]); x == y || x == "" || y == "" {
			continue // they differ in which elements there are
		}
		for _, e := range open {
			path += e.step()
		}
		return strings.TrimPrefix(path, "."), x, y
	}
	return "", a, b
}

// step is an element in a path.
func (e element) step() string {
	switch {
	case e.key == "":
		return "[" + strconv.Itoa(e.n) + "]"
	case token.IsIdentifier(e.key):
		return "." + e.key
	}
	return "[" + e.key + "]"
}

// commonStart is what two texts begin with, without a token that may go on.
func commonStart(a, b string) string {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return a[:strings.LastIndexAny(a[:n], "{}()[],: ")+1]
}

// elementsAt are the elements that begin in the source of a value and do not end there, the outermost first. An innermost
// one of which nothing is there has to be the value of a key: else its key may come.
func elementsAt(src string) (open []element) {
	calls := 0 // brackets of other kinds that are open; what is in these has no path
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

// firstValue is the value that a text begins with, without what comes after it.
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

// positions are the tokens of a source, which need not be whole, by their offsets.
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
