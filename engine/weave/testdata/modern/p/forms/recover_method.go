package forms

import (
	"fmt"
)

type guard struct {
	limit int
	seen  []string
}

func (g *guard) catch(n int) {
	if n > g.limit {
		return
	}
	for i := 0; i < 2; i++ {
		if r := recover(); r != nil {
			g.seen = append(g.seen, fmt.Sprint(i, r))
			continue
		}
		g.seen = append(g.seen, "none")
	}
}

// Method defers a method that recovers.
func Method(n int) string {
	g := &guard{limit: 8}
	func() {
		defer g.catch(n)
		if n > 2 {
			panic(n)
		}
	}()
	return fmt.Sprint(g.seen)
}
