package diffscope

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fromOps makes a base, a head and their diff. Each byte of ops stands for a line that is kept, deleted or added, with
// one of five texts. A byte above 240 ends the fragment, and stands for a line that is kept outside of any fragment.
func fromOps(ops []byte) (base, head, diff string) {
	var b, h, body, out strings.Builder
	oldLine, newLine, oldCount, newCount := 1, 1, 0, 0
	changed := false // in this fragment
	flush := func() {
		if changed { // diffs have no fragments without a change
			fmt.Fprintf(&out, "@@ -%s +%s @@\n%s", span(oldLine, oldCount), span(newLine, newCount), body.String())
		}
		oldLine, newLine, oldCount, newCount = oldLine+oldCount, newLine+newCount, 0, 0
		body.Reset()
		changed = false
	}
	for _, op := range ops {
		line := fmt.Sprintf("line %d\n", op/3%5)
		switch {
		case op > 240:
			flush()
			b.WriteString(line)
			h.WriteString(line)
			oldLine++
			newLine++
		case op%3 == 0:
			fmt.Fprintf(&body, " %s", line)
			b.WriteString(line)
			h.WriteString(line)
			oldCount++
			newCount++
		case op%3 == 1:
			fmt.Fprintf(&body, "-%s", line)
			b.WriteString(line)
			oldCount++
			changed = true
		default:
			fmt.Fprintf(&body, "+%s", line)
			h.WriteString(line)
			newCount++
			changed = true
		}
	}
	flush()
	if out.Len() == 0 {
		return "", "", ""
	}
	return b.String(), h.String(), "--- a/x.go\n+++ b/x.go\n" + out.String()
}

// span returns a range of lines as in a fragment's header. A range of no lines starts at the line before.
func span(line, count int) string {
	if count == 0 {
		line--
	}
	return fmt.Sprintf("%d,%d", line, count)
}

// FuzzReverse checks that applying a diff backwards gives the base, and that undoing every edit of diffLines does, too.
func FuzzReverse(f *testing.F) {
	f.Add([]byte{0, 1, 2, 0})
	f.Add([]byte{2, 2, 1, 250, 1, 0, 2})
	f.Add([]byte{1, 250, 250, 2, 2, 2, 0, 1})
	f.Fuzz(func(t *testing.T, ops []byte) {
		base, head, diff := fromOps(ops)
		if diff == "" {
			t.Skip("nothing differs")
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "x.go"), []byte(head), 0o644); err != nil {
			t.Fatal(err)
		}
		p := patch{tree: dir, dir: dir, notes: &notes{}}
		changes, err := p.changes([]byte(diff))
		if err != nil || len(changes) != 1 {
			t.Fatalf("%v\n%s", err, diff)
		}
		if got := string(changes[0].base); got != base {
			t.Fatalf("base: got %q, want %q\n%s", got, base, diff)
		}
		old, now := splitLines([]byte(base)), splitLines([]byte(head))
		edits := diffLines(old, now)
		undone := now
		for _, e := range slices.Backward(edits) {
			undone = slices.Concat(undone[:e.first], old[e.oldFirst:e.oldEnd], undone[e.end:])
		}
		if got := string(bytes.Join(undone, nil)); got != base {
			t.Fatalf("edits %v: got %q, want %q", edits, got, base)
		}
		for i, e := range edits {
			if i > 0 && e.first == edits[i-1].end {
				t.Fatalf("edits %v touch each other", edits)
			}
		}
	})
}

// FuzzParsePatch checks that no diff makes the parser panic, and that a diff which it accepts agrees with the tree.
func FuzzParsePatch(f *testing.F) {
	f.Add([]byte(smallDiff))
	f.Add([]byte("diff --git a.go a.go\nindex 1..2 100644\n" + strings.NewReplacer("a/a.go", "a.go", "b/a.go", "a.go").Replace(smallDiff)))
	f.Add([]byte("diff --git \"a/b.go\" a.go\nsimilarity index 90%\nrename from a/b.go\nrename to a.go\n"))
	f.Add([]byte("diff --git a/a.go b/a.go\ndeleted file mode 100644\n--- a/a.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-package m\n"))
	f.Fuzz(func(t *testing.T, diff []byte) {
		dir := t.TempDir()
		head := []byte("package m\n\nfunc A() int {\n\t// two\n\treturn 2\n}\n")
		if err := os.WriteFile(filepath.Join(dir, "a.go"), head, 0o644); err != nil {
			t.Fatal(err)
		}
		p := patch{tree: dir, dir: dir, notes: &notes{}}
		diff, err := normalise(diff)
		if err != nil {
			return
		}
		changes, err := p.changes(diff)
		if err != nil {
			return
		}
		for _, c := range changes {
			if c.name != "" && !bytes.Equal(c.head, head) {
				t.Fatalf("head is %q", c.head)
			}
		}
	})
}

