package forms

import (
	"errors"
	"fmt"
	"io"
)

// Switch has all sorts of clauses.
func Switch(n int) string {
	out := ""
	switch m := n % 4; m {
	case 0, 3:
		out = "edge"
		fallthrough
	case 1:
		out += "one"
		if n > 5 {
			break
		}
		out += "!"
	default:
		out = "other"
	}
	switch {
	case n > 8:
		out += " big"
	case n == 4:
	case n < 3:
		out += " small"
	}
	switch {
	}
	return out
}

// TypeSwitch tells types apart.
func TypeSwitch(n int) string {
	values := []any{n, "s", 2.5, []int{n}, nil, errors.New("e"), io.EOF}
	switch v := values[n%len(values)].(type) {
	case int:
		return fmt.Sprint("int", v+1)
	case string, float64:
		return fmt.Sprint("basic", v)
	case nil:
		return "nil"
	case error:
		if v == io.EOF {
			return "eof"
		}
	case interface{ Len() int }:
		return fmt.Sprint(v.Len())
	default:
		return fmt.Sprintf("%T", v)
	}
	return "end"
}
