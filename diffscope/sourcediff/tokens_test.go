package sourcediff

import (
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// The tokens of a file are the same, whatever space and comments are between them.
func TestSpaceAndCommentsDoNotChangeTokens(t *testing.T) {
	files, err := filepath.Glob("../*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no source", err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := Tokens(respaced(src, random), nil), Tokens(src, nil); got != want {
			t.Errorf("%s: tokens differ", name)
		}
	}
}

// respaced returns the tokens of src with random space and comments between them.
func respaced(src []byte, random *rand.Rand) []byte {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", fset.Base(), len(src)), src, nil, 0)
	var out []byte
	for {
		_, tok, lit := s.Scan()
		text := lit
		switch {
		case tok == token.EOF:
			return out
		case tok == token.SEMICOLON && lit == "\n":
			text = []string{";", "\n", " // end\n\n"}[random.IntN(3)]
		case lit == "":
			text = tok.String()
		}
		out = append(append(out, text...), []string{" ", "\t", " /* note */ "}[random.IntN(3)]...)
		if tok == token.COMMA || tok == token.LPAREN || tok == token.LBRACE {
			out = append(out, "\n"[:random.IntN(2)]...)
		}
	}
}

func TestTokensTellCodeApart(t *testing.T) {
	for _, pair := range [][2]string{
		{"x := a", "x = a"},
		{`"a b"`, `"a  b"`},
		{"f(a, b)", "f(b, a)"},
		{"a\n-b", "a - b"},
		{"f()\ng()", "f() + g()"},
		{"'a'", `"a"`},
		{"_ = x", "x = x"},
		{"a, _ = f()", "f()"},
		{"_, a = f()", "f()"},
		{"var _ = f()", "var f()"},
		{"x = (a + b) * c", "x = a + b * c"},
		{"x = a * (b + c)", "x = a * b + c"},
		{"return !(a && b)", "return !a && b"},
		{"f((a)(b))", "f(a(b))"},
		{"(*T)(p)", "*T(p)"},
		{"f()", "f"},
		{"go f()", "go f"},
	} {
		if Tokens([]byte(pair[0]), nil) == Tokens([]byte(pair[1]), nil) {
			t.Errorf("%q and %q have the same tokens", pair[0], pair[1])
		}
	}
}

func TestParenthesesAroundWholeExpressionsMeanNothing(t *testing.T) {
	for _, pair := range [][2]string{
		{"if (len(x) > 0) {\n}", "if len(x) > 0 {\n}"},
		{"if a := b; (a && (c || d)) {\n}", "if a := b; a && (c || d) {\n}"},
		{"for (a < b) {\n}", "for a < b {\n}"},
		{"switch (a) {\ncase (b), (c):\n}", "switch a {\ncase b, c:\n}"},
		{"func() int {\nreturn (a + b)\n}", "func() int {\nreturn a + b\n}"},
		{"x, y := (a), ((b))", "x, y := a, b"},
		{"f((a + b), c)", "f(a + b, c)"},
	} {
		checkSameTokens(t, pair[0], pair[1])
	}
}

// checkSameTokens checks that two pieces of source have the same tokens.
func checkSameTokens(t *testing.T, a, b string) {
	t.Helper()
	if Tokens([]byte(a), nil) != Tokens([]byte(b), nil) {
		t.Errorf("%q and %q have other tokens", a, b)
	}
}

func TestBlanksMayBeAssignedOrNot(t *testing.T) {
	for _, pair := range [][2]string{
		{"_ = f()", "f()"},
		{"a()\n_, _ = f()", "a()\nf()"},
		{"if a {\n_ = f()\n}", "if a {\nf()\n}"},
		{"case 1: _ = f()", "case 1: f()"},
	} {
		checkSameTokens(t, pair[0], pair[1])
	}
}
