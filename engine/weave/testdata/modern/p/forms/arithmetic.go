package forms

import (
	"fmt"
)

// Arithmetic computes.
func Arithmetic(n int) string {
	x := n<<2 | n&^1 ^ 3
	u := uint8(n * 40)
	u -= 5
	f := float64(n)/4 - 1
	if n != 0 {
		x /= n
	}
	x %= 7
	return fmt.Sprint(x, u, -f, ^n, "s"+fmt.Sprint(n)+"t")
}
