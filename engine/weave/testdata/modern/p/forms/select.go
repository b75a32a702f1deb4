package forms

import (
	"fmt"
)

// Select never blocks.
func Select(n int) string {
	c, d := make(chan int, 2), make(chan string, 1) //mutantfuzz:ignore would block
	if n > 3 {
		c <- n
	} else if n == 2 {
		d <- "two"
	}
	select {
	case v := <-c:
		if v > 5 {
			return "large"
		}
		return fmt.Sprint(v - 1)
	case s, ok := <-d:
		return fmt.Sprint(s, ok)
	default: //mutantfuzz:ignore would block
	}
	select {
	case c <- n + 1:
		n++
	default: //mutantfuzz:ignore would block
		n--
	}
	return fmt.Sprint(n, len(c))
}
