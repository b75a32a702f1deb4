package forms

import (
	"errors"
	"fmt"
)

var halve = func(n int) (int, error) {
	if n%2 == 1 {
		return 0, errors.New("odd")
	}
	return n / 2, nil
}

var byName = map[string]func(int, string) string{
	"twice": func(n int, _ string) string { return fmt.Sprint(n + n) },
	"deep": func(n int, s string) string {
		defer func() { recover() }()
		more := func(m int) string { return fmt.Sprint(m*2 + 1) }
		for i := 0; i < n; i++ {
			s += more(i)
		}
		return s
	},
}

var first, second = func(n int) int { return n + 1 }, func(n int) int { return n * 2 }

// FromVariables calls function literals of package variables.
func FromVariables(n int) string {
	h, err := halve(n)
	return fmt.Sprint(h, err, byName["twice"](n, ""), byName["deep"](n, "s"), first(n), second(n))
}

var initialised = ""

func init() {
	initialised += "a"
}

func init() {
	initialised += "b"
}

// Initialised returns what the init functions left.
func Initialised(n int) string { return fmt.Sprint(n, initialised) }
