package mutate

import (
	"slices"
	"testing"
)

func TestVariablesThatOnlyLeftOutCodeReadsAreNamed(t *testing.T) {
	f := load(t, `package p

func f(get func() (int, error), list []int) (int, error) {
	n, err := get()
	if err != nil {
		return 1, err
	}
	limit, unused := 10, 2
	if n > limit {
		n = limit + unused
	}
	if m, err := get(); err != nil {
		return m, nil
	}
	last := len(list)
	list[0] = last
	wrong := get
	for i := 0; i < n; i++ {
		_, err := wrong()
		return n, err
	}
	return n, nil
}
`)
	tests := []struct {
		replacement string
		line        int
		want        []string
	}{
		{"err != nil && false", 5, []string{"err"}},            // the whole branch is left out
		{"n > limit && false", 9, []string{"limit", "unused"}}, // n is returned later
		{"err != nil && false", 12, nil},                       // the if statement itself declares err
		{"if false { list[0] = last }", 16, []string{"last"}},
		{"i < n && false", 18, nil},
		{"if true { return n, nil }; return n, err", 20, []string{"err"}},
		{"if true { return 0, err }; return n, err", 20, nil}, // other statements read n, too
	}
	mutants := Mutants(f)
	for _, test := range tests {
		i := slices.IndexFunc(mutants, func(m Mutant) bool { return m.Replacement == test.replacement && m.Line == test.line })
		if i < 0 {
			t.Errorf("no mutant of line %d is %q", test.line, test.replacement)
		} else if got := mutants[i].Unread; !slices.Equal(got, test.want) {
			t.Errorf("without what %q in line %d leaves out nothing reads %q, want %q", test.replacement, test.line, got, test.want)
		}
	}
}
