//go:build go1.21

package wire

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote returns s as a Go string literal, like [strconv.Quote]. It also escapes characters that are invisible on a
// screen: those that Unicode defines as ignorable by default, and combining marks that do not follow a letter.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	last := rune(0)
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.IsMark(r) && !unicode.IsLetter(last) && !unicode.IsMark(last) {
			b.WriteString(escaped(r))
			r = 0 // the next mark does not follow a letter either
		} else {
			quoted := strconv.Quote(s[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		last, s = r, s[size:]
	}
	b.WriteByte('"')
	return b.String()
}

// escaped returns the escape sequence of r in a string literal.
func escaped(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
