package prose

import (
	"fmt"
	"go/scanner"
	"go/token"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Source returns Go source that means the same as src and hides nothing: it has no invisible characters, and no
// line that a CI runner takes for a command. In literals such characters become escapes. Elsewhere they are only
// possible in comments, or in text that is not Go, and are replaced.
func Source(src string) string {
	src = strings.TrimPrefix(strings.ToValidUTF8(src, "\uFFFD"), "\uFEFF") // a byte order mark may begin a file
	src = strings.ReplaceAll(src, "\r\n", "\n")
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	var b strings.Builder
	done := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			b.WriteString(visibleText(src[done:]))
			return b.String()
		}
		if tok != token.STRING && tok != token.CHAR {
			continue
		}
		start := file.Offset(pos)
		end := start + len(lit)
		if lit[0] == '`' { // lit lacks the carriage returns of the source
			end = start + 1 + strings.IndexByte(src[start+1:], '`') + 1
		}
		if end <= start+1 {
			continue // the literal has no end
		}
		b.WriteString(visibleText(src[done:start]))
		b.WriteString(visibleLiteral(src[start:end]))
		done = end
	}
}

// visibleText makes the text between literals visible.
func visibleText(s string) string {
	s = strings.ReplaceAll(s, "\r", " ") // Go treats it as a space, too
	lines := strings.Split(strings.Map(visibleInLines, s), "\n")
	for i, line := range lines {
		lines[i] = noCommands(line)
	}
	return strings.Join(lines, "\n")
}

// visibleLiteral returns a literal with the same value as lit and without invisible characters.
func visibleLiteral(lit string) string {
	if visibleText(lit) == lit {
		return lit
	}
	if lit[0] == '`' {
		lit = strconv.Quote(strings.ReplaceAll(lit[1:len(lit)-1], "\r", ""))
	}
	var b strings.Builder
	for _, r := range lit {
		switch {
		case r == '\t' || visible(r) == r:
			b.WriteRune(r)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xFFFF:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return strings.ReplaceAll(b.String(), "##[", `#\x23[`)
}
