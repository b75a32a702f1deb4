// Package initial computes before main.
package initial

var squares = build(3)

var total int

func build(n int) []int { return []int{0, 1, n - 2, n * n} }

func init() {
	for _, v := range squares {
		total += v
	}
}

func init() {
	if total > 10 {
		total -= 5
	}
}

// Total uses what init made.
func Total(n int) int { return total + n }

// Square indexes what a variable's initialiser made.
func Square(n int) int {
	if n < len(squares) {
		return squares[n]
	}
	return -1
}

// This init has the name and the text of another file's.
func init() {
	n := len(squares)
	n++
	_ = n * 2
}
