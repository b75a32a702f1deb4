package forms

import (
	"fmt"
)

type list []int

func (l list) total() (t int) {
	for _, v := range l {
		t += v
	}
	return
}

func (l *list) push(v int) { *l = append(*l, v) }

type fn func(int) int

func (f fn) twice(n int) int { return f(f(n)) }

type parens int

func (p parens) next() parens { return p + 1 }

func (p *(parens)) bump() { *p += 2 }

func (p *parens) value() (int, bool) { return int(*p) - 1, *p > 4 }

type inner struct{ n int }

func (i *inner) add(d int) bool { i.n += d; return i.n > 3 }

type embedded struct {
	*inner
	list
}

func (e embedded) both(n int) string {
	e.push(n)
	return fmt.Sprint(e.add(n), e.total(), e.n)
}

// Kinds calls methods of other kinds of types.
func Kinds(n int) string {
	var l list
	l.push(n)
	l.push(1)
	p := parens(n)
	p.bump()
	v, big := p.value()
	f := fn(func(i int) int { return i * 3 })
	e := embedded{&inner{}, l}
	return fmt.Sprint(l.total(), p.next(), v, big, f.twice(n), e.both(n))
}
