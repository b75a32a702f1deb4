package forms

// Panics indexes out of range.
func Panics(n int) int {
	list := []int{1, 2, 3}
	sum := 0
	for i := range list {
		sum += list[i+n/4]
	}
	return sum + 10/(n-5)
}

// Recursion calls itself.
func Recursion(n int) int {
	if n <= 1 {
		return 1
	}
	return Recursion(n-1)*2 + Recursion(n-2)
}
