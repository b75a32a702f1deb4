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

// lex splits Go source into tokens, without comments, white space and automatic
// semicolons. Sources that differ only in layout thus give equal tokens.
func lex(src string) []lexeme {
	return slices.DeleteFunc(lexAll(src), func(l lexeme) bool { return l.text == "\n" })
}

// lexAll is lex with a lexeme "\n" for each automatic semicolon.
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

// normalise returns the source's tokens with blanks between them. Sources that
// differ only in layout and comments give equal texts.
func normalise(src string) string {
	var texts []string
	for _, l := range lex(src) {
		texts = append(texts, l.text)
	}
	return strings.Join(texts, " ")
}

// SameCode reports whether two sources differ only in layout and comments. Automatic semicolons at line ends count.
func SameCode(a, b string) bool {
	return slices.EqualFunc(lexAll(a), lexAll(b), func(x, y lexeme) bool { return x.text == y.text })
}

// oneLine returns the source on one line. If it has several lines, comments are
// removed, too.
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

// edit is what a mutant changes, token by token: the inserted tokens replace the
// removed ones from offset on. Mutants of one file with equal edits give the
// same program.
type edit struct {
	offset   int
	removed  int
	inserted string
}

func (e edit) empty() bool { return e.removed == 0 && e.inserted == "" }

// editOf returns the mutant's edit, without the tokens that both texts share at
// either end.
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

// identify sets the IDs of a function's mutants, which are in source order. An ID
// is the first twelve hex digits of the SHA-256 of function, operator, and the
// tokens before and after. A number tells equal changes of a function apart, and
// nth tells functions with the same ID apart. Line numbers and layout play no part.
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
