package diffscope

import (
	"go/scanner"
	"go/token"
	"strings"
)

// tokens returns the Go tokens of a piece of source as one comparable string.
// Two pieces that differ in comments and formatting only give the same: line
// breaks end statements like semicolons do, and what may stand before a
// closing bracket at the end of a line but need not is left out. rename, if
// not nil, is applied to every identifier.
func tokens(src []byte, rename func(string) string) string {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", fset.Base(), len(src)), src, nil, 0)
	var out []string
	for {
		_, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return strings.Join(withoutEnd(out), "\x00")
		case token.RPAREN, token.RBRACE, token.RBRACK:
			out = append(withoutEnd(out), tok.String())
		case token.IDENT:
			if rename != nil {
				lit = rename(lit)
			}
			out = append(out, lit)
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
