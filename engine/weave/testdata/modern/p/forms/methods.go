package forms

import (
	"fmt"
)

type counter struct{ n, limit int }

func (c *counter) add(d int) bool {
	if c.n+d > c.limit {
		return false
	}
	c.n += d
	return true
}

func (c counter) rest() int { return c.limit - c.n }

// sum changes only its copy of the receiver.
func (c counter) sum(values ...int) int {
	for _, v := range values {
		c.n += v
	}
	return c.n
}

type shape interface{ rest() int }

func throughInterface(s shape) int { return s.rest() + 1 }

// Methods calls methods.
func Methods(n int) string {
	c := &counter{limit: 10}
	for i := 0; i < n; i++ {
		if !c.add(i) {
			break
		}
	}
	return fmt.Sprint(c.n, c.rest(), c.sum(1, n), c.sum(), c.sum([]int{n, n}...), throughInterface(c))
}

// Expressions calls methods through expressions and values.
func Expressions(n int) string {
	c := counter{limit: n}
	rest := c.rest
	add := (*counter).add
	return fmt.Sprint(rest(), add(&c, 2), c.n)
}
