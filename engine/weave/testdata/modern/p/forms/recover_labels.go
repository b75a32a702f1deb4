package forms

import (
	"fmt"
)

// labelled recovers between labels and jumps.
func labelled(n int) (out string) {
	i := 0
again:
	if r := recover(); r != nil {
		out = fmt.Sprint(r)
		i++
		goto again
	}
loop:
	for {
		for i < n {
			i += 3
			if i == 7 {
				break loop
			}
			continue loop
		}
		break
	}
	return fmt.Sprint(out, i)
}

// Labelled defers what jumps.
func Labelled(n int) (out string) {
	func() {
		defer func() { _ = recover() }()
		defer func() { out = labelled(n) }()
	}()
	return out + labelled(n+1)
}
