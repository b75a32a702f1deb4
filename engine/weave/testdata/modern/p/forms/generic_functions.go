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

// phantom has type parameters without a name, alone and beside others.
func phantom[_ ~int, _, E any, S ~[]E](s S, n int) (E, int) {
	if n > 3 {
		n -= 3
	}
	return s[len(s)-1], n + 1
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

func alone[_ any](int) int { return 2 + 3 }

// Phantom names all types, or those that cannot be inferred.
func Phantom(n int) string {
	inferred, more := phantom[int, bool]([]string{"a", fmt.Sprint(n)}, n)
	f := phantom[int, bool, int, []int]
	named, _ := f([]int{n}, n)
	return fmt.Sprint(inferred, more, named, alone[string](n))
}
