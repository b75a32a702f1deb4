// Package imports imports in all ways.
package imports

import str "strings"
import (
	. "fmt"
	w "example.com/modern/lib/words"
	. "example.com/modern/lib/words"
	_ "os"
); import "strconv"

// Aliases uses names given to imports.
func Aliases(n int) string {
	if n > w.Limit {
		return str.ToUpper(w.Repeat("a", n))
	}
	return strconv.Itoa(n + 1)
}

// Dots uses names without a package.
func Dots(n int) string {
	p := Pair{A: n, B: 2}
	if p.A > p.B {
		p.B++
	}
	return Sprint(p, Repeat("b", n%3))
}
