package mutate

import (
	"slices"
	"strings"
	"testing"
)

func TestOperatorsStateTheFormOfTheirEdits(t *testing.T) {
	const source = `package p

func f(n int, list []int) (int, error) {
	switch n {
	case 1:
		list[0] = 2; n = 3
	case 4:
		{ n = 5 }
	case 6:
		{ n = 7 }; n = 8
	}
	if n > 9 { n-- } else { n++ }
	for _, x := range list { n += x }
	return n * 10, nil
}
`
	adds := func(before, block string) Form {
		return Form{Kind: Adds, Offset: strings.Index(source, before) + len(before), Block: block}
	}
	tests := []struct {
		replacement string
		want        Form
	}{
		{"if false { list[0] = 2; n = 3 }", Form{Kind: Disables}},
		{"if false { n = 3 }", Form{Kind: Disables}},
		{"if false { { n = 5 } }", Form{Kind: Empties}},
		{"if false { { n = 7 }; n = 8 }", Form{Kind: Disables}},
		{"{ if false { n-- } }", Form{Kind: Empties}},
		{"{ if false { n++ } }", Form{Kind: Empties}},
		{"{ break; n += x }", adds("range list {", "{break}")},
		{"{ n += x; break }", adds("n += x", "{break}")},
		{"if true { return 0, nil }; return n * 10, nil", adds("n += x }\n\t", "{ return 0, nil }")},
		{"n >= 9", Form{Kind: Rewrites}},
		{"n > 9 && false", Form{Kind: Rewrites}},
		{"n = x", Form{Kind: Rewrites}},
		{"11", Form{Kind: Rewrites}},
		{"\treturn n + 12, nil\n", Form{}},
	}
	f := load(t, source)
	f.Hunks = []Hunk{{First: 14, Count: 1, Old: "\treturn n + 12, nil\n"}}
	mutants := Mutants(f)
	for _, test := range tests {
		i := slices.IndexFunc(mutants, func(m Mutant) bool { return m.Replacement == test.replacement })
		if i < 0 {
			t.Errorf("no mutant is %q", test.replacement)
		} else if mutants[i].Form != test.want {
			t.Errorf("%q has the form %+v, want %+v", test.replacement, mutants[i].Form, test.want)
		}
	}
}
