package prose

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/internal/attack"
)

func TestSourceHidesNothing(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing to hide", "x := \"a\\x1b\" + `b\n\tc` // ü\n", "x := \"a\\x1b\" + `b\n\tc` // ü\n"},
		{"control character", "x := \"a\x1b[2J\"", `x := "a\x1b[2J"`},
		{"C1 control character", "x := \"\u009b2J\"", `x := "\u009b2J"`},
		{"right-to-left override", "x := \"a\u202Eb\"", `x := "a\u202eb"`},
		{"beyond the first plane", "x := \"\U000E0041\"", `x := "\U000e0041"`},
		{"character", "x := '\u202E'", `x := '\u202e'`},
		{"raw string", "x := `a\x1b\"\\n`", `x := "a\x1b\"\\n"`},
		{"raw string with carriage returns", "x := `a\r\r\nb\u202Ec\r`", `x := "a\nb\u202ec"`},
		{"comment", "x() // a\u202Eb", "x() // a\uFFFDb"},
		{"windows line ends", "x()\r\ny()\r\n", "x()\ny()\n"},
		{"carriage return as space", "x\r:= 1", "x := 1"},
		{"byte order mark", "\uFEFFpackage p", "package p"},
		{"workflow command in a raw string", "x := `\n::error::x`", `x := "\n::error::x"`},
		{"workflow command in a comment", "/*\n::error::x*/", "/*\n:\u200B:error::x*/"},
		{"old workflow command", `x := "##[error]"`, `x := "#\x23[error]"`},
		{"open string", "x := \"a\x1b\ny()", "x := \"a\\x1b\ny()"},
		{"open raw string", "x := `a\x1b\ny()", "x := `a\uFFFD\ny()"},
		{"open character", "x := '", "x := '"},
		{"no Go", "\x1b\u202E\xff", "\uFFFD\uFFFD\uFFFD"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Source(tt.in); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// FuzzSourceKeepsItsMeaning checks that Source keeps the tokens of source that parses, and the values of its
// literals.
func FuzzSourceKeepsItsMeaning(f *testing.F) {
	for _, s := range attack.All {
		f.Add("package p\n\nconst x = `" + strings.ReplaceAll(s, "`", "'") + "`\n")
		f.Add("package p\n\nconst x = \"" + strings.ReplaceAll(strconv.Quote(s), `\x1b`, "\x1b")[1:] + " // " + strings.ReplaceAll(s, "\n", " "))
		f.Add("package p\r\n\r\n/*" + s + "*/ type T struct { x int `" + strings.ReplaceAll(s, "`", "'") + "` }")
	}
	f.Fuzz(func(t *testing.T, src string) {
		visible := Source(src)
		attack.NoSteering(t, visible)
		attack.NoLogCommands(t, visible)
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", src, parser.SkipObjectResolution); err != nil {
			return
		}
		if before, after := values(t, src), values(t, visible); before != after {
			t.Errorf("%q means %s\n%q means %s", src, before, visible, after)
		}
	})
}

// values returns the tokens of a program, with the values of its literals.
func values(t *testing.T, src string) string {
	t.Helper()
	var b strings.Builder
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(src)), []byte(src), func(_ token.Position, msg string) { t.Errorf("%q: %s", src, msg) }, 0)
	for {
		_, tok, lit := s.Scan()
		switch tok {
		case token.EOF:
			return b.String()
		case token.STRING, token.CHAR:
			value, err := strconv.Unquote(lit)
			if err != nil {
				t.Errorf("literal %q: %v", lit, err)
			}
			b.WriteString(strconv.Quote(value) + " ")
		default:
			b.WriteString(tok.String() + " " + lit + " ")
		}
	}
}
