package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/internal/attack"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestCommentsHaveTheLinesOfTheirFindings(t *testing.T) {
	r := fixture(t)
	s := finding.Select(r, nil, 5)
	type at struct {
		file            string
		line, end, edit int
		mend            bool
	}
	var got []at
	for _, c := range Comments(r, &s) {
		got = append(got, at{c.File, c.Line, c.EndLine, c.Edit, c.Mend != nil})
	}
	want := []at{{"parse.go", 57, 57, 57, true}, {"render.go", 12, 12, 12, false}, {"parse.go", 41, 41, 41, false}, {"parse.go", 66, 70, 66, false}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(at{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMendsAreTheLinesThatDiffer(t *testing.T) {
	tests := []struct {
		name                           string
		context, original, replacement string
		column                         int
		want                           *Mend
	}{
		{"a line less", "a\nb\nc", "a\nb\n", "b\n", 1, &Mend{10, []string{"a"}, nil}},
		{"a line more", "b\nc", "b\n", "a\nb\n", 1, &Mend{10, []string{"b"}, []string{"a", "b"}}},
		{"a line more at the end", "a\nb", "a\n", "a\nx\n", 1, &Mend{11, []string{"b"}, []string{"x", "b"}}},
		{"another line", "a\nb\nc", "a\nb\nc", "a\nx\nc", 1, &Mend{11, []string{"b"}, []string{"x"}}},
		{"a part of a line", "\tif x {", "x", "y", 5, &Mend{10, []string{"\tif x {"}, []string{"\tif y {"}}},
		{"all of it", "a\nb", "a\nb", "c", 1, &Mend{10, []string{"a", "b"}, []string{"c"}}},
		{"nothing", "a", "a", "a", 1, nil},
		{"not in the context", "a\nb", "c", "d", 1, nil},
		{"a character that cannot be seen", "a", "a", "b\u202E", 1, nil},
		{"line ends of another kind", "a\r\nb", "a\r\nb", "c\r\nb", 1, nil},
		{"a command of a runner", "a", "a", "::error::b", 1, nil},
		{"more backticks than are shown", "a", "a", attack.Ticks(9), 1, nil},
		{"too much", "a", "a", strings.Repeat("b", maxSuggestion+1), 1, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := &results.Mutant{Category: results.CategoryReversal, Line: 10, EndLine: 10 + strings.Count(tt.context, "\n"), Column: tt.column,
				Context: tt.context, Original: tt.original, Replacement: tt.replacement}
			got := mendOf(m)
			if got != nil && len(got.New) == 0 {
				got.New = nil
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			m.EndLine++
			if mendOf(m) != nil {
				t.Error("the context is not whole, and yet there is something to suggest")
			}
		})
	}
}

// FuzzMendsDoWhatTheMutantDoes checks that accepting a suggestion makes the mutant, whatever the layout of the source.
func FuzzMendsDoWhatTheMutantDoes(f *testing.F) {
	f.Add("a\nb\n", "b\n", "", "c")
	f.Add("b", "a\nb", "if ", " {\n}")
	f.Add("", "\n\n", "\n", "\n\n")
	f.Add("```\n", "~~~\n`````\n", "", "")
	f.Fuzz(func(t *testing.T, original, replacement, before, after string) {
		if strings.Contains(before, "\n") {
			t.Skip("the context begins with the line of the mutant")
		}
		m := &results.Mutant{Category: results.CategoryReversal, Line: 3, Column: len(before) + 1,
			Context: before + original + after, Original: original, Replacement: replacement}
		m.EndLine = m.Line + strings.Count(m.Context, "\n")
		mend := mendOf(m)
		if mend == nil {
			return
		}
		lines := strings.Split(m.Context, "\n")
		from, to := mend.Line-m.Line, mend.EndLine()-m.Line+1
		if from < 0 || to <= from || to > len(lines) || !slices.Equal(lines[from:to], mend.Old) {
			t.Fatalf("lines %d to %d of %q are not %q", from, to, lines, mend.Old)
		}
		if got, want := strings.Join(slices.Concat(lines[:from], mend.New, lines[to:]), "\n"), before+replacement+after; got != want && len(mend.New) > 0 {
			t.Errorf("a click makes %q, the mutant is %q", got, want)
		}
		block := prose.Suggestion(mend.New)
		fence, rest, _ := strings.Cut(block, "suggestion\n")
		if got := strings.TrimSuffix(rest, fence+"\n"); got == rest || strings.TrimSuffix(got, "\n") != strings.Join(mend.New, "\n") {
			t.Errorf("%q does not hold %q", block, mend.New)
		}
		inert(t, block)
	})
}

// FuzzForeignTextInCommentsStaysInCode is FuzzForeignTextStaysInCode for comments at lines.
func FuzzForeignTextInCommentsStaysInCode(f *testing.F) {
	fields := append(stringFields(), filled, every)
	for _, s := range attack.All {
		f.Add(s, len(fields)-2)
		f.Add(s, len(fields)-1)
	}
	f.Fuzz(func(t *testing.T, s string, which int) {
		r := hostile(t, s, fields[uint(which)%uint(len(fields))])
		selection := finding.Select(r, nil, 5)
		for _, c := range Comments(r, &selection) {
			for _, suggest := range []bool{false, c.Mend != nil} {
				text := c.Markdown(suggest, 0)
				inert(t, text)
				if len(text) > DefaultLimit {
					t.Errorf("%d bytes", len(text))
				}
			}
		}
		inert(t, Farewell(finding.Shown{Where: sentinel + s, Fate: finding.Dismissed, By: sentinel + s, Reason: sentinel + s}))
	})
}

func TestLongCommentsAreShortened(t *testing.T) {
	r := hostile(t, strings.Repeat("x\n", 5000), filled)
	s := finding.Select(r, nil, 5)
	for _, c := range Comments(r, &s) {
		whole := c.Markdown(false, unlimited)
		if len(whole) < 1000 {
			continue // there is nothing to leave out
		}
		if short := c.Markdown(false, len(whole)-1); len(short) >= len(whole) || !strings.Contains(short, "reply `ignore`") {
			t.Errorf("%d bytes of %d:\n%s", len(short), len(whole), short)
		}
	}
}

func TestFindingsWithACommentHaveOneLine(t *testing.T) {
	r := fixture(t)
	s := finding.Select(r, nil, 5)
	body := Markdown(r, Options{Selection: &s, Inline: map[string]bool{s.Open[2].Key: true}})
	_, after, _ := strings.Cut(body, "\n**3. Gap**: ")
	if line, rest, _ := strings.Cut(after, "\n"); line != "`Parse`: no test fails with `n > maxDepth` in place of `n >= maxDepth` · `parse.go:41`" || !strings.HasPrefix(rest, "\n**4. Gap**") {
		t.Errorf("the third finding is\n%s", after)
	}
	if !strings.Contains(body, "-\tp.skipSpace()") {
		t.Errorf("the others have lost their details:\n%s", body)
	}
}
