package forms

import (
	"fmt"
)

// Rows holds constants of several types in one long statement.
func Rows(n int) string {
	rows := []struct {
		name string
		n    size
		f    float64
		of   map[int]string
	}{
		// What makes a statement long need not be code: from a certain length on its constants are chosen
		// one by one, since a copy of all of it for each would be too much text.
		// What makes a statement long need not be code: from a certain length on its constants are chosen
		// one by one, since a copy of all of it for each would be too much text.
		// What makes a statement long need not be code: from a certain length on its constants are chosen
		// one by one, since a copy of all of it for each would be too much text.
		// What makes a statement long need not be code: from a certain length on its constants are chosen
		// one by one, since a copy of all of it for each would be too much text.
		{"a", 1, 0.5, map[int]string{1: "x", 2: "y"}}, {"b" + "c", 2 + 3, 1 << 2, map[int]string{3: "z"}},
		{name: "d", n: 'x', f: 2.5, of: nil}, {name: "e", n: ^size(7), f: -1, of: map[int]string{-1: "w"}},
	}
	return fmt.Sprint(rows[n:])
}
