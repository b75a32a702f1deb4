package edit

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestAnOperandThatTheChangeAddsIsNamed(t *testing.T) {
	for _, tt := range []struct{ now, old, want string }{
		{"if a == 1 && !f(b) {", "if a == 1 {", "&& !f(b)"},
		{"\tif a ||\n\t\tb {", "\tif a {", "|| b"},
		{"if n > 0 && a {", "if a {", "n > 0 &&"},
		{"if x := f(); x != nil && a(x) {", "if x := f(); a(x) {", "x != nil &&"},
		{"for i < n && ok {", "for i < n {", "&& ok"},
		{"if a == b && c {", "if a {", ""},
		{"if b && !a {", "if a {", ""},
		{"if b && x.a {", "if a {", ""},
		{"if a && c {", "if b && c {", ""},
		{"return a && b", "return a", ""},
		{"", "if a {", ""},
	} {
		if got := addedOperand(tt.now, tt.old); got != tt.want {
			t.Errorf("%q, before %q: %q, want %q", tt.now, tt.old, got, tt.want)
		}
	}
}

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
		if got := Text(&results.Mutant{Original: tt.original, Replacement: tt.replacement}); got != tt.want {
			t.Errorf("%q → %q reads %q, want %q", tt.original, tt.replacement, got, tt.want)
		}
	}
}

