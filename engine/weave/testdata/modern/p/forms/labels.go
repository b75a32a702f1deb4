package forms

import (
	"fmt"
)

// Labels leaves and continues outer loops.
func Labels(n int) string {
	out := 0
outer:
	for i := 0; i < 4; i++ {
	inner:
		for j := 0; j < 4; j++ {
			switch {
			case i*j > n:
				continue outer
			case j == n%3+1:
				break inner
			case i == 3:
				break outer
			}
			out += i + j
		}
		out += 10
	}
	return fmt.Sprint(out)
}
