package edit

import (
	"go/scanner"
	"go/token"
	"strings"
)

// OnOneLine returns source with single blanks, and with semicolons between statements that stood on lines of their own.
func OnOneLine(source string) string {
	lines := splitLines(source)
	if len(lines) < 2 {
		return strings.Join(strings.Fields(source), " ")
	}
	ends, last := statementEnds(source), 0 // the last line that is not empty
	var b strings.Builder
	for i, line := range lines {
		text := strings.Join(strings.Fields(line), " ")
		if text == "" || strings.HasPrefix(text, "//") {
			continue
		}
		if b.Len() > 0 {
			if ends[last] && !strings.ContainsAny(text[:1], "})]&|.") {
				b.WriteByte(';')
			}
			b.WriteByte(' ')
		}
		b.WriteString(text)
		last = i + 1
	}
	return b.String()
}

// statementEnds returns the lines of source, counted from one, at whose end a statement ends.
func statementEnds(source string) map[int]bool {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), nil, 0)
	ends := map[int]bool{}
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return ends
		}
		if tok == token.SEMICOLON && text == "\n" {
			ends[file.Line(pos)] = true
		}
	}
}
