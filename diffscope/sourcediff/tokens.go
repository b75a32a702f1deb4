// Package sourcediff compares two versions of a piece of Go source: by their tokens, by lines, and by the tokens in
// lines that differ.
package sourcediff

import (
	"cmp"
	"go/constant"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// Separator is between the tokens that Tokens returns. No token contains it.
const Separator = "\x00"

// Tokens returns the Go tokens of a piece of source as one comparable string. Two pieces have the same string if they
// differ only in
//   - comments and formatting: a line break that ends a statement counts as a semicolon, and an optional comma or
//     semicolon before a closing bracket is left out;
//   - the notation of integers ("0x10" and "16");
//   - parentheses around whole expressions;
//   - names that Go or its library has replaced (see newNames);
//   - an assignment of a call's results to blanks ("_ = f()" and "f()").
//
// open maps offsets of identifiers to what stands for them; nil: they stand for themselves.
func Tokens(src []byte, open map[int]string) string {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	var out []string
	for {
		pos, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return strings.Join(withoutParentheses(withoutEnd(out)), Separator)
		case token.RPAREN, token.RBRACE, token.RBRACK:
			out = renewed(append(withoutEnd(out), tok.String()))
		case token.IDENT:
			out = renewed(append(out, cmp.Or(open[file.Offset(pos)], lit)))
		case token.ASSIGN:
			if rest, ok := withoutBlanks(out); ok {
				out = rest
			} else {
				out = append(out, tok.String())
			}
		case token.INT:
			out = append(out, number(lit))
		case token.FLOAT, token.IMAG, token.CHAR, token.STRING, token.ILLEGAL:
			out = append(out, lit)
		default:
			out = append(out, tok.String())
		}
	}
}

// number returns an integer literal in decimal digits.
func number(lit string) string {
	if v := constant.MakeFromLiteral(lit, token.INT, 0); v.Kind() == constant.Int {
		return v.ExactString()
	}
	return lit
}

// newNames are the tokens of names for which Go or its standard library has a newer name.
var newNames = []struct{ older, newer []string }{
	{[]string{"interface", "{", "}"}, []string{"any"}},
	{[]string{"reflect", ".", "Ptr"}, []string{"reflect", ".", "Pointer"}},
	{[]string{"reflect", ".", "PtrTo"}, []string{"reflect", ".", "PointerTo"}},
	{[]string{"ioutil", ".", "ReadAll"}, []string{"io", ".", "ReadAll"}},
	{[]string{"ioutil", ".", "NopCloser"}, []string{"io", ".", "NopCloser"}},
	{[]string{"ioutil", ".", "Discard"}, []string{"io", ".", "Discard"}},
	{[]string{"ioutil", ".", "ReadFile"}, []string{"os", ".", "ReadFile"}},
	{[]string{"ioutil", ".", "WriteFile"}, []string{"os", ".", "WriteFile"}},
	{[]string{"ioutil", ".", "TempFile"}, []string{"os", ".", "CreateTemp"}},
	{[]string{"ioutil", ".", "TempDir"}, []string{"os", ".", "MkdirTemp"}},
}

// renewed replaces an older name at the end of out by the newer one.
func renewed(out []string) []string {
	for _, n := range newNames {
		if rest := len(out) - len(n.older); rest >= 0 && slices.Equal(out[rest:], n.older) {
			return append(out[:rest], n.newer...)
		}
	}
	return out
}

// withoutBlanks drops the blank identifiers of an assignment from the end of out. It is not ok if the statement
// begins with anything else.
func withoutBlanks(out []string) (rest []string, ok bool) {
	for i := len(out) - 1; i >= 0 && out[i] == "_"; i -= 2 {
		if i == 0 || slices.Contains([]string{";", "{", "}", ":"}, out[i-1]) {
			return out[:i], true
		}
		if out[i-1] != "," {
			break
		}
	}
	return out, false
}

// withoutEnd drops a comma or semicolon at the end.
func withoutEnd(out []string) []string {
	if n := len(out); n > 0 && (out[n-1] == "," || out[n-1] == ";") {
		return out[:n-1]
	}
	return out
}

// Tokens around a whole expression, where parentheses mean nothing.
var (
	beforeWhole = []string{"(", "if", "for", "switch", "case", "return", "=", ":=", ";", ","}
	afterWhole  = []string{"{", "}", ";", ",", ":", ")"}
)

// withoutParentheses drops parentheses around whole expressions.
func withoutParentheses(out []string) []string {
	var open []int // of parentheses that are not closed yet
	drop := map[int]bool{}
	for i, tok := range out {
		switch tok {
		case "(":
			open = append(open, i)
		case ")":
			if len(open) == 0 {
				return out // src is a fragment
			}
			from := open[len(open)-1]
			open = open[:len(open)-1]
			ends := i+1 == len(out) || slices.Contains(afterWhole, out[i+1])
			if ends && from > 0 && slices.Contains(beforeWhole, out[from-1]) {
				drop[from], drop[i] = true, true
			}
		}
	}
	if len(drop) == 0 {
		return out
	}
	var rest []string
	for i, tok := range out {
		if !drop[i] {
			rest = append(rest, tok)
		}
	}
	return rest
}
