package mutate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// lexeme is a token of a piece of source.
type lexeme struct {
	offset int
	text   string
}

// lex splits Go source into tokens. Comments, white space and the semicolons
// that line ends stand for are left out, so that what differs in layout only
// is equal.
func lex(src string) []lexeme {
	return slices.DeleteFunc(lexAll(src), func(l lexeme) bool { return l.text == "\n" })
}

// lexAll is lex with a lexeme "\n" for each semicolon that a line end stands
// for.
func lexAll(src string) []lexeme {
	file := token.NewFileSet().AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), func(token.Position, string) {}, 0)
	var out []lexeme
	for {
		pos, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return out
		case tok == token.SEMICOLON && lit != ";":
			lit = "\n"
		case lit == "":
			lit = tok.String()
		}
		out = append(out, lexeme{file.Offset(pos), lit})
	}
}

// normalise writes the source's tokens with blanks between them. What differs
// in layout and comments only is equal.
func normalise(src string) string {
	var texts []string
	for _, l := range lex(src) {
		texts = append(texts, l.text)
	}
	return strings.Join(texts, " ")
}

// SameCode reports whether two sources differ by no more than layout and comments; a line end that stands for a semicolon counts.
func SameCode(a, b string) bool {
	return slices.EqualFunc(lexAll(a), lexAll(b), func(x, y lexeme) bool { return x.text == y.text })
}

// oneLine is the source without line ends, and without comments if it had
// any line ends.
func oneLine(src string) string {
	if !strings.Contains(src, "\n") {
		return src
	}
	var texts []string
	for _, l := range lexAll(src) {
		if l.text == "\n" {
			l.text = ";"
		}
		texts = append(texts, l.text)
	}
	return strings.TrimSuffix(strings.Join(texts, " "), " ;")
}

// edit is what a mutant changes, token by token: removed tokens from offset
// on make way for those inserted. Mutants of one file with equal edits give
// the same program.
type edit struct {
	offset   int
	removed  int
	inserted string
}

func (e edit) empty() bool { return e.removed == 0 && e.inserted == "" }

// editOf trims what the mutant's two texts have in common at either end.
func editOf(m *Mutant) edit {
	before, after := lex(m.Original), lex(m.Replacement)
	offset := m.EndOffset
	for len(before) > 0 && len(after) > 0 && before[0].text == after[0].text {
		before, after = before[1:], after[1:]
	}
	if len(before) > 0 {
		offset = m.Offset + before[0].offset
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1].text == after[len(after)-1].text {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	e := edit{offset: offset, removed: len(before)}
	for _, l := range after {
		e.inserted += l.text + " "
	}
	return e
}

// identify gives each mutant of a function, in source order, its ID: twelve
// hex digits of the SHA-256 of what it does, counted where a function has the
// same change several times, or several functions share an ID. Line numbers and
// layout play no part.
func identify(mutants []Mutant, nth int) {
	count := make(map[string]int)
	for i := range mutants {
		m := &mutants[i]
		what := strings.Join([]string{m.Function + strings.Repeat("'", nth), m.Operator, normalise(m.Original), normalise(m.Replacement)}, "\x00")
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", what, count[what]))
		m.ID = hex.EncodeToString(sum[:6])
		count[what]++
	}
}
