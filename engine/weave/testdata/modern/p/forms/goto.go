package forms

// Goto jumps back and forth.
func Goto(n int) string {
	i, out := 0, ""
again:
	if i < n {
		out += "x"
		i += 2
		goto again
	}
	if n > 6 {
		goto end
	}
	out += "y"
end:
	return out
}

// Blocks has bare and labelled blocks.
func Blocks(n int) (out int) {
	{
		n := n + 1
		{
			if n > 4 {
				return n
			}
		}
		out = n
	}
block:
	{
		if out == 2 {
			out++
			goto block
		}
		out *= 3
	}
	for {
		if out++; out > 6 {
			break
		}
	}
	return
}
