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

//line scanner.rl:24

// Find stands behind one, too, and has edits of several lines.
func Find(list []int, wanted int) int {
	low, high := 0, len(list)-1
	for high >= low {
		middle := low + (high-low)>>1
		switch {
		case list[middle] < wanted:
			low = middle + 1
		case list[middle] > wanted:
			high = min(
				middle-1,
				len(list))
		default:
			return middle
		}
	}
	return -1
}
