package forms

import (
	"errors"
	"fmt"
)

var errOdd = errors.New("odd")

func half(n int) (int, error) {
	if n%2 != 0 {
		return 0, errOdd
	}
	if n > 8 {
		return n, fmt.Errorf("large %d", n)
	}
	return n / 2, nil
}

// Errors returns errors.
func Errors(n int) string {
	v, err := half(n)
	if err != nil {
		return "error: " + err.Error()
	}
	return fmt.Sprint(v)
}

// Slices cuts.
func Slices(n int) string {
	s := []byte("abcdef")
	if n < len(s) {
		s = s[n:]
	}
	return string(append(s[:1:2], s[min(2, len(s)):]...))
}
