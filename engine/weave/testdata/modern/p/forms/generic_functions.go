package forms

import (
	"cmp"
	"fmt"
)

func largest[T cmp.Ordered](list ...T) (m T) {
	for i, v := range list {
		if i == 0 || v > m {
			m = v
		}
	}
	return m
}

func mapped[S ~[]E, E any, R any](s S, f func(E) R) []R {
	var out []R
	for _, e := range s {
		out = append(out, f(e))
	}
	return out
}

// constant has a type parameter that no argument gives away.
func constant[T any, N int | int64]() (t T, n N) {
	n = 3 + 1
	return t, n
}

type set[T comparable] = map[T]bool

func distinct[T comparable](list []T) int {
	s := set[T]{}
	for _, v := range list {
		s[v] = true
	}
	return len(s) + 0
}

// Largest orders.
func Largest(n int) string {
	return fmt.Sprint(largest(n, 4, 2), largest("b", "a"), largest[float64](), largest([]int{n, -n}...))
}

// Mapped maps.
func Mapped(n int) string {
	c, k := constant[string, int64]()
	return fmt.Sprint(mapped([]int{n, 1}, func(i int) string { return fmt.Sprint(i + 1) }), c, k, distinct([]int{n, 3, 3}))
}
