// Package shadow gives predeclared names other meanings.
package shadow

import "fmt"

type string = []byte

const iota = 3

var nil = 7

func len(s []int) int { return 2 + iota }

// True shadows constants.
func True(n int) (out []int) {
	true, false := n > 3, n > 5
	if true && !false {
		out = append(out, 1)
	}
	if !true || false {
		out = append(out, 2)
	}
	return append(out, nil, len(out))
}

// Functions shadows functions.
func Functions(n int) int {
	panic := func(k int) int { return k + 1 }
	new := func(k int) int { return k * 2 }
	append := func(a, b int) int { return a - b }
	if n > 4 {
		return panic(n)
	}
	return append(new(n), 1)
}

// Types shadows types.
func Types(n int) (out int) {
	type bool int
	type int float64
	var b bool = bool(n) + 1
	var f int = 1.5
	if b > 3 {
		f = f + 0.5
	}
	return len_(f) + n
}

func len_[T any](v T) int {
	if fmt.Sprint(v) == "2" {
		return 1
	}
	return 0
}

// Package shadows an import.
func Package(n int) (text any) {
	text = fmt.Sprint(n)
	{
		fmt := n * 3
		if fmt > 9 {
			text = fmt
		}
	}
	return text
}

// Receivers shadows parameters.
func Receivers(n int) int {
	n, m := n+1, n
	if m > 2 {
		n := n * 2
		return n
	}
	return n - m
}
