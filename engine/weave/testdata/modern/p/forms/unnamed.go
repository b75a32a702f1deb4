package forms

import (
	"fmt"
)

func (*counter) unnamed(a, b int) int { return a*2 + b }

func (_ counter) blank(_ int, s string, _ ...bool) string {
	if len(s) > 2 {
		return s[:2]
	}
	return s + "!"
}

func noNames(int, string) int { return 3 + 4 }

func onlyVariadic(...string) string { return "a" + "b" }

// Unnamed calls what has no names.
func Unnamed(n int) string {
	c := counter{}
	return fmt.Sprint(c.unnamed(n, 1), c.blank(n, fmt.Sprint(n*50), true), noNames(n, ""), onlyVariadic("x"))
}

// MultiLine has its signature on several lines.
func MultiLine(
	n int, // how many
) (
	twice int,
	name string,
) {
	twice = n * 2
	if twice > 6 {
		name = "large"
	}
	return twice, name
}