func TestOfALongEditIsShownWhatDiffers(t *testing.T) {
	condition := "parser.useOptionE() && parser.useOptionU() && parser.charsRight() > 0 "
	m := results.Mutant{Original: condition + "&& ok", Replacement: condition + "|| ok"}
	if got, want := Text(&m), "…parser.charsRight() > 0 && ok → …parser.charsRight() > 0 || ok"; got != want {
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
		if got := Text(&results.Mutant{Context: context, Original: tt.body, Replacement: tt.replacement}); got != tt.want {
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
		if got := Text(m); got != tt.want {
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
		if got := Text(&results.Mutant{Category: results.CategoryReversal, Original: tt.original, Replacement: tt.replacement}); got != tt.want {
			t.Errorf("%q → %q reads %q, want %q", tt.original, tt.replacement, got, tt.want)
		}
	}
}

func TestLinesThatAreUndoneInAFewPlacesAreNamed(t *testing.T) {
	for name, tt := range map[string]struct{ now, old, want string }{
		"one place":   {"a(1)\nb(1)\n", "a(2)\nb(2)\n", "undo the change to lines 10 to 11 (a(1) …)"},
		"two places":  {"a(1)\nx()\ny()\nb(1)\nc(1)\n", "a(2)\nx()\ny()\nb(2)\nc(2)\n", "undo the change to lines 10, 13–14 (a(1) …)"},
		"old lines":   {"a(1)\nx()\ny()\n", "a(2)\nx()\nb()\ny()\n", "undo the change to lines 10, 12 (a(1) …)"},
		"many places": {"a(1)\nx()\nb(1)\ny()\nc(1)\nz()\nd(1)\n", "a(2)\nx()\nb(2)\ny()\nc(2)\nz()\nd(2)\n", "undo the change to lines 10 to 16 (a(1) …)"},
	} {
		m := &results.Mutant{Operator: "hunk-reversal", Category: results.CategoryReversal, Line: 10, Original: tt.now, Replacement: tt.old, EndLine: 10 + strings.Count(tt.now, "\n"), EndColumn: 1}
		if got := Text(m); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
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
		if last := LastLine(m); last != tt.want {
			t.Errorf("%q → %q ends at line %d, want %d", tt.original, tt.replacement, last, tt.want)
		}
	}
	m := &results.Mutant{Category: results.CategoryReversal, Line: 10, EndLine: 14, Original: added + stays, Replacement: stays}
	if got, want := Text(m), "leave out what is new in lines 10 to 12 (if err := check(a, b); err != nil { …)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestABranchThatIsLeftOutIsShown(t *testing.T) {
	m := &results.Mutant{Context: "\tif n > max {", Column: 5, Original: "n > max", Replacement: "(n > max && false)", Evidence: results.Evidence{Branch: "\t\treturn ErrLong"}}
	if got, want := Text(m), "leave out return ErrLong when n > max"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := strings.Join(branchOf(m).Lines(maxLines), "\n"), "-\tif n > max {\n-\t\treturn ErrLong\n-\t}"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	called := *m
	called.Context, called.Original = "\tif !yield(n) {", "!yield(n)"
	if got, want := strings.Join(branchOf(&called).Lines(maxLines), "\n"), "-\tif !yield(n) {\n-\t\treturn ErrLong\n-\t}\n+\t_ = !yield(n)"; got != want {
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
	if got, want := Text(m), "make n > max always false"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	m.Evidence.Branch = "\t\tlog()\n\t\treturn ErrLong"
	if got, want := Text(m), "leave out the branch where n > max"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAConditionThatIsReturnedHasNoBranch(t *testing.T) {
	for _, tt := range []struct{ context, original, order, without string }{
		{"\treturn o.IsPresent()", "o.IsPresent()", "o.IsPresent() → false", "with false in place of `o.IsPresent()`"},
		{"\treturn n > max, nil", "n > max", "n > max → false", "with false in place of `n > max`"},
		{"\treturn a || b", "b", "drop b from the condition", "without `b` in the condition"},
		{"\tif n > max {", "n > max", "leave out the branch where n > max", "without the branch for `n > max`"},
	} {
		m := &results.Mutant{Operator: "condition", Context: tt.context, Column: strings.Index(tt.context, tt.original) + 1, Original: tt.original, Replacement: tt.original + " && false"}
		if w := InWords(m, 40); w.Order.Plain("", "") != tt.order || w.Without.Plain("`", "`") != tt.without {
			t.Errorf("%s: %q, %q; want %q, %q", tt.context, w.Order.Plain("", ""), w.Without.Plain("`", "`"), tt.order, tt.without)
		}
	}
}

func TestWhatACaseDoesIsNamedWithIt(t *testing.T) {
	m := &results.Mutant{Operator: "case-removal", Context: "\t\t\treturn", Column: 4, Original: "return", Replacement: "if false { return }", Evidence: results.Evidence{Case: "case <-ctx.Done()"}}
	if got, want := Text(m), "leave out return in case <-ctx.Done()"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := InWords(m, 40).Without.Plain("`", "`"), "with `return` left out in `case <-ctx.Done()`"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLongConditionsAreCutBetweenOperands(t *testing.T) {
	a, b := strings.Repeat("a", 30)+" == 1", strings.Repeat("b", 30)+" == 2"
	for condition, want := range map[string]string{
		a:                        a,
		a + "\n\t&& " + "b":      a + " && b",
		a + " && " + b:           a + " && …",
		a + " || " + b + " || c": a + " || …",
		strings.Repeat("x", 70):  strings.Repeat("x", 59) + "…",
	} {
		if got := ShortCondition(condition, 40); got != want {
			t.Errorf("%s: %s, want %s", condition, got, want)
		}
	}
}

func TestOfANegatedConditionWhatIsNegatedIsTold(t *testing.T) {
	for condition, want := range map[string]string{"ok": "make ok always true", "!ok": "make ok always false", "!a && b": "make !a && b always true", "!f(a, b)": "make f(a, b) always false"} {
		if got := taking(condition, "true").Order.Plain("", ""); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestOfALongConditionTheOtherConnectorIsNamed(t *testing.T) {
	const long = "the.first.of.some.long.operands > 0 || the.second.of.these.operands() && ok"
	for _, tt := range []struct{ original, replacement, want string }{
		{long, strings.Replace(long, "||", "&&", 1), "with && in place of || in the.first.of.some.long.operands > 0 || …"},
		{long, strings.Replace(long, "&&", "||", 1), "with || in place of && in the.first.of.some.long.operands > 0 || …"},
		{"a || b", "a && b", "with a && b in place of a || b"},
	} {
		m := results.Mutant{Original: tt.original, Replacement: tt.replacement, Operator: "logical"}
		if got := InWords(&m, 40).Without.Plain("", ""); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.replacement, got, tt.want)
		}
	}
}

func TestAnErrorThatIsIgnoredIsNamed(t *testing.T) {
	for _, tt := range []struct{ context, original, branch, want string }{
		{"\tif err := json.Unmarshal(b, &v); err != nil {", "err != nil", "\t\treturn err", "if the error of json.Unmarshal is ignored"},
		{"\tif n, err = f(g(1), h); err != nil {", "err != nil", "\t\treturn 0, err", "if the error of f is ignored"},
		{"\tif err != nil {", "err != nil", "\t\treturn fmt.Errorf(\"a: %w\", err)", "if err is ignored"},
		{"\tif closeErr != nil {", "closeErr != nil", "\t\treturn closeErr", "if closeErr is ignored"},
		{"\tif err != nil {", "err != nil", "\t\tlog(err)", "if it leaves out log(err) when err != nil"},
		{"\tif p != nil {", "p != nil", "\t\treturn p", "if it leaves out return p when p != nil"},
	} {
		m := results.Mutant{Operator: "error-check", Context: tt.context, Original: tt.original, Replacement: tt.original + " && false"}
		m.Evidence.Branch, m.Evidence.BranchEnd = tt.branch, 1
		if got := InWords(&m, 40).Without.Plain("", ""); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.context, got, tt.want)
		}
	}
}
