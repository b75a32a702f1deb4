package forms

import (
	"fmt"
)

func adder(start int) func(int) int {
	sum := start
	return func(d int) int {
		sum += d
		if sum > 10 {
			sum = 0
		}
		return sum
	}
}

// Closure keeps state.
func Closure(n int) string {
	f, g := adder(n), adder(1)
	return fmt.Sprint(f(2), f(3), g(n), f(4))
}

// Concurrent starts goroutines.
func Concurrent(n int) int {
	results := make(chan int, 20) //mutantfuzz:ignore would block
	for i := 0; i < n; i++ {      //mutantfuzz:ignore would block
		go func() { //mutantfuzz:ignore would block
			v := i + 1
			if v > 5 {
				v *= 2
			}
			results <- v //mutantfuzz:ignore would block
		}()
	}
	sum := 0
	for i := 0; i < n; i++ { //mutantfuzz:ignore would block
		sum += <-results //mutantfuzz:ignore would block
	}
	return sum
}

// Recursive refers to itself.
func Recursive(n int) int {
	var fib func(int) int
	fib = func(k int) int {
		if k < 2 {
			return k
		}
		return fib(k-1) + fib(k-2)
	}
	return fib(n)
}
