//go:build go1.21

package wire

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Quote returns s as a Go string literal, like [strconv.Quote]. It also escapes characters that are invisible on a
// screen: those that Unicode defines as ignorable by default, and combining marks that do not follow a letter.
func Quote(s string) string {
	quoted := strconv.Quote(s)
	var b strings.Builder
	last := rune('"')
	for _, r := range quoted {
		if unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.IsMark(r) && !unicode.IsLetter(last) && !unicode.IsMark(last) {
			b.WriteString(escaped(r))
			last = '"' // the next mark does not follow a letter either
			continue
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// escaped returns the escape sequence of r in a string literal.
func escaped(r rune) string {
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
