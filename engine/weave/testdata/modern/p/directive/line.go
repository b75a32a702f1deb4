package directive

// Line has its positions moved.
func Line(n int) int {
//line grammar.y:100
	list := []int{1, 2, 3}
	if n > 7 {
//line grammar.y:200
		return list[n-6]
	}
	return list[n] /*line other.y:7:3*/ + n
}

//line generated.go:1

// Behind stands behind a directive.
func Behind(n int) int {
	if n > 3 {
		panic("behind")
	}
	return n + 1
}
