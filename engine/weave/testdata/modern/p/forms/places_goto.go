package forms

import (
	"fmt"
)

// Again goes back over headers and declarations.
func Again(n int) string {
	i, out := 0, ""
again:
	for j := i + 1; j < 4; j++ {
		if k := j * n; k > 12 {
			out += "k"
			goto done
		}
		out += fmt.Sprint(j - 1)
	}
	if i < n/2 {
		i++
		goto again
	}
	if k := i + 2; k == n {
		out += "n"
	}
done:
	return out + fmt.Sprint(i)
}
