package forms

import (
	"fmt"
)

// ElseIf has a chain.
func ElseIf(n int) string {
	if n < 2 {
		return "few"
	} else if m := n * n; m < 17 {
		return fmt.Sprint("some ", m)
	} else if m > 50 && n%2 == 0 {
		return "even"
	} else {
		n += m
	}
	return fmt.Sprint("many ", n)
}

// Logic has conditions with effects.
func Logic(n int) string {
	calls := 0
	yes := func(b bool) bool { calls++; return b }
	a := yes(n > 2) && !yes(n < 5) || yes(n == 1)
	b := n&1 == 0 != (n > 4)
	return fmt.Sprint(a, b, calls)
}