// The tokens of a file are the same, whatever space and comments are between them.
func TestSpaceAndCommentsDoNotChangeTokens(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no source", err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := tokens(respaced(src, random), nil), tokens(src, nil); got != want {
			t.Errorf("%s: tokens differ", name)
		}
	}
}

// respaced returns the tokens of src with random space and comments between them.
func respaced(src []byte, random *rand.Rand) []byte {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", fset.Base(), len(src)), src, nil, 0)
	var out []byte
	for {
		_, tok, lit := s.Scan()
		text := lit
		switch {
		case tok == token.EOF:
			return out
		case tok == token.SEMICOLON && lit == "\n":
			text = []string{";", "\n", " // end\n\n"}[random.IntN(3)]
		case lit == "":
			text = tok.String()
		}
		out = append(append(out, text...), []string{" ", "\t", " /* note */ "}[random.IntN(3)]...)
		if tok == token.COMMA || tok == token.LPAREN || tok == token.LBRACE {
			out = append(out, "\n"[:random.IntN(2)]...)
		}
	}
}

func TestTokensTellCodeApart(t *testing.T) {
	for _, pair := range [][2]string{
		{"x := a", "x = a"},
		{`"a b"`, `"a  b"`},
		{"f(a, b)", "f(b, a)"},
		{"a\n-b", "a - b"},
		{"f()\ng()", "f() + g()"},
		{"'a'", `"a"`},
		{"_ = x", "x = x"},
		{"a, _ = f()", "f()"},
		{"_, a = f()", "f()"},
		{"var _ = f()", "var f()"},
		{"x = (a + b) * c", "x = a + b * c"},
		{"x = a * (b + c)", "x = a * b + c"},
		{"return !(a && b)", "return !a && b"},
		{"f((a)(b))", "f(a(b))"},
		{"(*T)(p)", "*T(p)"},
		{"f()", "f"},
		{"go f()", "go f"},
	} {
		if tokens([]byte(pair[0]), nil) == tokens([]byte(pair[1]), nil) {
			t.Errorf("%q and %q have the same tokens", pair[0], pair[1])
		}
	}
}

func TestParenthesesAroundWholeExpressionsMeanNothing(t *testing.T) {
	for _, pair := range [][2]string{
		{"if (len(x) > 0) {\n}", "if len(x) > 0 {\n}"},
		{"if a := b; (a && (c || d)) {\n}", "if a := b; a && (c || d) {\n}"},
		{"for (a < b) {\n}", "for a < b {\n}"},
		{"switch (a) {\ncase (b), (c):\n}", "switch a {\ncase b, c:\n}"},
		{"func() int {\nreturn (a + b)\n}", "func() int {\nreturn a + b\n}"},
		{"x, y := (a), ((b))", "x, y := a, b"},
		{"f((a + b), c)", "f(a + b, c)"},
	} {
		checkSameTokens(t, pair[0], pair[1])
	}
}

// checkSameTokens checks that two pieces of source have the same tokens.
func checkSameTokens(t *testing.T, a, b string) {
	t.Helper()
	if tokens([]byte(a), nil) != tokens([]byte(b), nil) {
		t.Errorf("%q and %q have other tokens", a, b)
	}
}

func TestBlanksMayBeAssignedOrNot(t *testing.T) {
	for _, pair := range [][2]string{
		{"_ = f()", "f()"},
		{"a()\n_, _ = f()", "a()\nf()"},
		{"if a {\n_ = f()\n}", "if a {\nf()\n}"},
		{"case 1: _ = f()", "case 1: f()"},
	} {
		checkSameTokens(t, pair[0], pair[1])
	}
}
