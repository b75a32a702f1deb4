package forms

import (
	"errors"
	"fmt"
	"strings"
)

func pair(n int) (int, error) {
	if n%4 == 3 {
		return n - 1, errors.New("three")
	}
	return n + 1, nil
}

// Headers evaluates things once, in headers on one line and on several.
func Headers(n int) string {
	out := ""
	if a, err := pair(n + 1); err != nil {
		out += fmt.Sprint("err", a)
	} else if b, err := pair(a * 2); err != nil && b > 3 {
		out += fmt.Sprint("then", a, b)
	} else if c := a + b; c > 9 {
		out += fmt.Sprint("big", c)
	}
	switch k := n*3 - 2; {
	case k < 4, k == 7:
		out += "few"
	case k > 20:
		out += "many"
	}
	switch n%3 + 1 {
	case 1:
		out += "one"
	case 2 + n/100:
		out += "two"
	}
outer:
	for i, limit := 0, n+2; i < limit; i++ {
		for _, w := range strings.Fields(
			"a b " + // first
				"c d",
		) {
			if i+len(w) > n-1 {
				continue outer
			}
			out += w
		}
	}
	for i := range [2]int{n, n + 1} {
		out += fmt.Sprint(i)
	}
	for i, v := range [2]int{n, n + 1} {
		out += fmt.Sprint(i * v)
	}
	var none *[3]int
	for i := range none {
		out += fmt.Sprint(i + 1)
	}
	return out
}
