package forms

import (
	"fmt"
	"iter"
)

func countdown(n int) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for ; n > 0; n-- {
			if !yield(n, fmt.Sprint("#", n)) {
				return
			}
		}
	}
}

// Functions ranges over functions.
func Functions(n int) string {
	out := ""
outer:
	for i, s := range countdown(n) {
		for j := range countdown(2) {
			if i == 6 && j == 1 {
				break outer
			}
			if i%3 == 0 {
				continue outer
			}
		}
		if i == 1 {
			return out + "one"
		}
		out += s
		defer func() { out += "never seen" }()
	}
	return out
}
