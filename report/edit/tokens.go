package edit

import (
	"cmp"
	"go/scanner"
	"go/token"
	"iter"
	"strings"
)

// Tokens returns the Go tokens of src, separated by spaces.
func Tokens(src string) string {
	var all []string
	for t := range Lexemes(src) {
		all = append(all, t.String())
	}
	return strings.Join(all, " ")
}

// Lexeme is a Go token, and where it is.
type Lexeme struct {
	Token token.Token
	Text  string // its source; empty for operators
	line  int    // where it begins, from 1
}

// String returns the token as it is written.
func (l Lexeme) String() string { return cmp.Or(l.Text, l.Token.String()) }

// Lexemes returns the Go tokens of src, except semicolons that stand for the end of a line.
func Lexemes(src string) iter.Seq[Lexeme] {
	return func(yield func(Lexeme) bool) {
		var s scanner.Scanner
		file := token.NewFileSet().AddFile("", -1, len(src))
		s.Init(file, []byte(src), func(token.Position, string) {}, 0)
		for pos, tok, text := s.Scan(); tok != token.EOF; pos, tok, text = s.Scan() {
			if layout := tok == token.SEMICOLON && text == "\n"; !layout && !yield(Lexeme{tok, text, file.Line(pos)}) {
				return
			}
		}
	}
}
