package forms

import (
	"fmt"
)

// Conditions are loops without a post statement.
func Conditions(n int) string {
	steps := 0
	for n != 1 && steps < 20 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		steps++
	}
	for ; n < 5; n++ {
	}
	for i, j := 0, n; i < j; i, j = i+1, j-1 {
		steps += j
	}
	return fmt.Sprint(n, steps)
}
