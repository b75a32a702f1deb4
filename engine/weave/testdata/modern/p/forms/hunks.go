package forms

// The comments say what a change made of these lines: "was" is what a line
// was before, with a bar for each line's end, "new" is a line that it added.

// Condition has a changed condition in the line that ends the branch before it.
func Condition(n int) int {
	if n == 1 {
		n = 4
	} else if n > 3 { // was: } else if n > 6 {
		n = 2
	}
	return n
}

// Otherwise lost what it did otherwise.
func Otherwise(n int) int {
	if n > 4 {
		n++
	} // was: } else {|n--|}
	return n
}

// Split did as one what it does in two steps.
func Split(n int) int {
	out := 0
	if n > 4 {
		out++
	} // new
	if n%2 == 0 { // new
		out += 2
	}
	return out
}

// Joined did in two steps what it does as one.
func Joined(n int) int {
	out := 0
	if n > 4 {
		out++ // was: out++|}|if n%2 == 0 {
		out += 2
	}
	return out
}

// Cases had another case.
func Cases(n int) int {
	switch n {
	case 1:
		n += 4 // was: n += 4|case 5:
		n *= 2
	case 2, 3: // was: case 2:
		n = 0
	case 4: // new
		n = 1 // new
	default:
		n = 7
	}
	return n
}

// Within has changes within branches alone.
func Within(n int) int {
	for i := range n {
		if i > 2 {
			n += i // was: n -= i
		}
	}
	func() {
		if n > 6 {
			n = 6 // new
		}
	}()
	return n
}

// Whole has changes in branches that nothing but the function holds.
func Whole(n int) int {
	if n > 5 {
		n *= 2 // was: n *= 3
	}
	if n < 2 {
		n-- // was: n++
	}
	return n
}

// Jump jumps over a change, to a label that stood elsewhere.
func Jump(n int) int {
	if n > 4 {
		goto end
	}
	n *= 2
end: // was: n += 3
	n += 3 // was: end:
	return n
}

// Skip jumps past what it does, to a label among plain statements.
func Skip(n int) int {
	out := 1
	if n > 3 {
		goto end
	}
	out += n
	out *= 2
end:
	out -= 4
	return out
}

// Retry jumps past what it does, to a loop that has a label.
func Retry(n int) int {
	out := 1
	if n > 3 {
		goto loop
	}
	out += n
loop:
	for i := range 3 {
		if i == n%3 {
			continue loop
		}
		out += i
	}
	return out
}

// doubled is a literal with a change in it.
var doubled = func(n int) int {
	if n > 3 {
		n *= 2 // was: n *= 4|n--
	} else if n < 2 { // was: } else {
		n++
	}
	return n
}

// Doubled calls it.
func Doubled(n int) int { return doubled(n) }
