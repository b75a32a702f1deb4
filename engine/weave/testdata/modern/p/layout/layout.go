// Package layout is written as no formatter would leave it.
package layout; import "fmt"

func one(n int) int { if n > 3 { return n - 1 }; return n }

func two(a int) int {/* directly behind */ return a+1 /* before */}

func three(a int) int { // comment directly after
	return a /* a */ * /* b */ 2 // c
}; func four(a int) int { return a -
	1 }

func five(a int) (r int) { r = a; { r++ }; if r > 4 { r = 4 } else { r-- }; for r < 2 { r++ }; return }

func empty(int) {}

func nothing(n int) { _ = n }

func six(a int,
	b int) int { return a +
	b }

func seven(n int) int {
	switch { case n > 5: n++; case n > 2: n--
	default: }
	return n }

func eight(n int) string { return `raw
` + fmt.Sprint(n) + `
	string` }

func nine(
	n int,) (s string) { s = "nine"; if n > 5 {
	s += "!" }; return s }

type parens int

func (p (parens)) ten() parens { return p+1 }
func (p *(parens)) eleven(n int,) { *p += parens(n) }

func twelve(n int) parens { p := parens(n); p.eleven(2); return p.ten() }

// Layout calls all.
func Layout(n int) string { empty(n); nothing(n); return fmt.Sprint(one(n), two(n), three(n), four(n), five(n), six(n, 1), seven(n), eight(n), nine(n), twelve(n)) }

// Panic is on one line.
func Panic(n int) int { if n > 3 { panic("one line") }; return []int{1,2}[n] }
