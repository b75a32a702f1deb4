package forms

// Integers ranges over integers.
func Integers(n int) (out int) {
	for i := range n {
		out += i
	}
	for range 3 {
		out++
	}
	for i := range uint8(n) {
		if i == 4 {
			continue
		}
		out += int(i)
	}
	return out
}

// Variables has one loop variable for each iteration.
func Variables(n int) int {
	var list []func() int
	for i := 0; i < n; i++ {
		list = append(list, func() int { i *= 2; return i })
	}
	sum := 0
	for _, f := range list {
		sum += f()
	}
	return sum
}
