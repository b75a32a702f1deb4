package forms

import (
	"fmt"
)

type stack[T any] struct{ items []T }

func (s *stack[T]) push(v T) int {
	s.items = append(s.items, v)
	return len(s.items) + 1
}

// pop renames the type parameter.
func (s *stack[Elem]) pop() (e Elem, ok bool) {
	if len(s.items) == 0 {
		return e, false
	}
	e = s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return e, true
}

func (s stack[_]) size(twice bool) int {
	if twice {
		return 2 * len(s.items)
	}
	return len(s.items)
}

func (*stack[_]) fixed() int { return 7 - 2 }

type table[K comparable, V any] struct {
	stack[V]
	keys map[K]int
}

func (t *table[K, V]) set(k K, v V) {
	if t.keys == nil {
		t.keys = map[K]int{}
	}
	if i, ok := t.keys[k]; ok {
		t.items[i] = v
		return
	}
	t.keys[k] = t.push(v) - 2
}

func (t table[_, V]) last() V { return t.items[len(t.items)-1] }

// Stack pushes and pops.
func Stack(n int) string {
	var s stack[string]
	for i := 0; i < n%3; i++ {
		s.push("v")
	}
	v, ok := s.pop()
	return fmt.Sprint(v, ok, s.size(n > 4), s.fixed())
}

// Table sets keys.
func Table(n int) string {
	var t table[int, string]
	t.set(1, "one")
	t.set(n, "n")
	return fmt.Sprint(t.last(), t.size(false), t.items)
}
