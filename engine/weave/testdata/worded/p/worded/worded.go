// Package worded is mutated by operators that belong to tests.
package worded

import "fmt"

// Branches goes one way or another.
func Branches(n int) int {
	out := n
	if n%2 == 0 {
		out += 3
		out *= 2
	} else {
		out--
	}
	if n > 6 {
		out++
	}
	return out
}

// Loops goes round.
func Loops(n int) int {
	sum := 0
	for i := 0; i < n; i++ {
		if i == 5 {
			continue
		}
		sum += i
	}
	for range n / 3 {
		sum--
	}
	return sum
}

// Cases has clauses that are blocks, or begin with one.
func Cases(n int) int {
	switch n % 4 {
	case 0:
		{
			n += 10
		}
	case 1:
		{
			n += 20
		}
		n++
	case 2:
		n--
		{
			n += 30
		}
	}
	return n
}

// Labels leaves loops by their names, and goes back.
func Labels(n int) int {
	sum := 0
outer:
	for i := range n {
		for j := range n {
			if j > i {
				sum++
				continue outer
			}
			sum += j
		}
	}
	if sum > 4 {
	again:
		sum -= 3
		if sum > 9 {
			goto again
		}
	}
	return sum
}

// Recovers has its mutants in its own body.
func Recovers(n int) (out int) {
	defer func() { out += 2 }()
	defer func() {
		if r := recover(); r != nil {
			out = len(fmt.Sprint(r))
		}
	}()
	list := []int{1, 2, 3, 4, 5}
	if n > 2 {
		n++
	}
	return list[n]
}

type stack[T any] struct{ list []T }

func (s *stack[T]) push(v T) int {
	if len(s.list) < 4 {
		s.list = append(s.list, v)
	}
	return len(s.list)
}

// Generic has a method of a generic type.
func Generic(n int) int {
	s, sum := &stack[int]{}, 0
	for i := range n {
		sum += s.push(i)
	}
	return sum + s.push(n)
}
