package initial

func init() {
	n := len(squares)
	n++
	_ = n * 2
}
