package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestAnEditReadsAsInAReview(t *testing.T) {
	for _, tt := range []struct{ original, replacement, want string }{
		{"n > max", "n >= max", "n > max → n >= max"},
		{"n > max", "(n > max && false)", "leave out the branch where n > max"},
		{"f(\n\ta,\n\tb)", "0", "f( a, b) → 0"},
		{"T{\n\ta,\n}", "(\n\nnil)", "T{ a, } → nil"},
		{"f(\n\ta)", "(\na + b)", "f( a) → (a + b)"},
		{"{\n\tf()\n}", "{\n\tf(); break }", "put in break at the end of the block"},
		{"{\n\tn += f()\n}", "{ if false {\n\tn += f()\n} }", "leave out n += f()"},
		{"{\n\tf()\n}", "{\n\tg(); break }", "{ f() } → { g(); break }"},
	} {
		if got := Edit(&results.Mutant{Original: tt.original, Replacement: tt.replacement}); got != tt.want {
			t.Errorf("%q → %q reads %q, want %q", tt.original, tt.replacement, got, tt.want)
		}
	}
}

func TestOfALongEditIsShownWhatDiffers(t *testing.T) {
	condition := "parser.useOptionE() && parser.useOptionU() && parser.charsRight() > 0 "
	m := results.Mutant{Original: condition + "&& ok", Replacement: condition + "|| ok"}
	if got, want := Edit(&m), "…parser.charsRight() > 0 && ok → …parser.charsRight() > 0 || ok"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestEditsOfLoopsNameTheLoop(t *testing.T) {
	const context, body = "\tfor _, x := range list {\n\t\tf(x)\n\t}", "{\n\t\tf(x)\n\t}"
	const skipping = "{\n\t\tif x < 0 {\n\t\t\tcontinue\n\t\t}\n\t\tf(x)\n\t}"
	for _, tt := range []struct{ body, replacement, want string }{
		{body, "{\n\t\tf(x); break\n\t}", "end for _, x := range list after one iteration"},
		{skipping, strings.Replace(skipping, "f(x)", "f(x); break", 1), "end for _, x := range list after one full iteration"},
		{body, "{ break;\n\t\tf(x)\n\t}", "leave out for _, x := range list"},
	} {
		if got := Edit(&results.Mutant{Context: context, Original: tt.body, Replacement: tt.replacement}); got != tt.want {
			t.Errorf("%q reads %q, want %q", tt.replacement, got, tt.want)
		}
	}
}

func TestASingleWordIsShownInItsLine(t *testing.T) {
	long := "\t" + strings.Repeat("x", maxSource) + " = shrink(true, 7)"
	for _, tt := range []struct {
		context, original, replacement string
		column                         int
		want                           string
	}{
		{"\tshrink(true, false)", "true", "false", 9, "shrink(true, false) → shrink(false, false)"},
		{"\tn := n - 1", "1", "0", 11, "n := n - 1 → n := n - 0"},
		{long, "true", "false", maxSource + 12, "… = shrink(true, 7) → … = shrink(false, 7)"},
		{"\treturn a < b", "a < b", "a <= b", 9, "a < b → a <= b"},
	} {
		m := &results.Mutant{Context: tt.context, Column: tt.column, Original: tt.original, Replacement: tt.replacement}
		if got := Edit(m); got != tt.want {
			t.Errorf("%q → %q in %q reads %q, want %q", tt.original, tt.replacement, tt.context, got, tt.want)
		}
	}
}

func TestAPartOfTheChangeUndoneReadsWithoutWhatStays(t *testing.T) {
	for _, tt := range []struct{ original, replacement, want string }{
		{"if n < 0 {\n\t\tn = 0\n\t}\n\treturn n", "return n", "leave out if n < 0 { n = 0 }"},
		{"return n", "if n < 0 {\n\t\tn = 0\n\t}\n\treturn n", "put back if n < 0 { n = 0 }"},
		{"f(1)\n\treturn n", "f(2)\n\treturn n", "undo the change to f(1) (it was f(2))"},
	} {
		if got := Edit(&results.Mutant{Category: results.CategoryReversal, Original: tt.original, Replacement: tt.replacement}); got != tt.want {
			t.Errorf("%q → %q reads %q, want %q", tt.original, tt.replacement, got, tt.want)
		}
	}
}

func TestWhatStaysBehindAPartOfTheChangeIsNotOneOfItsLines(t *testing.T) {
	const added, stays = "\tif err := check(a, b); err != nil {\n\t\treturn fmt.Errorf(\"the values %d and %d\", a, b)\n\t}\n", "\tuse(a, b)\n"
	for _, tt := range []struct {
		category, original, replacement string
		want                            int
	}{
		{results.CategoryReversal, added + stays, stays, 12},
		{results.CategoryReversal, added, "\tcheck(a, b)\n", 12},
		{results.CategoryReversal, stays, added + stays, 10},
		{"removal", added, "if false { " + added + " }", 13},
	} {
		m := &results.Mutant{Category: tt.category, Line: 10, EndLine: 10 + strings.Count(tt.original, "\n"), Original: tt.original, Replacement: tt.replacement}
		if _, last := (Finding{Mutant: m}).lines(); last != tt.want {
			t.Errorf("%q → %q ends at line %d, want %d", tt.original, tt.replacement, last, tt.want)
		}
	}
	m := &results.Mutant{Category: results.CategoryReversal, Line: 10, EndLine: 14, Original: added + stays, Replacement: stays}
	if got, want := Edit(m), "leave out what is new in lines 10 to 12 (if err := check(a, b); err != nil { …)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTheRunSaysHowManyFindingsUnlessAReviewDoes(t *testing.T) {
	all := []results.Mutant{survivor("a1", exposed), survivor("b2", exposed), survivor("c3", exposed), survivor("d4", exposed), survivor("e5", exposed)}
	for _, tt := range []struct{ run, review, want int }{
		{0, 0, DefaultMaxFindings}, {1, 0, 1}, {4, 0, 4}, {1, 2, 2}, {4, 1, 1},
	} {
		r := push(all...)
		r.Options.MaxFindings = tt.run
		if s := Select(r, nil, tt.review); len(s.Open) != tt.want {
			t.Errorf("the run says %d, the review %d: %d findings, want %d", tt.run, tt.review, len(s.Open), tt.want)
		}
	}
}

func TestABranchThatIsLeftOutIsShown(t *testing.T) {
	m := &results.Mutant{Context: "\tif n > max {", Column: 5, Original: "n > max", Replacement: "(n > max && false)", Evidence: results.Evidence{Branch: "\t\treturn ErrLong"}}
	if got, want := Edit(m), "leave out return ErrLong when n > max"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := strings.Join(branchOf(m).lines(maxDiffLines), "\n"), "-\tif n > max {\n-\t\treturn ErrLong\n-\t}"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	called := *m
	called.Context, called.Original = "\tif !yield(n) {", "!yield(n)"
	if got, want := strings.Join(branchOf(&called).lines(maxDiffLines), "\n"), "-\tif !yield(n) {\n-\t\treturn ErrLong\n-\t}\n+\t_ = !yield(n)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	called.Context, called.Original = "\tif !strings.Contains(s, \".\") {", `!strings.Contains(s, ".")`
	if got := branchOf(&called); len(got.after) > 0 {
		t.Errorf("a call that only computes something is kept: %q", got.after)
	}
	bare := *m
	for _, context := range []string{"", "\n"} {
		bare.Context = context
		if c := branchOf(&bare); len(c.before)+len(c.after) > 0 {
			t.Errorf("without the lines of the condition: %q", c)
		}
		if edit := tokensOf(&bare); edit.removed == "" || edit.added != "false" {
			t.Errorf("without the lines of the condition: %q", edit)
		}
	}
	m.Evidence.Branch, m.Evidence.BranchEnd = "", 90 // another branch follows
	if got, want := Edit(m), "take n > max as false"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	m.Evidence.Branch = "\t\tlog()\n\t\treturn ErrLong"
	if got, want := Edit(m), "leave out the branch where n > max"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWhatACaseDoesIsNamedWithIt(t *testing.T) {
	m := &results.Mutant{Operator: "case-removal", Context: "\t\t\treturn", Column: 4, Original: "return", Replacement: "if false { return }", Evidence: results.Evidence{Case: "case <-ctx.Done()"}}
	if got, want := Edit(m), "leave out return in case <-ctx.Done()"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := editOf(m, maxInHeadline).without.plain("`", "`"), "with `return` left out in `case <-ctx.Done()`"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAChangeThatOnlyPutsCodeUnderAConditionIsThatCondition(t *testing.T) {
	undone := &results.Mutant{
		File: "a.go", Category: results.CategoryReversal, Offset: 10, EndOffset: 90,
		Original: "\tif s.token != \"\" {\n\t\tdrop(s)\n\t}\n", Replacement: "\tdrop(s)\n",
	}
	always := &results.Mutant{File: "a.go", Offset: 14, EndOffset: 27, Original: `s.token != ""`, Replacement: `(s.token != "" || true)`}
	if !alikeToReaders(undone, always) || !alikeToReaders(always, undone) {
		t.Error("the change undone is not the condition that always holds")
	}
	for name, other := range map[string]results.Mutant{
		"another condition": {File: "a.go", Offset: 14, EndOffset: 27, Original: `s.token`, Replacement: `(s.token || true)`},
		"never":             {File: "a.go", Offset: 14, EndOffset: 27, Original: `s.token != ""`, Replacement: `(s.token != "" && false)`},
		"elsewhere":         {File: "a.go", Offset: 94, EndOffset: 99, Original: `s.token != ""`, Replacement: `(s.token != "" || true)`},
	} {
		if undoesCheck(undone, &other) {
			t.Error(name)
		}
	}
	more := *undone
	more.Original = "\tif s.token != \"\" {\n\t\tdrop(s)\n\t\tnote(s)\n\t}\n"
	if undoesCheck(&more, always) {
		t.Error("the change adds more than the condition")
	}
}

func TestAnEditOfAnotherFileNamesIt(t *testing.T) {
	a, b := survivor("a1"), survivor("b2", func(m *results.Mutant) { m.File = "g/g.go" })
	s := storyOf(&results.Results{}, Finding{Kind: Gap, Mutant: &a, Also: []*results.Mutant{&b}})
	for i, want := range []string{"line 101:", "g/g.go:102:"} {
		if got := s.rows[i].place().plain("", ""); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestWhatAltersAStatementIsToldWithLeavingItOut(t *testing.T) {
	left := survivor("a1", operator("statement-deletion"), func(m *results.Mutant) { m.Offset, m.EndOffset = 10, 30 })
	within := survivor("b1", operator("boolean-literal"), func(m *results.Mutant) { m.Offset, m.EndOffset = 26, 30 })
	beside := survivor("c1", operator("boolean-literal"), func(m *results.Mutant) { m.Offset, m.EndOffset = 26, 31 })
	part := survivor("d1", undone, func(m *results.Mutant) { m.Offset, m.EndOffset = 26, 30 })
	for _, leaves := range []string{"statement-deletion", "case-removal"} {
		left.Operator = leaves
		for m, want := range map[*results.Mutant]bool{&within: true, &beside: false, &part: false, &left: false} {
			if got := isWithin(m, &left); got != want {
				t.Errorf("%s: %s: %v, want %v", leaves, m.ID, got, want)
			}
		}
	}
}

func TestAPartOfWhatAnotherPartOfTheChangeAddsIsToldWithIt(t *testing.T) {
	at := func(begin, end int) func(*results.Mutant) {
		return func(m *results.Mutant) { m.Offset, m.EndOffset = begin, end }
	}
	all := survivor("a1", undoes("A int\nB int\nx := T{\n\tA: 1,\n}\n", "B int\nx := T{\n}\n"), at(10, 50))
	for name, tt := range map[string]struct {
		m    results.Mutant
		want bool
	}{
		"a part":            {survivor("b1", undoes("\tA: 1,\n}\n", "}\n"), at(40, 60)), true},
		"other lines":       {survivor("b1", undoes("\tC: 1,\n}\n", "}\n"), at(40, 60)), false},
		"elsewhere":         {survivor("b1", undoes("\tA: 1,\n}\n", "}\n"), at(50, 60)), false},
		"lines in place":    {survivor("b1", undoes("\tA: 1,\n}\n", "\tA: 2,\n}\n"), at(40, 60)), false},
		"an input tells it": {survivor("b1", undoes("\tA: 1,\n}\n", "}\n"), at(40, 60), exposed), false},
	} {
		if got := isLeftOut(&tt.m, &all); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}
