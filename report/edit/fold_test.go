package edit

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/report/prose"
)

// numbered returns n lines, each with its number.
func numbered(format string, n int) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf(format, i))
	}
	return lines
}

func TestOfALongDiffThatIsShownWhichSaysMost(t *testing.T) {
	indented := func(lines []string) (list []string) {
		for _, line := range lines {
			list = append(list, "\t"+line)
		}
		return list
	}
	calls := numbered("f(%d)", 9)
	const limit = 12
	for _, tt := range []struct {
		fact          string
		before, after []string
		want          []string
	}{
		{"a short one is whole", []string{"a", "b"}, []string{"a", "c"}, []string{"-b", "+c"}},
		{"a line between stays", []string{"x := 1", "same()", "y()"}, []string{"x := 2", "same()", "z()"}, []string{"-x := 1", "+x := 2", " same()", "-y()", "+z()"}},
		{"a few lines between stay", []string{"if x {", "b", "c", "}"}, []string{"b", "c"}, []string{"-if x {", " b", " c", "-}"}},
		{"more are left out", []string{"x", "b", "c", "d", "e", "f", "y"}, []string{"b", "c", "d", "e", "f"}, []string{"-x", " …", "-y"}},
		{
			"a block that was rewritten is the old one, then the new one",
			[]string{"for a {", "f()", "}", "return x", "g()"}, []string{"if b {", "h()", "}", "return y", "g()"},
			[]string{"-for a {", "-f()", "-}", "-return x", "+if b {", "+h()", "+}", "+return y"},
		},
		{
			"what is only added after it is not torn off",
			[]string{"a()", "}", "b()"}, []string{"a2()", "}", "b2()", "c2()", "same()"},
			[]string{"-a()", "-}", "-b()", "+a2()", "+}", "+b2()", "+c2()", "+same()"},
		},
		{
			"another layout says nothing",
			append(append([]string{"if ok {"}, indented(calls)...), "}"), append([]string{"// calls"}, calls...),
			[]string{"-if ok {", " …", "-}"},
		},
		{
			"renaming says less than anything else",
			append(numbered("old := %d", 12), "check(old)", "}"), append(numbered("now := %d", 12), "return"),
			[]string{"-old := 0", "-old := 1", "-old := 2", " … 9 more lines", "-check(old)", " … 1 more line", "+now := 0", "+now := 1", "+now := 2", "+now := 3", " … 8 more lines", "+return"},
		},
		{
			"what is on both sides is no part of it",
			append(numbered("f(%d)", 12), "same(x)"), append(append([]string{}, "same(x)"), numbered("g(x, %d)", 12)...),
			[]string{"-f(0)", "-f(1)", "-f(2)", "-f(3)", "-f(4)", " … 7 more lines", "+g(x, 0)", "+g(x, 1)", "+g(x, 2)", "+g(x, 3)", "+g(x, 4)", " … 7 more lines"},
		},
		{
			"either side is shown", numbered("f(%d)", 20), numbered("g(x, %d)", 20),
			[]string{"-f(0)", "-f(1)", "-f(2)", "-f(3)", "-f(4)", " … 15 more lines", "+g(x, 0)", "+g(x, 1)", "+g(x, 2)", "+g(x, 3)", "+g(x, 4)", " … 15 more lines"},
		},
		{
			"one side alone", numbered("f(%d)", 20), nil,
			append(numbered("-f(%d)", 11), " … 9 more lines"),
		},
		{"a long line is cut", []string{strings.Repeat("y", prose.MaxLineLength+1)}, nil, []string{"-" + strings.Repeat("y", prose.MaxLineLength-1) + "…"}},
	} {
		if diff := cmp.Diff(tt.want, Change{tt.before, tt.after}.Lines(limit)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.fact, diff)
		}
	}
}

func TestADiffThatIsTooMuchWorkIsShownAllTheSame(t *testing.T) {
	c := Change{numbered("f(%d)", 2000), numbered("f(%d)", 2001)}
	if lines := c.Lines(maxLines); len(lines) != maxLines {
		t.Errorf("%d lines", len(lines))
	}
}

func FuzzDiffsAreShort(f *testing.F) {
	f.Add("a\nb", "a\nc")
	f.Fuzz(func(t *testing.T, before, after string) {
		c := Change{splitLines(before), splitLines(after)}
		lines := c.Lines(maxLines)
		if len(lines) > maxLines || len(lines) == 0 && strings.Join(c.before, "\n") != strings.Join(c.after, "\n") {
			t.Errorf("%q", lines)
		}
	})
}

func TestDiffsOfAnyLengthAreShownInTime(t *testing.T) {
	many := numbered("f(%d)", 100_000)
	for fact, c := range map[string]Change{"all is replaced": {many, many}, "all is added": {nil, many[:60_000]}} {
		began := time.Now()
		if lines := c.Lines(maxLines); len(lines) > maxLines || len(lines) == 0 {
			t.Errorf("%s: %d lines", fact, len(lines))
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("%s: it took %v", fact, took)
		}
	}
}
