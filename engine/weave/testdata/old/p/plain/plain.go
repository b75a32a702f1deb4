// Package plain belongs to a module whose language has no generics.
package plain

import "fmt"

type point struct{ x, y int }

func (p *point) move(dx, dy int) bool {
	p.x += dx
	p.y += dy
	return p.x > p.y
}

func (point) String() string { return "point" }

// Shared has one loop variable for all iterations.
func Shared(n int) int {
	var list []func() int
	for i := 0; i < n; i++ {
		list = append(list, func() int { return i })
	}
	sum := 0
	for _, f := range list {
		sum += f()
	}
	return sum
}

// Move moves.
func Move(n int) string {
	p := &point{x: n}
	ok := p.move(1, 2*n)
	return fmt.Sprint(ok, p.x, p.y, p)
}

// Cases switches.
func Cases(n int) (out string) {
	switch {
	case n < 2:
		out = "few"
	case n%2 == 0:
		out = "even"
	default:
		out = fmt.Sprint(n - 1)
	}
	return out
}

// Blocks has clauses that are blocks, begin with one, or do nothing.
func Blocks(n int) (out int) {
	switch n % 4 {
	case 0:
		{
			out += n
		}
	case 1:
		{
			out -= n
		}
		out *= 3
	case 2:
		{
		}
	}
	return out
}

// Index panics at the end.
func Index(n int) int {
	return []int{5, 4, 3, 2}[n] + 1
}

// Odd loops.
func Odd(n int) (out []int) {
	for i := 1; i <= n; i += 2 {
		if i == 7 {
			continue
		}
		out = append(out, i)
	}
	return out
}
