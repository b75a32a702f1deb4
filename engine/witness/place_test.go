package witness

import "testing"

func TestTheSmallestElementsThatDifferAreFound(t *testing.T) {
	for _, tt := range []struct{ fact, a, b, path, x, y string }{
		{"a field", `T{A: 1, B: 2}`, `T{A: 1, B: 3}`, "B", "2", "3"},
		{"of a field", `&T{A: S{X: 1, Y: "a"}, B: 2}`, `&T{A: S{X: 1, Y: "b"}, B: 2}`, "A.Y", `"a"`, `"b"`},
		{"of an element of a map", `T{M: map[string]S{"a": S{X: 1}}}`, `T{M: map[string]S{"a": S{X: 2}}}`, `M["a"].X`, "1", "2"},
		{"of a list", `[]S{S{1}, S{X: 2}}`, `[]S{S{1}, S{X: 3}}`, "[1].X", "2", "3"},
		{"values with the same beginning", `T{A: 1}`, `T{A: 12}`, "A", "1", "12"},
		{"a field that only one of them has", `T{S: S{A: 1, B: 2}, N: 3}`, `T{S: S{A: 1}, N: 3}`, "S", "S{A: 1, B: 2}", "S{A: 1}"},
		{"the first field alone", `T{S: S{A: 1}, N: 3}`, `T{S: S{}, N: 3}`, "S", "S{A: 1}", "S{}"},
		{"another first field", `T{S: S{A: 1}}`, `T{S: S{B: 1}}`, "S", "S{A: 1}", "S{B: 1}"},
		{"text with commas and brackets", `T{A: "x, {", B: "y: 1"}`, `T{A: "x, {", B: "y: 2"}`, "B", `"y: 1"`, `"y: 2"`},
		{"what is passed to a conversion", `T{At: time.Date(2020, 1), B: 1}`, `T{At: time.Date(2020, 2), B: 1}`, "At", "time.Date(2020, 1)", "time.Date(2020, 2)"},
		{"a text that is cut", `T{A: 1, B: "xy`, `T{A: 1, B: "xz`, "B", `"xy`, `"xz`},
		{"another type", `T{A: 1}`, `S{A: 1}`, "", `T{A: 1}`, `S{A: 1}`},
		{"no elements", `"abc"`, `"abd"`, "", `"abc"`, `"abd"`},
		{"which elements there are", `[]int{1}`, `[]int{1, 2}`, "", `[]int{1}`, `[]int{1, 2}`},
	} {
		if path, x, y := innermost(tt.a, tt.b); path != tt.path || x != tt.x || y != tt.y {
			t.Errorf("%s: %q: %q and %q, want %q: %q and %q", tt.fact, path, x, y, tt.path, tt.x, tt.y)
		}
	}
}
