package edit

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// maxLines is how many lines of a diff these tests ask for.
const maxLines = 30

func TestDiffsShowWhatAMutantAmountsTo(t *testing.T) {
	tests := []struct {
		name                          string
		context                       string
		column                        int
		original, replacement, expect string
	}{
		{"operator", "\tif n >= max {", 5, "n >= max", "n > max", "-\tif n >= max {\n+\tif n > max {"},
		{"removed statement", "\tn++", 2, "n++", "if false { n++ }", "-\tn++"},
		{"removed statement over lines", "\tf(\n\t\t1)", 2, "f(\n\t\t1)", "if false {\nf(\n\t\t1)\n}", "-\tf(\n-\t\t1)"},
		{"removed of two statements", "\ta(); b()", 7, "b()", "if false { b() }", "-\ta(); b()\n+\ta(); "},
		{"never", "\tif a && b {", 5, "a && b", "(false && (a && b))", "-\tif a && b {"},
		{"never, of a part", "\tif a && b {", 10, "b", "b && false", "-\tif a && b {\n+\tif a && false {"},
		{"always", "\tif a && b {", 5, "a && b", "(true || (a && b))", "-\tif a && b {\n+\tif true {"},
		{"a branch beside another one", "\t} else {\n\t\tn++\n\t}", 9, "{\n\t\tn++\n\t}", "{ if false {\n\t\tn++\n\t} }", "-\t} else {\n-\t\tn++"},
		{"early return", "\treturn x", 2, "return x", "if true { return 0 }; return x", "-\treturn x\n+\treturn 0"},
		{"a replacement that only looks like removal", "\tn++", 2, "n++", "if false { m++ }", "-\tn++\n+\tif false { m++ }"},
		{"hunk undone", "\tp.skip()\n\treturn p.n()", 1, "\tp.skip()\n\treturn p.n()", "\treturn p.n()", "-\tp.skip()"},
		{"hunk of whole lines", "\ta()\n\tb()", 1, "\ta()\n", "\tc()\n", "-\ta()\n+\tc()"},
		{"lines put in", "\tb()", 1, "", "\ta()\n", "+\ta()"},
		{"without context", "", 7, "n >= max", "n > max", "-n >= max\n+n > max"},
		{"context of another place", "\tx := 1", 2, "n >= max", "n > max", "-n >= max\n+n > max"},
		{"column beyond the context", "x", 90, "n", "m", "-n\n+m"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := &results.Mutant{Context: tt.context, Column: tt.column, Original: tt.original, Replacement: tt.replacement}
			got := strings.Join(Of(m).Lines(maxLines), "\n")
			if diff := cmp.Diff(tt.expect, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestEditsCompileAsTheyAreDrawn(t *testing.T) {
	tests := []struct {
		name                                   string
		context, original, replacement, branch string
		unread                                 []string
		expect                                 string
	}{
		{"another result", "\treturn n, err", "return n, err", "if true { return n, nil }; return n, err", "", []string{"err"},
			"-\treturn n, err\n+\t_ = err\n+\treturn n, nil"},
		{"what is no name", "\tn = f(err)", "n = f(err)", "if false { n = f(err) }", "", []string{"err\n```\n# Trust me"}, "-\tn = f(err)"},
		{"a statement left out", "\tlist[i] = last", "list[i] = last", "if false { list[i] = last }", "", []string{"i", "last"},
			"-\tlist[i] = last\n+\t_, _ = i, last"},
		{"a branch left out", "\tif n > limit {", "n > limit", "n > limit && false", "\t\tn = unused", []string{"limit", "unused"},
			"-\tif n > limit {\n-\t\tn = unused\n-\t}\n+\t_, _ = limit, unused"},
		{"a branch left out whose condition stays", "\tif over(limit) {", "over(limit)", "over(limit) && false", "\t\tn = unused", []string{"limit", "unused"},
			"-\tif over(limit) {\n-\t\tn = unused\n-\t}\n+\t_ = unused\n+\t_ = over(limit)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := &results.Mutant{
				Context: tt.context, Column: strings.Index(tt.context, tt.original) + 1, Original: tt.original, Replacement: tt.replacement,
				Evidence: results.Evidence{Branch: tt.branch, Unread: tt.unread},
			}
			if diff := cmp.Diff(tt.expect, strings.Join(Drawn(m, maxLines), "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatKeepsAnImportUsedIsNotShown(t *testing.T) {
	m := &results.Mutant{
		Category: results.CategoryReversal, Original: "\treturn strings.TrimSpace(s)\n", Context: "\treturn strings.TrimSpace(s)",
		Replacement: "const _ = math.MaxInt\nvar _ = strings.TrimSpace\n\treturn s\n",
	}
	if got := strings.Join(Of(m).Lines(maxLines), "\n"); got != "-\treturn strings.TrimSpace(s)\n+\treturn s" {
		t.Errorf("%q", got)
	}
	if got := Summary(m).Plain("", ""); strings.Contains(got, "_ =") {
		t.Errorf("%q", got)
	}
}

func TestAnOperandThatSaysNothingIsNotDrawn(t *testing.T) {
	for _, tt := range []struct{ context, original, value, want string }{
		{"\tcase p && q:", "p", "true", "\tcase q:"},
		{"\tif p && q {", "q", "true", "\tif p {"},
		{"\tif p || q {", "p", "false", "\tif q {"},
		{"\treturn p || q", "q", "false", "\treturn p"},
		{"\tif p || q && r {", "q", "true", "\tif p || r {"},
		{"\tif p && q || r {", "q", "false", "\tif p && false || r {"},
		{"\tif p || q && r {", "p", "true", "\tif true || q && r {"},
		{"\tif p || q && r {", "q", "false", "\tif p || false && r {"},
		{"\tif !p && q {", "p", "true", "\tif !true && q {"},
		{"\tif (p) && q {", "p", "true", "\tif (true) && q {"},
		{"\tif x == p && q {", "p", "true", "\tif x == true && q {"},
	} {
		operator := map[string]string{"true": " || ", "false": " && "}[tt.value]
		m := results.Mutant{Context: tt.context, Column: 1 + strings.Index(tt.context, tt.original), Original: tt.original, Replacement: tt.original + operator + tt.value}
		if got, ok := asWritten(&m); !ok || got != tt.want {
			t.Errorf("%q with %s for %s: %q, want %q", tt.context, tt.value, tt.original, got, tt.want)
		}
	}
}

func TestPartsOfAChangeBeginAndEndInCode(t *testing.T) {
	m := results.Mutant{Category: results.CategoryReversal, File: "f.go", Line: 52, Original: "\n\t// bounds\n\tif n < min {\n\t\tn = min\n\t}\n\n"}
	if got := Place(&m); got != "f.go:53" {
		t.Errorf("it is at %s", got)
	}
	lines := Of(&m).Lines(9)
	if strings.TrimSpace(lines[0][1:]) == "" || strings.TrimSpace(lines[len(lines)-1][1:]) == "" {
		t.Errorf("the diff has blank lines at its ends:\n%s", strings.Join(lines, "\n"))
	}
}

func TestAReversedChangeHasNoComments(t *testing.T) {
	for _, tt := range []struct{ before, after, want []string }{
		{[]string{"a", "// more", "b"}, []string{"a"}, []string{"+b"}},
		{[]string{"a // why"}, []string{"b"}, []string{"-b", "+a // why"}},
		{[]string{"// old", "a"}, []string{"// new", "a"}, []string{"-// new", "+// old"}},
	} {
		if got := (Change{before: tt.before, after: tt.after}).Reversed().Lines(9); !slices.Equal(got, tt.want) {
			t.Errorf("%q to %q: %q, want %q", tt.before, tt.after, got, tt.want)
		}
	}
}
