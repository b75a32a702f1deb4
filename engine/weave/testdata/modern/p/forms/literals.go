package forms

import (
	"fmt"
	"sort"
)

var double = func(n int) int {
	if n > 3 {
		return n * 2
	}
	return n
}

var operations = map[string]func(int, int) int{
	"add": func(a, b int) int { return a + b },
	"sub": func(a, b int) int { return a - b },
}

// Variable calls literals in package variables.
func Variable(n int) int {
	return double(n) + operations["add"](n, 1)*operations["sub"](n, 2)
}

// Sorted passes a literal.
func Sorted(n int) string {
	list := []int{n, 4, 1, 7}
	sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	return fmt.Sprint(list)
}

// Immediate calls a literal at once.
func Immediate(n int) int {
	v := func() int {
		for i := 0; ; i++ {
			if i*i >= n {
				return i
			}
		}
	}()
	return v + func(k int) int { return k - 1 }(n)
}
