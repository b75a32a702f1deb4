package diffscope

import (
	"cmp"
	"go/scanner"
	"go/token"
	"strings"
)

// tokenSeparator is between tokens.
const tokenSeparator = "\x00"

// tokens returns the Go tokens of a piece of source as one comparable string.
// Two pieces that differ in comments and formatting only give the same: line
// breaks end statements like semicolons do, and what may stand before a
// closing bracket at the end of a line but need not is left out. open has
// what stands for the identifiers at some offsets.
func tokens(src []byte, open map[int]string) string {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	var out []string
	for {
		pos, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return strings.Join(withoutEnd(out), tokenSeparator)
		case token.RPAREN, token.RBRACE, token.RBRACK:
			out = append(withoutEnd(out), tok.String())
		case token.IDENT:
			out = append(out, cmp.Or(open[file.Offset(pos)], lit))
		case token.INT, token.FLOAT, token.IMAG, token.CHAR, token.STRING, token.ILLEGAL:
			out = append(out, lit)
		default:
			out = append(out, tok.String())
		}
	}
}

// withoutEnd drops a comma or semicolon at the end.
func withoutEnd(out []string) []string {
	if n := len(out); n > 0 && (out[n-1] == "," || out[n-1] == ";") {
		return out[:n-1]
	}
	return out
}
