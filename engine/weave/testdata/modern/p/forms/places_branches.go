package forms

import (
	"fmt"
	"strings"
)

// Branches leaves blocks in every way there is, and disables others.
func Branches(n int) (out string) {
	defer func() { out += fmt.Sprint(recover() != nil) }()
	for i := 0; i < 12; i++ {
		if i > n {
			break
		}
		switch {
		case i == 2:
			continue
		case i%5 == 4:
			out += "fall"
			fallthrough
		case i == 7:
			out += "seven"
			if n > 8 {
				panic(fmt.Sprint("n", n))
			}
		default:
			out += "d"
		}
		if i > 3 {
			out += "more"
		} else {
			out += "less"
		}
	}
	return strings.ToUpper(out) + "!"
}
