package forms

import (
	"errors"
	"fmt"
)

// Named changes its result after it has returned.
func Named(n int) (out int, err error) {
	defer func() {
		if out > 5 {
			out *= 10
			err = errors.New("large")
		}
	}()
	if n > 9 {
		return n - 1, nil
	}
	out = n + 1
	return
}

// Nested recovers in a literal.
func Nested(n int) (out string) {
	defer func() {
		if r := recover(); r != nil {
			out = fmt.Sprint("recovered ", r)
		}
	}()
	if n == 3 {
		panic("three")
	}
	return fmt.Sprint(10 / (n - 4))
}

// Order defers in a loop.
func Order(n int) string {
	var out []int
	func() {
		for i := 0; i < n; i++ {
			defer func(k int) { out = append(out, k+i) }(i * 2)
		}
	}()
	return fmt.Sprint(out)
}

// Cleanup panics again.
func Cleanup(n int) int {
	state := 0
	func() {
		defer func() {
			if recover() != nil {
				state++
			}
		}()
		defer func() { state += 2 }()
		if n > 5 {
			panic("again")
		}
		state = n
	}()
	return state
}
