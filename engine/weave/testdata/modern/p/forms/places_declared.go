package forms

import (
	"fmt"
)

type size uint8

func halves(n int) (int, error) {
	if n%2 == 1 {
		return n / 2, fmt.Errorf("%d is odd", n)
	}
	return n / 2, nil
}

// Declared declares things of all sorts.
func Declared(n int) string {
	var a, b = n + 1, n*2 - 1
	var c size = size(n) + 3
	var d interface{ Error() string } = fmt.Errorf("%d", n+1)
	e, _ := halves(n - 1)
	_, f := halves(n + 2)
	g :=
		n -
			4
	g, h := g+1, g-1
	type local struct{ x, y int }
	l := local{x: a - 1, y: b}
	size := n / 2
	m := size + int(c)
	s := []func() int{func() int { return n + m }, func() int { return n - m }}[n%2]
	m, p := s()-1, struct{ q int }{n * 2}
	return fmt.Sprint(a, b, c, d, e, f, g, h, l, m, p)
}
