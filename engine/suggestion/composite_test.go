package suggestion

import "testing"

func TestTypesOfElementsAreNotRepeated(t *testing.T) {
	for body, want := range map[string]string{
		"x := []p.T{p.T{A: 1}, p.T{}}":                         "x := []p.T{{A: 1}, {}}",
		"x := []*p.T{&p.T{A: 1}, nil}":                         "x := []*p.T{{A: 1}, nil}",
		"x := map[K]V{K{1}: V{2}}":                             "x := map[K]V{{1}: {2}}",
		"x := [][]int{[]int{1}, nil}":                          "x := [][]int{{1}, nil}",
		"x := [2]T{1: T{U: U{}}}":                              "x := [2]T{1: {U: U{}}}",
		"x := []T{T{L: []U{U{1}, V{}}}}":                       "x := []T{{L: []U{{1}, V{}}}}",
		"x := []any{T{}}\ny := T{U{}}\nz := []T{f(T{}), &T{}}": "x := []any{T{}}\ny := T{U{}}\nz := []T{f(T{}), &T{}}",
		"x := []T{T{":                                          "x := []T{T{",
	} {
		if got := Elided(body); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
}
