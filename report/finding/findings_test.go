package finding

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestFindingsAreInOrderOfUse(t *testing.T) {
	tests := []struct {
		name    string
		mutants []results.Mutant
		want    string
	}{
		{"none", nil, ""},
		{"two values, then operators that are acted on, then hunks undone",
			[]results.Mutant{Survivor("a1", Undone), Survivor("b2"), Survivor("c3", Exposed)}, "c3 b2 a1"},
		{"an exposed reversal before other exposed mutants",
			[]results.Mutant{Survivor("a1", Exposed), Survivor("b2", Undone, Exposed)}, "b2 a1"},
		{"what a call gives before what another one gives after it", []results.Mutant{
			Survivor("a1", Exposed, Function("p.T.Add"), func(m *results.Mutant) {
				m.ExposedBy.Setup, m.ExposedBy.Call = []string{"t := new(T)", "t.Add(1)"}, "t.Len()"
			}),
			Survivor("b2", Exposed, Function("p.T.Get"), func(m *results.Mutant) {
				m.ExposedBy.Setup, m.ExposedBy.Call = []string{"t := new(T)", "t.Add(1)"}, "t.Get()"
			}),
		}, "b2 a1"},
		{"a call that is given something before one that is given nil", []results.Mutant{
			Survivor("a1", Exposed, Function("p.F"), func(m *results.Mutant) { m.ExposedBy.Call = "F(nil, 1)" }),
			Survivor("b2", Exposed, Function("p.G"), func(m *results.Mutant) { m.ExposedBy.Call = `G("nil", 1)` }),
		}, "b2 a1"},
		{"no other lines", []results.Mutant{Survivor("a1", ElsewhereInIt), Survivor("b2", ElsewhereInIt, Exposed)}, ""},
		{"other lines where an error appears or goes",
			[]results.Mutant{Survivor("a1", ElsewhereInIt, Exposed, ErrorIn(results.ErrorInOriginal))}, "a1"},
		{"nothing of a changed line that was there before", []results.Mutant{Survivor("a1", Beside), Survivor("b2", Beside, Exposed)}, ""},
		{"... unless an error appears or goes", []results.Mutant{Survivor("a1", Beside, Exposed, ErrorIn(results.ErrorInOriginal))}, "a1"},
		{"... or no test runs the line", []results.Mutant{Survivor("a1", Beside, NotReached, Function("p.F")), KilledIn("p.F")}, "a1"},
		{"no weak operators", []results.Mutant{Survivor("a1", Operator("relational"))}, ""},
		{"... even with two values", []results.Mutant{Survivor("a1", Operator("relational"), Exposed)}, ""},
		{"... unless one of them is an error", []results.Mutant{Survivor("a1", Operator("relational"), Exposed, ErrorIn(results.ErrorInMutant))}, "a1"},
		{"... or an operand of the condition goes", []results.Mutant{Survivor("a1", Operator("relational"), Exposed, func(m *results.Mutant) {
			m.Original, m.Replacement, m.Context = "n < 0", "n < 0 && false", "if n < 0 || 100 < n {"
		})}, "a1"},
		{"... or a call that fails and cannot be written is accepted without one", []results.Mutant{Survivor("a1", Operator("relational"), Exposed, ErrorIn(results.ErrorInOriginal), func(m *results.Mutant) {
			m.Original, m.Replacement, m.Context = "n < 0", "n < 0 && false", "if n < 0 || 100 < n {"
			m.ExposedBy.Driver, m.ExposedBy.Inner, m.ExposedBy.Call = true, true, ""
		})}, "a1"},
		{"... but no other edit of that condition", []results.Mutant{Survivor("a1", Operator("relational"), Exposed, ErrorIn(results.ErrorInOriginal), func(m *results.Mutant) {
			m.Original, m.Replacement, m.Context = "n < 0", "n != 0", "if n < 0 || 100 < n {"
			m.ExposedBy.Driver, m.ExposedBy.Inner, m.ExposedBy.Call = true, true, ""
		})}, ""},
		{"... or it panics", []results.Mutant{Survivor("a1", Operator("relational"), Exposed, func(m *results.Mutant) { m.ExposedBy.Ends = results.CrashPanic })}, "a1"},
		{"... of more than a test that does not look at one", []results.Mutant{Survivor("a1", Operator("relational"), Exposed, InTest)}, ""},
		{"what a test does not look at, after other values", []results.Mutant{Survivor("a1", Exposed, InTest), Survivor("b2", Exposed)}, "b2 a1"},
		{"no other text of an error", []results.Mutant{Survivor("a1", Operator("relational"), Exposed, OnlyErrors)}, ""},
		{"... of no operator", []results.Mutant{Survivor("a1", Exposed, OnlyErrors)}, ""},
		{"... nor another value beside it", []results.Mutant{Survivor("a1", Exposed, ErrorIn(results.ErrorInBoth))}, ""},
		{"no one more than what is returned", []results.Mutant{Survivor("a1", Operator("return-value"), Writes("n", "n + 1"))}, ""},
		{"... even with two values", []results.Mutant{Survivor("a1", Operator("return-value"), Writes("a | b", "(a | b) + 1"), Exposed)}, ""},
		{"... but another value", []results.Mutant{Survivor("a1", Operator("return-value"), Writes("n", "0"))}, "a1"},
		{"no other count beside an error", []results.Mutant{Survivor("a1", Operator("return-value"), func(m *results.Mutant) {
			m.Original, m.Replacement, m.Context = "int64(n)", "0", "\t\treturn int64(n), ErrShort"
		})}, ""},
		{"... unless the error may be nil", []results.Mutant{Survivor("a1", Operator("return-value"), func(m *results.Mutant) {
			m.Original, m.Replacement, m.Context = "int64(n)", "0", "\t\treturn int64(n), err"
		})}, "a1"},
		{"nothing of an example", []results.Mutant{Survivor("a1", func(m *results.Mutant) { m.File = "examples/server/main.go" })}, ""},
		{"nor of what only tests use", []results.Mutant{Survivor("a1", func(m *results.Mutant) { m.File = "internal/db/testutil/fill.go" })}, ""},
		{"... but of what is only called so", []results.Mutant{Survivor("a1", func(m *results.Mutant) { m.File = "internal/sample.go" })}, "a1"},
		{"no check for an empty list", []results.Mutant{Survivor("a1", func(m *results.Mutant) { m.Original = "len(s) == 0 || ok" })}, ""},
		{"... unless an input shows what it is for", []results.Mutant{Survivor("a1", Exposed, func(m *results.Mutant) { m.Original = "len(s) == 0" })}, "a1"},
		{"... or the list is indexed, which panics", OfCheck("if len(s) > 0 {", "\treturn s[0]"), "a1"},
		{"... at its end, too", OfCheck("if s := f(); len(s) > 0 {", "\treturn s[len(s)-1]"), "a1"},
		{"... and not if it is sliced", OfCheck("if len(s) > 0 {", "\treturn s[:n]"), ""},
		{"... nor if it may be a map", OfCheck("if len(s) > 0 {", "\treturn s[key]"), ""},
		{"... nor another list", OfCheck("if len(s) > 0 {", "\treturn args[0]"), ""},
		{"... nor in a loop", OfCheck("if len(s) > 0 {", "\tfor range s {\n\t\tf(s[0])\n\t}"), ""},
		{"... nor behind another condition", OfCheck("if ok && len(s) > 0 {", "\treturn s[0]"), ""},
		{"... but one for a length", []results.Mutant{Survivor("a1", func(m *results.Mutant) { m.Original = "len(s) == 3" })}, "a1"},
		{"... and what only contains one", []results.Mutant{Survivor("a1", Operator("statement-deletion"), func(m *results.Mutant) { m.Original = "f(len(s) == 0)" })}, "a1"},
		{"... nor with a result that could not be formatted", []results.Mutant{Survivor("a1", Operator("relational"), Exposed, func(m *results.Mutant) {
			m.ExposedBy.Original, m.ExposedBy.Mutant = `"%!(NOVERB) B"`, `"3 B"`
		})}, ""},
		{"what would be accepted before other values",
			[]results.Mutant{Survivor("a1", Exposed), Survivor("b2", Operator("relational"), Exposed, ErrorIn(results.ErrorInOriginal))}, "b2 a1"},
		{"no undone elements of a list that are constant", []results.Mutant{Survivor("a1", Undoes("\tHr,\n\tIt,\n}\n", "\tIt,\n}\n"))}, ""},
		{"... nor are their fields, or another order", []results.Mutant{Survivor("a1", Undoes("{Name: \"a\", On: true},\nreturn []Code{A, B}\n", "{Name: \"b\", On: true},\nreturn []Code{B, A}\n"))}, ""},
		{"... but those with variables are", []results.Mutant{Survivor("a1", Undoes("\tLess: col.Less,\n}\n", "}\n"))}, "a1"},
		{"no number at the limit of its type", []results.Mutant{Survivor("a1", Undone, Exposed, func(m *results.Mutant) { m.ExposedBy.Call = `F("a", -9223372036854775808)` })}, ""},
		{"... but a greater one that has no sign", []results.Mutant{Survivor("a1", Undone, Exposed, func(m *results.Mutant) { m.ExposedBy.Call = `F("9223372036854775807", 18446744073709551615)` })}, "a1"},
		{"no hunk undone that alters no state", []results.Mutant{Survivor("a1", Undone, Status(results.Survived, results.Reached))}, ""},
		{"... unless it has another number", []results.Mutant{Survivor("a1", Undoes("n *= 3", "n *= 4"))}, "a1"},
		{"... or all that it does is to add code", []results.Mutant{Survivor("a1", Undoes("f()\ng()\n", "g()\n"))}, "a1"},
		{"... nor where that alters some", []results.Mutant{Survivor("a1", Undoes("m.mu.Lock()\ndefer m.mu.Unlock()\ng()\n", "g()\n"), Status(results.Survived, results.Infected))}, ""},
		{"no lock that is given back at the end", []results.Mutant{Survivor("a1", Exposed, Operator("statement-deletion"), func(m *results.Mutant) { m.Original = "defer c.mu.RUnlock()" })}, ""},
		{"... but one that is before", []results.Mutant{Survivor("a1", Exposed, Operator("statement-deletion"), func(m *results.Mutant) { m.Original = "c.mu.RUnlock()" })}, "a1"},
		{"... nor a copy of a variable", []results.Mutant{Survivor("a1", Undoes("x := x\ng(&x)\n", "g(&x)\n"), Status(results.Survived, results.Infected))}, ""},
		{"... but another variable", []results.Mutant{Survivor("a1", Undoes("x := y\ng(&x)\n", "g(&x)\n"), Status(results.Survived, results.Infected))}, "a1"},
		{"... other than locks", []results.Mutant{Survivor("a1", Undoes("m.mu.Lock()\ndefer m.mu.Unlock()\ng()\n", "g()\n"))}, ""},
		{"... also under a condition", []results.Mutant{Survivor("a1", Undoes("m.mu.Lock()\nif n != m {\n\tn.mu.Lock()\n}\ng()\n", "g()\n"))}, ""},
		{"... also where they move lines, and read something into a variable", []results.Mutant{Survivor("a1", Undoes("m.mu.Lock()\nn := m.n\nk := h()\nm.mu.Unlock()\ng(n, k)\n", "g(m.n, k)\nk := h()\n"))}, ""},
		{"... but not where that is another value", []results.Mutant{Survivor("a1", Undoes("m.mu.Lock()\nn := m.n + 1\nm.mu.Unlock()\ng(n)\n", "g(m.n)\n"))}, "a1"},
		{"... but with other calls under it", []results.Mutant{Survivor("a1", Undoes("m.mu.Lock()\nif n != m {\n\tn.stop()\n}\ng()\n", "g()\n"))}, "a1"},
		{"... or fields that are given an empty list", []results.Mutant{Survivor("a1", Undoes("\tmax:  n,\n\trules: []*p.Rule{},\n", "\tmax: n,\n"))}, ""},
		{"... or fields that are given their zero value", []results.Mutant{Survivor("a1", Undoes("\tmax:    n,\n\tstopped: false,\n", "\tmax: n,\n"))}, ""},
		{"... or to what there was", []results.Mutant{Survivor("a1", Undoes("if a && b {\n", "if a {\n"))}, "a1"},
		{"... more than a conversion", []results.Mutant{Survivor("a1", Undoes("x := int64((a))\n", "x := a\n"))}, ""},
		{
			"... a call that what there was comes after", []results.Mutant{Survivor("a1", Undoes("d, err := convert(m.Data)\nif err != nil {\n\treturn err\n}\nlist = append(list, encode(d))\n", "list = append(list, encode(m.Data))\n"))},
			"a1",
		},
		{"... a call in place of an operator", []results.Mutant{Survivor("a1", Undoes("list = append(list, sum(a, b))\nd := list\n", "list = append(list, a+b)\n"))}, ""},
		{"... more than a copy", []results.Mutant{Survivor("a1", Undoes("x := slices.Clone(a)\n", "x := a\n"))}, ""},
		{"... and not where it alters some, too", []results.Mutant{Survivor("a1", Undoes("f()\ng(x)\n", "g(y)\n"))}, ""},
		{"what a part of the change adds within a line, on which many calls give the same", []results.Mutant{Survivor("a1", Undoes("f(x, 2, y)", "f(x, y)"), FuzzedWith(agreed-1))}, "a1"},
		{"no hunk undone of a function of which it is said that it gives the same as before",
			[]results.Mutant{Survivor("a1", Undoes("f(x, 2, y)", "f(x, y)"), FuzzedWith(agreed))}, ""},
		{"nothing on a line that the change only writes in another form", []results.Mutant{
			Survivor("a1", Undone, Between(2, 40), Status(results.Equivalent, results.Reached)), Survivor("b2", Between(5, 20), Exposed), Survivor("c3", Between(5, 41)),
		}, "c3"},
		{"no part undone of a change that makes no difference as a whole", []results.Mutant{
			Survivor("a1", Undone, Exposed, Function("p.F"), Between(2, 4)), Survivor("b2", Undone, FuzzedWith(fuzzed), Function("p.F"), Between(0, 9)),
		}, ""},
		{"part undone of a change of which little is known as a whole", []results.Mutant{
			Survivor("a1", Undone, Exposed, Function("p.F"), Between(2, 4)), Survivor("b2", Undone, FuzzedWith(0), Function("p.F"), Between(0, 9)),
		}, "a1"},
		{"no lines left out that the change only moved", []results.Mutant{Survivor("a1", Undoes("if !ok {\n\treturn err\n}", ""), ElsewhereInIt)}, ""},
		{"... but new ones", []results.Mutant{Survivor("a1", Undoes("if !ok {\n\treturn err\n}", ""))}, "a1"},
		{"no hunk undone on which many inputs agree", []results.Mutant{Survivor("a1", Undone, FuzzedWith(fuzzed))}, ""},
		{"... unless one shows a difference that has no form as a call", []results.Mutant{Survivor("a1", Undone, FuzzedWith(fuzzed), Exposed, func(m *results.Mutant) {
			m.ExposedBy.Driver, m.ExposedBy.Call = true, ""
		})}, "a1"},
		{"nothing on which many calls agree", []results.Mutant{Survivor("a1", Operator("statement-deletion"), func(m *results.Mutant) {
			m.Evidence.Driven, m.Original = fuzzed, "f(x)"
		})}, ""},
		{"a condition that is never false",
			[]results.Mutant{Survivor("a1", Operator("condition"), AlwaysTrue, Status(results.Survived, results.Reached), Otherwise)}, "a1"},
		{"... unless nothing is done where it is",
			[]results.Mutant{Survivor("a1", Operator("condition"), AlwaysTrue, Status(results.Survived, results.Reached))}, ""},
		{"... and not in any of many generated calls",
			[]results.Mutant{Survivor("a1", Operator("condition"), AlwaysTrue, func(m *results.Mutant) { m.Evidence.Spared = fuzzed })}, ""},
		{"... and not where tests were not followed",
			[]results.Mutant{Survivor("a1", Operator("condition"), AlwaysTrue, Status(results.Survived, results.Reached), Otherwise, InProgram)}, ""},
		{"no condition that is false at times",
			[]results.Mutant{Survivor("a1", Operator("condition"), AlwaysTrue, Status(results.Survived, results.Infected))}, ""},
		{"nothing that alters what happens in tests, and not what comes out",
			[]results.Mutant{Survivor("a1", Status(results.Survived, results.Infected))}, ""},
		{"... even behind a statement",
			[]results.Mutant{Survivor("a1", Operator("condition"), AlwaysTrue, Status(results.Survived, results.Reached), Otherwise, func(m *results.Mutant) {
				m.Context = "if n := f(); aa1 {"
			})}, "a1"},
		{"no operand of one",
			[]results.Mutant{Survivor("a1", Operator("condition"), AlwaysTrue, Status(results.Survived, results.Reached), func(m *results.Mutant) {
				m.Context = "if b && aa1 {"
			})}, ""},
		{"no branch beside another one",
			[]results.Mutant{Survivor("a1", Operator("branch-removal"), func(m *results.Mutant) { m.Replacement = "{ if false {} }" })}, ""},
		{"no error that is nil whenever tests come there",
			[]results.Mutant{Survivor("a1", Operator("error-return"), Status(results.Survived, results.Reached), func(m *results.Mutant) { m.Original = "return nil, err" })}, ""},
		{"... but one that is made there",
			[]results.Mutant{Survivor("a1", Operator("error-return"), Status(results.Survived, results.Reached), func(m *results.Mutant) { m.Original = `return nil, errors.New("x")` })}, "a1"},
		{"no loop that may go on", []results.Mutant{Survivor("a1", Operator("loop-control"), func(m *results.Mutant) { m.Original = "break" })}, ""},
		{"no condition of a loop", []results.Mutant{Survivor("a1", Operator("condition"), AlwaysTrue, Status(results.Survived, results.Reached),
			func(m *results.Mutant) { m.Context = "\tfor aa1 {" })}, ""},
		{"no line that nothing runs", []results.Mutant{Survivor("a1", NotReached)}, ""},
		{"... of a function that runs, unless it says much",
			[]results.Mutant{Survivor("a1", Function("p.F"), NotReached), Survivor("b2", Function("p.F"), NotReached, Operator("relational"), Line(12)), KilledIn("p.F")}, "a1"},
		{"one a function, the best",
			[]results.Mutant{Survivor("a1", Function("p.F")), Survivor("b2", Function("p.F"), Exposed), Survivor("c3")}, "b2 c3"},
		{"the same source once",
			[]results.Mutant{Survivor("a1"), Survivor("b2", Function("p.Fa1"), func(m *results.Mutant) { m.Original, m.Replacement = "aa1", "ba1" })},
			"a1"},
		{"a reversal that removes",
			[]results.Mutant{Survivor("a1", Undone, func(m *results.Mutant) { m.Replacement = "" })}, "a1"},
		{"... unless nothing runs some of what it removes",
			[]results.Mutant{Survivor("a1", Undone, Between(0, 300), func(m *results.Mutant) { m.Replacement = "" }), Survivor("b2", NotReached, InProgram)}, ""},
		{"no code that only fails, and that only fuzzing comes to, without telling", []results.Mutant{
			Survivor("a1", Operator("error-return"), Function("p.F"), func(m *results.Mutant) { m.Context, m.Evidence.Execs = "\t\treturn err", 1200 }), KilledIn("p.F")}, ""},
		{"... unless tests come to it", []results.Mutant{
			Survivor("a1", Operator("error-return"), Function("p.F"), func(m *results.Mutant) {
				m.Context, m.Evidence.Execs, m.Evidence.Tests = "\t\treturn err", 1200, 1
			}), KilledIn("p.F")}, "a1"},
		{"... but code that only fails, in a function that runs",
			[]results.Mutant{
				Survivor("a1", Undone, Function("p.F"), Between(0, 300), func(m *results.Mutant) { m.Replacement = "" }), KilledIn("p.F"),
				Survivor("b2", NotReached, Function("p.F"), func(m *results.Mutant) { m.Context = "\t\treturn err" })}, "a1"},
		{"only what was confirmed",
			[]results.Mutant{Survivor("a1", Unverified), Survivor("b2", Line(101))}, "b2"},
		{"only survivors",
			[]results.Mutant{
				Survivor("a1", Status(results.Killed, results.Revealed)), Survivor("b2", Status(results.Equivalent, "")),
				Survivor("c3", Status(results.Unviable, "")), Survivor("d4", Status(results.Ignored, "")),
				Survivor("e5", Status(results.NotRun, "")), Survivor("f6")},
			"f6"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, ids(Findings(&results.Results{Mutants: tt.mutants}))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// ids names findings: mutants by ID, crashes by entry and what mends them, and older tests by name.
func ids(findings []Finding) string {
	var all []string
	for _, f := range findings {
		if f.Old != nil {
			all = append(all, f.Old.Test)
		} else if f.Crash != nil && f.Mutant != nil {
			all = append(all, f.Crash.Entry+" by "+f.Mutant.ID)
		} else if f.Crash != nil {
			all = append(all, f.Crash.Entry)
		} else {
			all = append(all, f.Mutant.ID)
		}
	}
	return strings.Join(all, " ")
}

// kindsOf returns the kinds of findings, in order.
func kindsOf(findings []Finding) (kinds []Kind) {
	for _, f := range findings {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

func TestFunctionsThatAreAddedAndNeverRunAreFindings(t *testing.T) {
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.New", Reason: results.ReasonAdded}, {ID: "p.Old", Reason: results.ReasonChanged}},
		Mutants: []results.Mutant{Survivor("a1", NotReached, Function("p.Old")), Survivor("b2", NotReached, Function("p.New")), Survivor("c3", NotReached, Function("p.New"))},
	}
	if got := ids(Findings(r)); got != "b2" {
		t.Errorf("findings %s, want b2", got)
	}
	for reason, want := range map[string]string{results.ReasonAdded: "", results.ReasonAll: "b2"} { // the user asked about all code
		r.Scope[0].Untested, r.Scope[0].Reason = true, reason
		if got := ids(Findings(r)); got != want {
			t.Errorf("%s: findings %q of a package without tests, want %q", reason, got, want)
		}
	}
	for i := range r.Mutants { // tests may run a program in a process of its own
		InProgram(&r.Mutants[i])
	}
	if got := ids(Findings(r)); got != "" {
		t.Errorf("findings %s in a program", got)
	}
}

func TestACallThatTheBaseDoesNotHaveIsNoChangeOfBehaviour(t *testing.T) {
	for inner, want := range map[bool][]Kind{false: {Gap}, true: nil} { // inner calls may mix old and new code
		r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Undone, Exposed, func(m *results.Mutant) {
			m.ExposedBy.NotOnBase, m.ExposedBy.Inner = true, inner
		})}}
		if kinds := kindsOf(Findings(r)); !slices.Equal(kinds, want) {
			t.Errorf("within the package: %t; findings %v", inner, kinds)
		}
	}
}

func TestWhatManyCallsOfCallersDoNotShowIsNoFinding(t *testing.T) {
	for _, tt := range []struct {
		tries int64
		m     results.Mutant
		found int
	}{
		{fuzzed - 1, Survivor("a1", Exposed), 1},
		{fuzzed, Survivor("a1", Exposed), 0},
		{fuzzed, Survivor("a1", Undone, Exposed), 1}, // the case that the change is for may need special inputs
		{fuzzed, Survivor("a1", Function("p.f"), Exposed, InTest), 0},
		{fuzzed, Survivor("a1", Function("p.F"), Exposed, InTest), 1}, // other packages can make the call
	} {
		m := tt.m
		m.ExposedBy.Driver, m.ExposedBy.Inner, m.Evidence.ByCallers = !m.ExposedBy.InTest, !m.ExposedBy.InTest, tt.tries
		if kinds := kindsOf(Findings(&results.Results{Mutants: []results.Mutant{m}})); len(kinds) != tt.found {
			t.Errorf("%d calls; findings %v", tt.tries, kinds)
		}
	}
}

func TestWhatTheChangeDoesNotTouchIsNotAddedToAFindingAboutIt(t *testing.T) {
	elsewhere := func(m *results.Mutant) { m.Evidence.OnDiff, m.ExposedBy.Errors = false, results.ErrorInOriginal }
	in := func(m *results.Mutant) { m.Function = "p.F" }
	r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Exposed, in), Survivor("b2", Exposed, in), Survivor("c3", Exposed, elsewhere, in)}}
	if got := Findings(r); len(got) != 1 || len(got[0].Also) != 1 || got[0].Also[0].ID != "b2" {
		t.Errorf("%+v", got)
	}
	r.Mutants = r.Mutants[2:]
	if got := ids(Findings(r)); got != "c3" {
		t.Errorf("alone: %s", got)
	}
}

func TestAPartOfAChangeThatTheBaseGivesTooIsNoFinding(t *testing.T) {
	for asBefore, want := range map[bool][]Kind{false: {Behaviour}, true: nil} {
		r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Undone, Exposed, func(m *results.Mutant) { m.ExposedBy.AsBefore = asBefore })}}
		if kinds := kindsOf(Findings(r)); !slices.Equal(kinds, want) {
			t.Errorf("the base gives the same: %t; findings %v", asBefore, kinds)
		}
	}
}

func TestWhatAFunctionWithABugLacksElseCanWait(t *testing.T) {
	for introduced, want := range map[string]string{results.IntroducedYes: "b2", results.IntroducedNo: "b2 a1"} {
		r := &results.Results{
			Scope:   []results.Function{{ID: "p.F", File: "f.go", StartLine: 9, EndLine: 12}, {ID: "p.G", File: "f.go"}},
			Mutants: []results.Mutant{Survivor("a1", Function("p.F")), Survivor("b2", Function("p.G"))},
			Crashes: []results.Crash{{Harness: "p.FuzzF", Entry: "e", Kind: results.CrashPanic, Stack: "p.F(0x1)\n\t/src/f.go:10", Introduced: introduced}},
		}
		r.Mutants[1].Original, r.Mutants[1].Line = "other", 20
		var got []string
		for _, f := range Findings(r) {
			if f.Mutant != nil {
				got = append(got, f.Mutant.ID)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("introduced %s: findings %s, want %s", introduced, s, want)
		}
	}
}

func TestThatNothingRunsChangedCodeWithoutAnyTestsIsNoFinding(t *testing.T) {
	driven := func(m *results.Mutant) { m.Stage, m.Evidence.Unrun = results.Propagated, true }
	for untested, want := range map[bool]string{false: "a1", true: ""} {
		r := &results.Results{
			Scope:   []results.Function{{ID: "p.F", Reason: results.ReasonChanged, Untested: untested}},
			Mutants: []results.Mutant{Survivor("a1", driven, Function("p.F"))},
		}
		if got := ids(Findings(r)); got != want {
			t.Errorf("a package without tests: %v: findings %q, want %q", untested, got, want)
		}
	}
}

func TestAPartOfTheChangeWithoutAnyTestsIsAFindingIfCallersSeeIt(t *testing.T) {
	for text, want := range map[string]string{"p.T{A: 2}": "a1", "p.T{a: 2}": ""} {
		m := Survivor("a1", Undone, Exposed, Function("p.F"))
		m.Evidence.Unrun, m.ExposedBy.Driver = true, true
		m.ExposedBy.Mutant, m.ExposedBy.Original = text, strings.Replace(text, "2", "1", 1)
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Reason: results.ReasonChanged, Untested: true}}, Mutants: []results.Mutant{m}}
		if got := ids(Findings(r)); got != want {
			t.Errorf("%s: findings %q, want %q", text, got, want)
		}
	}
}

func TestThatNothingRunsALineOfWhatTestsOfOtherPackagesRunIsAFinding(t *testing.T) {
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Reason: results.ReasonChanged, Untested: true}},
		Mutants: []results.Mutant{Survivor("a1", NotReached, Function("p.F"))},
	}
	for _, want := range []string{"", "a1"} {
		if got := ids(Findings(r)); got != want {
			t.Errorf("findings %q, want %q", got, want)
		}
		r.Mutants = append(r.Mutants, KilledIn("p.F"))
	}
}

func TestWithoutADiffEveryLineCountsAsChanged(t *testing.T) {
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.Fa1", Reason: results.ReasonAll}},
		Mutants: []results.Mutant{Survivor("a1", ElsewhereInIt)},
	}
	if got := ids(Findings(r)); got != "a1" {
		t.Errorf("findings %s, want a1", got)
	}
}

func TestCrashesComeFirstAndIntroducedOnesBeforeAll(t *testing.T) {
	r := &results.Results{
		Mutants: []results.Mutant{Survivor("m1", Undone)},
		Crashes: []results.Crash{
			{Harness: "p.FuzzA", Entry: "base", Introduced: results.IntroducedNo},
			{Harness: "p.FuzzB", Entry: "unknown", Introduced: results.IntroducedUnknown},
			{Harness: "p.FuzzC", Entry: "new", Message: "index out of range [3] with length 3", Introduced: results.IntroducedYes},
			{Harness: "p.FuzzC", Entry: "again", Message: "index out of range [41] with length 40", Introduced: results.IntroducedYes},
		},
	}
	if got, want := ids(Findings(r)), "new unknown m1"; got != want {
		t.Errorf("findings %s, want %s", got, want)
	}
}

func TestAnOlderFailureWithTheSameMessageDoesNotHideABug(t *testing.T) {
	crash := func(entry, introduced string) results.Crash {
		return results.Crash{Harness: "p.FuzzA", Entry: entry, Kind: results.CrashPanic, Message: "nil pointer dereference", Introduced: introduced}
	}
	r := &results.Results{Crashes: []results.Crash{
		crash("old", results.IntroducedNo), crash("unknown", results.IntroducedUnknown), crash("new", results.IntroducedYes),
	}}
	s := Select(r, nil, 0)
	if got, want := ids(s.Open), "new"; got != want || len(s.OnBase) > 0 {
		t.Errorf("open: %s, want %s; %d failures of the base, want none", got, want, len(s.OnBase))
	}
}

func TestOfCodeThatNothingRunsTheFirstMutantHasACallThatGivesSomething(t *testing.T) {
	driven := func(id string, line int, original string, errors string) results.Mutant {
		return Survivor(id, Unverified, Exposed, func(m *results.Mutant) {
			m.Line, m.Evidence.Unrun, m.ExposedBy.Driver = line, true, true
			m.ExposedBy.Call, m.ExposedBy.Original, m.ExposedBy.Mutant, m.ExposedBy.Errors = "F("+id+")", original, "2", errors
		})
	}
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Reason: results.ReasonAdded}},
		Mutants: []results.Mutant{driven("a", 1, `error("no")`, results.ErrorInOriginal), driven("b", 2, "nil", ""), driven("c", 3, "1", "")},
	}
	list := Candidates(r)
	if len(list) != 1 || list[0].ID != "c" {
		t.Errorf("%d candidates, the first %s; want c, for which a test is suggested then", len(list), list[0].ID)
	}
}

func TestCandidatesNeedNoConfirmation(t *testing.T) {
	r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Unverified), Survivor("b2", Unverified, Undone)}}
	var got []string
	for _, m := range Candidates(r) {
		got = append(got, m.ID)
	}
	if diff := cmp.Diff([]string{"a1", "b2"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestKeysDependOnSourceOnly(t *testing.T) {
	base := Survivor("a1", func(m *results.Mutant) { m.Original, m.Replacement = "f(x, y)", "f(x)" })
	tests := []struct {
		name   string
		change func(*results.Mutant)
		same   bool
	}{
		{"line", Line(999), true},
		{"ID", func(m *results.Mutant) { m.ID = "zz" }, true},
		{"layout", func(m *results.Mutant) { m.Original = "f(x,\n\t y)" }, true},
		{"comment", func(m *results.Mutant) { m.Original = "f(x, /* why */ y) // how" }, true},
		{"function", Function("p.G"), false},
		{"operator", func(m *results.Mutant) { m.Operator = "other" }, false},
		{"source", func(m *results.Mutant) { m.Original = "f(x, z)" }, false},
		{"replacement", func(m *results.Mutant) { m.Replacement = "f(y)" }, false},
		{"string", func(m *results.Mutant) { m.Original = `f("x", y)` }, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			changed := base
			tt.change(&changed)
			if same := mutantKey(&base) == mutantKey(&changed); same != tt.same {
				t.Errorf("the key stays the same: %t, want %t", same, tt.same)
			}
		})
	}
}

func TestBranchThatNothingRunsIsFoundWithItsCondition(t *testing.T) {
	condition := Survivor("a1", Function("p.F"), Exposed)
	condition.Evidence.BranchEnd = condition.EndOffset + 500
	inside, outside := Survivor("b2", Function("p.F"), NotReached), Survivor("c9", Function("p.G"), NotReached)
	r := &results.Results{Scope: []results.Function{{ID: "p.F", Reason: results.ReasonAdded}, {ID: "p.G", Reason: results.ReasonAdded}}}
	r.Mutants = []results.Mutant{condition, inside, outside}
	var got []string
	for _, f := range Findings(r) {
		one := f.Kind.String()
		for _, m := range f.All() {
			one += " " + m.ID
		}
		got = append(got, one)
	}
	if want := []string{"gap a1 b2", "not_run c9"}; !cmp.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBranchThatNeverRunsIsShownWithOtherLinesThatNothingRuns(t *testing.T) {
	condition := Survivor("a1", Function("p.F"), Status(results.Survived, results.Reached), func(m *results.Mutant) {
		m.Operator, m.Original, m.Replacement, m.Context = "branch-removal", "n > 3", "n > 3 && false", "if n > 3 {"
		m.Evidence.Never = &results.Code{StartLine: 2, EndLine: 2}
	})
	outside := Survivor("b2", Function("p.F"), NotReached, func(m *results.Mutant) { m.Line, m.EndLine, m.Offset, m.EndOffset = 90, 90, 900, 910 })
	r := &results.Results{Scope: []results.Function{{ID: "p.F", Reason: results.ReasonAdded}}, Mutants: []results.Mutant{condition, outside}}
	if got := ids(Findings(r)); got != "b2" {
		t.Errorf("findings %q, want b2", got)
	}
	r.Mutants = r.Mutants[:1]
	if got := ids(Findings(r)); got != "a1" {
		t.Errorf("findings %q, want a1", got)
	}
}

func TestAnEditOfAConditionThatNoTestTellsApartGoesWithItsBranchThatNothingRuns(t *testing.T) {
	head := func(m *results.Mutant) {
		m.Operator, m.Original, m.Replacement, m.Context, m.Line = "logical", "n > 3 && ok", "n > 3 || ok", "\tif n > 3 && ok {", 1
	}
	branch := Survivor("b2", Function("p.F"), NotReached, func(m *results.Mutant) { m.Line, m.EndLine, m.Offset, m.EndOffset = 4, 4, 900, 910 })
	results := func(under string, stage string) *results.Results {
		return &results.Results{
			Scope:   []results.Function{{ID: "p.F", File: branch.File, Reason: results.ReasonAdded, Unrun: []results.Code{{StartLine: 4, EndLine: 4, Under: under}}}},
			Mutants: []results.Mutant{Survivor("a1", Function("p.F"), Status(results.Survived, stage), head), branch},
		}
	}
	for name, tt := range map[string]struct{ under, stage, want string }{
		"its else branch":           {"if n > 3 && ok … else", "reached", "b2"},
		"its own branch":            {"if n > 3 && ok", "reached", "b2"},
		"tests tell them apart":     {"if n > 3 && ok … else", "infected", "b2"},
		"a branch of another check": {"if n > 4 … else", "reached", "b2 a1"},
	} {
		if got := ids(Findings(results(tt.under, tt.stage))); got != tt.want {
			t.Errorf("%s: findings %q, want %q", name, got, tt.want)
		}
	}
}

func TestEditsOfTwoFunctionsThatShowInTheSameCallAreOneFinding(t *testing.T) {
	shows := func(call, with string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			Exposed(m)
			m.ExposedBy.Call, m.ExposedBy.Original, m.ExposedBy.Mutant = call, "true", with
		}
	}
	r := &results.Results{Mutants: []results.Mutant{
		Survivor("a1", Function("p.F"), shows("F(1)", "false")), Survivor("b2", Function("p.G"), shows("F(1)", "false")),
		Survivor("c3", Function("p.H"), shows("F(1)", "nil")), Survivor("d4", Function("p.I"), shows("", "false")), Survivor("e5", Function("p.J"), shows("", "false")),
	}}
	var got []string
	for _, f := range Findings(r) {
		got = append(got, fmt.Sprint(f.Mutant.ID, len(f.Also)))
	}
	if want := []string{"a11", "c30", "d40", "e50"}; !slices.Equal(got, want) {
		t.Errorf("findings with others in them: %q, want %q", got, want)
	}
}

func TestErrorsThatNoTestProvokesAreNoFindingIfTheRestRuns(t *testing.T) {
	fails := Survivor("a1", Function("p.F"), NotReached)
	fails.Original, fails.Context = "1", "\treturn 1, fmt.Errorf(\"no %q\", name)"
	block := fails // with an else
	block.Original, block.Context = "{\n\t\treturn 1, fmt.Errorf(\"no %q\", name)\n\t}", "\tif name == other {"
	rest := Survivor("b2", Function("p.F"))
	rest.Status = results.Killed
	for _, m := range []results.Mutant{fails, block} {
		for n, want := range map[int]int{1: 1, 2: 0} {
			r := &results.Results{
				Scope:   []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonAdded}},
				Mutants: []results.Mutant{m, rest}[:n],
			}
			if found := Findings(r); len(found) != want {
				t.Errorf("%s: of %d mutants: %d findings, want %d", m.Original, n, len(found), want)
			}
		}
	}
}

func TestABranchWithAnElseThatOnlyGivesUpIsNoFinding(t *testing.T) {
	block := Survivor("a1", Function("p.F"), NotReached, func(m *results.Mutant) {
		m.Line, m.EndLine, m.Original, m.Context = 3, 6, "{\n\t\tlog.Print(err)\n\t\treturn\n\t}", "\tif err != nil {"
	})
	rest := Survivor("b2", Function("p.F"))
	rest.Status = results.Killed
	for under, want := range map[string]int{"if err != nil": 0, "if n > 3": 1} {
		r := &results.Results{
			Scope: []results.Function{{ID: "p.F", Name: "F", File: block.File, Reason: results.ReasonChanged, StartLine: 1, EndLine: 99, Unrun: []results.Code{
				{StartLine: 4, EndLine: 5, Under: under, Source: "\t\tlog.Print(err)\n\t\treturn"},
			}}},
			Mutants: []results.Mutant{block, rest},
		}
		if found := Findings(r); len(found) != want {
			t.Errorf("under %s: %d findings, want %d", under, len(found), want)
		}
	}
}

func TestResultsThatNobodyCanReadAreNoReasonForAFinding(t *testing.T) {
	m := Survivor("a1", Exposed, Operator("condition"))
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{m}})); got != "a1" {
		t.Errorf("findings %q", got)
	}
	m.ExposedBy.Original, m.ExposedBy.Mutant = "…a{1}", "…a{2}"
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{m}})); got != "" {
		t.Errorf("findings %q", got)
	}
}

func TestThatNoTestRunsAFunctionIsOneFindingWhateverADriverShows(t *testing.T) {
	driven := func(m *results.Mutant) {
		m.Evidence.Unrun, m.Stage, m.ExposedBy = true, results.Propagated, &results.ExposedBy{Call: "F(1)", Original: "1", Mutant: "2", Driver: true}
	}
	r := &results.Results{
		Scope: []results.Function{{ID: "p.F", Reason: results.ReasonChanged}, {ID: "p.G", Reason: results.ReasonChanged}, {ID: "p.H", Reason: results.ReasonChanged}},
		Mutants: []results.Mutant{
			Survivor("a1", Function("p.F"), driven), Survivor("b2", Function("p.G"), driven), Survivor("c3", Function("p.G"), NotReached),
			Survivor("d4", Function("p.H"), driven), KilledIn("p.H"),
		},
	}
	s := Select(r, nil, 0)
	if got, want := ids(s.Open), ids([]Finding{{Mutant: &r.Mutants[3]}, {Mutant: &r.Mutants[0]}}); got != want || s.Open[1].Kind != NotRun {
		t.Errorf("findings %s, want %s", got, want)
	}
	if len(s.Folded) > 0 {
		t.Errorf("edits are listed again, such as %s", s.Folded[0].ID)
	}
}

func TestConditionThatMayHaveEitherValueIsNoFinding(t *testing.T) {
	at := func(offset int, original, replacement string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.File, m.Offset, m.EndOffset, m.Original, m.Replacement = "f.go", offset, offset+len(original), original, replacement
		}
	}
	infected := Status(results.Survived, results.Infected)
	never, always := Survivor("a1", infected, at(10, "n <= 4", "n <= 4 && false")), Survivor("b2", infected, at(10, "n <= 4", "n <= 4 || true"), Operator("condition"))
	other := Survivor("c3", at(10, "n <= 4", "n <= 4 == ok"))
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{never, always, other}})); got != "" {
		t.Errorf("findings %s", got)
	}
	always.Status, always.Stage = results.Killed, results.Revealed
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{never, always, other}})); got != "c3" {
		t.Errorf("findings %s, want c3", got)
	}
	other.Operator = "logical"
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{never, always, other}})); got != "" {
		t.Errorf("the branch can be left out, and how its condition is joined is a finding: %s", got)
	}
}

func TestCaseWithoutWhichTheTestsGetTheSameIsNoFinding(t *testing.T) {
	left := Survivor("a1", Operator("case-removal"), func(m *results.Mutant) { m.EndOffset = 150 })
	killed := func(begin, end int) results.Mutant {
		return Survivor("b2", Status(results.Killed, results.Revealed), func(m *results.Mutant) { m.Offset, m.EndOffset = begin, end })
	}
	for name, tt := range map[string]struct {
		mutants []results.Mutant
		want    string
	}{
		"an edit in it is noticed":           {[]results.Mutant{left, killed(120, 130)}, ""},
		"nobody knows what the tests notice": {[]results.Mutant{left}, "a1"},
		"only an edit elsewhere is noticed":  {[]results.Mutant{left, killed(160, 180)}, "a1"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := ids(Findings(&results.Results{Mutants: tt.mutants})); got != tt.want {
				t.Errorf("findings %q, want %q", got, tt.want)
			}
		})
	}
}

func TestAddedFastPathIsNoFinding(t *testing.T) {
	added := Survivor("a1", Undoes("if n < 9 {\n\treturn little(n)\n}\nreturn all(n)\n", "return all(n)\n"), func(m *results.Mutant) { m.EndOffset = 200 })
	branch := Survivor("b2", Status(results.Survived, results.Infected), func(m *results.Mutant) { m.Offset, m.EndOffset, m.Evidence.BranchEnd = 110, 115, 150 })
	killed := Survivor("c3", Status(results.Killed, results.Revealed), func(m *results.Mutant) { m.Offset, m.EndOffset = 120, 130 })
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{added, branch, killed}})); got != "" {
		t.Errorf("findings %q", got)
	}
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{added, killed}})); got != "a1" {
		t.Errorf("findings %q, want a1", got)
	}
	added.Stage, added.ExposedBy = results.Propagated, &results.ExposedBy{Driver: true, Inner: true}
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{added, branch, killed}})); got != "" {
		t.Errorf("findings %q where arguments of a driver that nobody can write show it", got)
	}
}

func TestSkippingWhatMakesNoDifferenceIsAFastPath(t *testing.T) {
	for name, tt := range map[string]struct {
		driven int64
		branch string
		want   bool
	}{
		"many calls":              {sparedOften, "\t\tcontinue", true},
		"few calls":               {sparedOften - 1, "\t\tcontinue", false},
		"a branch that does more": {sparedOften, "\t\tn++\n\t\tcontinue", false},
	} {
		m := Survivor("a1", Operator("branch-removal"), Status(results.Survived, results.Infected), Writes("!found", "!found && false"))
		m.Evidence.Branch, m.Evidence.BranchEnd, m.Evidence.Driven = tt.branch, 150, tt.driven
		r := &results.Results{Mutants: []results.Mutant{m}}
		if got := newRanking(r).fastPath(&r.Mutants[0]); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestLineWhoseChangeIsNotNoticedHasNoOtherFinding(t *testing.T) {
	undo := Survivor("a1", Undone, func(m *results.Mutant) { m.EndOffset = 300 })
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{undo, Survivor("b2"), Survivor("c4")}})); got != "c4 a1" {
		t.Errorf("findings %q, want c4 a1", got)
	}
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{undo, Survivor("b2", Exposed)}})); got != "b2 a1" {
		t.Errorf("findings %q, want b2 a1: an input shows it", got)
	}
	rewritten := Survivor("a1", Undone, func(m *results.Mutant) { m.EndOffset, m.Original, m.Replacement = 300, "f()\ng()\nh()\n", "i()\n" })
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{rewritten, Survivor("b2")}})); got != "b2 a1" {
		t.Errorf("findings %q, want b2 a1: most of it is new", got)
	}
	undo.Status, undo.Stage = results.Killed, results.Revealed
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{undo, Survivor("b2")}})); got != "b2" {
		t.Errorf("findings %q, want b2", got)
	}
}

func TestACheckThatATestOfTheChangeTakesAndDoesNotNeedIsAFinding(t *testing.T) {
	undo := Survivor("a1", Function("p.F"), Line(10), Between(0, 60), Undoes("\tif name == \"\" {\n\t\treturn errEmpty\n\t}\n", ""), Status(results.Survived, results.Reached))
	guard := Survivor("c3", Function("p.F"), Line(10), Between(4, 14), Operator("early-return"), Status(results.Survived, results.Infected), func(m *results.Mutant) {
		m.Original, m.Replacement, m.Evidence.BranchEnd = "name == \"\"", "name == \"\" && false", 36
	})
	inner := Survivor("b2", Function("p.F"), Line(11), Between(19, 34), Operator("error-return"), Status(results.Killed, results.Revealed))
	inner.KilledBy = &results.KilledBy{By: results.ByTest, Kind: results.KindTest, Name: "m/p.TestF/empty_name"}
	found := func(changed string) string {
		undo.Evidence.ByChange = []results.NewTest{{Test: changed, Change: results.TestAltered}}
		return ids(Findings(&results.Results{Mutants: []results.Mutant{undo, guard, inner}}))
	}
	if got := found("m/p.TestF"); got != "a1" {
		t.Errorf("findings %q, want a1", got)
	}
	if got := found("m/p.TestFx"); got != "" {
		t.Errorf("findings %q, though an older test takes it: what comes after it may do the same", got)
	}
}

func TestOfLikeEditsComesFirstWhatOnlyTestsOfTheChangeRun(t *testing.T) {
	ran := func(by ...string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Evidence.By, m.Evidence.Tests = by, len(by)
			for _, test := range by {
				if test == "p.TestNew" {
					m.Evidence.ByChange = append(m.Evidence.ByChange, results.NewTest{Test: test, Change: results.TestAdded})
				}
			}
		}
	}
	r := &results.Results{Mutants: []results.Mutant{
		Survivor("a1", Function("p.F"), Line(3), ran("p.TestNew", "p.TestOld")), Survivor("b2", Function("p.F"), Line(5), ran("p.TestNew")),
	}}
	if f := Findings(r)[0]; f.Mutant.ID != "b2" || len(f.Also) != 1 {
		t.Errorf("%s comes first, with %d others", f.Mutant.ID, len(f.Also))
	}
}

func TestCallsWithinAProgramThatNoTestIsSeenToRunAreNoFinding(t *testing.T) {
	for _, tt := range []struct {
		program, inner bool
		want           int
	}{{true, true, 0}, {true, false, 1}, {false, true, 1}} {
		m := Survivor("a1", Exposed)
		m.ExposedBy.Driver, m.ExposedBy.Inner, m.Evidence.Program, m.Evidence.Unrun = true, tt.inner, tt.program, true
		r := &results.Results{Scope: []results.Function{{ID: m.Function, Reason: results.ReasonAdded}}, Mutants: []results.Mutant{m}}
		if list := Findings(r); len(list) != tt.want {
			t.Errorf("%+v: findings %s", tt, ids(list))
		}
	}
}

func TestTheSameLongEditOfTwinsIsOneFinding(t *testing.T) {
	edit := func(f, line, without string) results.Mutant {
		return Survivor("a"+f, Function("p."+f), func(m *results.Mutant) {
			m.Original, m.Replacement, m.Context, m.Verified = line, without, line, true
			m.EndOffset = m.Offset + len(line)
		})
	}
	r := &results.Results{Mutants: []results.Mutant{
		edit("F1", `return text, "", mayBreak | (1 << shift)`, `return text, "", mustBreak | (1 << shift)`),
		edit("G2", `return list, nil, mayBreak | (1 << shift)`, `return list, nil, mustBreak | (1 << shift)`),
		edit("H3", "return a, b", "return a, nil"),
		edit("I4", "return c, d", "return c, nil"),
	}}
	if list := Findings(r); len(list) != 3 || len(list[0].Also) != 1 {
		t.Errorf("findings %s", ids(list))
	}
}

func TestFunctionsThatOnlyReturnAConstantAreNoFinding(t *testing.T) {
	m := Survivor("a1", Function("p.F"), func(m *results.Mutant) { m.Context = `	return ".mz"` })
	r := &results.Results{Mutants: []results.Mutant{m}, Scope: []results.Function{{ID: "p.F", Reason: results.ReasonAdded, StartLine: 1, EndLine: 3}}}
	if list := Findings(r); len(list) != 0 {
		t.Errorf("findings %s", ids(list))
	}
	r.Scope[0].EndLine = 4
	if list := Findings(r); len(list) != 1 {
		t.Errorf("findings %s", ids(list))
	}
}

func TestEditsThatACallShowsAreOneRow(t *testing.T) {
	shows := func(call string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			Exposed(m)
			m.ExposedBy.Call, m.ExposedBy.Original, m.ExposedBy.Mutant = call, "true", "false"
		}
	}
	first, same, other := Survivor("a1", Line(5), shows("F(1)")), Survivor("a2", Line(5), shows("F(1)")), Survivor("a3", Line(5), shows("F(2)"))
	elsewhere, made := Survivor("a4", Line(6), shows("F(1)")), Survivor("a5", Line(6), shows("F(1)"))
	elsewhere.ExposedBy.Mutant, made.ExposedBy.Setup = "2", []string{"v := New()"}
	f := Finding{Mutant: &first, Also: []*results.Mutant{&same, &other, &elsewhere, &made}}.Distinct()
	if got := f.All(); len(got) != 3 || got[1] != &other || got[2] != &made {
		t.Errorf("%d rows are left", len(got))
	}
}

func TestAStatementLeftOutWithAllThatIsNewIsNoOtherEdit(t *testing.T) {
	whole, statement := Survivor("a1", Undoes("if a {\n\tf()\n}\n", "")), Survivor("a2")
	whole.Offset, whole.EndOffset, statement.Offset, statement.EndOffset = 10, 30, 15, 18
	statement.Category, statement.Original, statement.Replacement = results.CategoryRemoval, "f()", ""
	if f := (Finding{Mutant: &statement, Also: []*results.Mutant{&whole}}).Distinct(); len(f.Also) != 0 {
		t.Error("they are two rows")
	}
	Exposed(&statement)
	if f := (Finding{Mutant: &statement, Also: []*results.Mutant{&whole}}).Distinct(); len(f.Also) != 1 {
		t.Error("an input tells them apart, and they are one")
	}
}

func TestAPartOfWhatIsUndoneIsNoOtherEdit(t *testing.T) {
	whole, half := Survivor("a1", Undoes("a := copied(x)\nuse(a)\nb := copied(x)\n", "a := x\nuse(a)\nb := x\n")), Survivor("a2", Undoes("b := copied(x)\n", "b := x\n"))
	whole.Offset, whole.EndOffset, half.Offset, half.EndOffset = 10, 50, 30, 50
	for _, all := range [][]*results.Mutant{{&whole, &half}, {&half, &whole}} {
		if f := (Finding{Mutant: all[0], Also: all[1:]}).Distinct(); len(f.Also) != 0 {
			t.Errorf("%s and %s are two rows", all[0].ID, all[1].ID)
		}
	}
	Exposed(&half)
	if f := (Finding{Mutant: &whole, Also: []*results.Mutant{&half}}).Distinct(); len(f.Also) != 1 {
		t.Error("an input tells them apart, and they are one")
	}
}

func TestAStatementLeftOutWithItsCommentIsNoOtherEdit(t *testing.T) {
	whole, statement := Survivor("a1", Line(5)), Survivor("a2", Line(5))
	whole.Operator, whole.Category = "hunk-reversal", results.CategoryReversal
	whole.Original, whole.Replacement = "\ts.start() // once\n\treturn s.done\n", "\treturn s.done\n"
	whole.Context = strings.TrimSuffix(whole.Original, "\n")
	statement.Original, statement.Replacement, statement.Column = "s.start()", "if false { s.start() }", 2
	statement.Context = "\ts.start() // once"
	if f := (Finding{Mutant: &whole, Also: []*results.Mutant{&statement}}).Distinct(); len(f.Also) != 0 {
		t.Errorf("they are two rows: %q and %q", whole.Original, statement.Original)
	}
	statement.Original, statement.Replacement = "s.start() // once", "s.stop() // once"
	if f := (Finding{Mutant: &whole, Also: []*results.Mutant{&statement}}).Distinct(); len(f.Also) != 1 {
		t.Error("another call is no row of its own")
	}
}

func TestThatNoTestRunsWhatIsOnlyWrittenAnewIsNoFinding(t *testing.T) {
	driven := func(m *results.Mutant) {
		m.Evidence.Unrun, m.Stage, m.ExposedBy = true, results.Propagated, &results.ExposedBy{Call: "F(1)", Original: "1", Mutant: "2", Driver: true}
	}
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Reason: results.ReasonChanged}},
		Mutants: []results.Mutant{Survivor("a1", Function("p.F"), driven), Survivor("b2", Function("p.F"), Undone, NotReached, FuzzedWith(agreed))},
	}
	if found := Findings(r); len(found) != 0 {
		t.Errorf("%d findings, such as %s", len(found), found[0].Mutant.ID)
	}
	r.Mutants[1].Evidence.Agreed--
	if found := Findings(r); len(found) != 0 {
		t.Errorf("%d findings where too few inputs agree to say so, and none tells", len(found))
	}
	r.Mutants[1].Evidence.Agreed = fuzzed - 1
	if found := Findings(r); len(found) != 1 || found[0].Kind != NotRun {
		t.Errorf("%d findings where few inputs agree", len(found))
	}
}

func TestWhatAChangePutsIntoAFunctionOfItsOwnIsNoFindingWhereOldAndNewAgree(t *testing.T) {
	for name, tt := range map[string]struct {
		helper results.Function
		call   string
		agree  int64
		want   int
	}{
		"put into a function":        {results.Function{Package: "p", Name: "step", Reason: results.ReasonAdded}, "x = step(x)", agreed, 0},
		"few inputs agree":           {results.Function{Package: "p", Name: "step", Reason: results.ReasonAdded}, "x = step(x)", agreed - 1, 1},
		"another one is called":      {results.Function{Package: "p", Name: "step", Reason: results.ReasonAdded}, "x = sidestep(x)", agreed, 1},
		"others can call it":         {results.Function{Package: "p", Name: "Step", Reason: results.ReasonAdded}, "x = Step(x)", agreed, 1},
		"it was there before":        {results.Function{Package: "p", Name: "step", Reason: results.ReasonChanged}, "x = step(x)", agreed, 1},
		"it is of another package":   {results.Function{Package: "q", Name: "step", Reason: results.ReasonAdded}, "x = step(x)", agreed, 1},
		"it is a method of the type": {results.Function{Package: "p", Name: "T.step", Reason: results.ReasonAdded}, "x = t.step(x)", agreed, 0},
	} {
		tt.helper.ID = tt.helper.Package + "." + tt.helper.Name
		r := &results.Results{
			Scope:   []results.Function{{ID: "p.F", Package: "p", Name: "F", Reason: results.ReasonChanged}, tt.helper},
			Mutants: []results.Mutant{Survivor("a1", Function("p.F"), Undoes(tt.call+"\n", "x += 2\n"), NotReached, FuzzedWith(tt.agree)), Survivor("b2", Function(tt.helper.ID), Removal)},
		}
		found := slices.DeleteFunc(Findings(r), func(f Finding) bool { return f.Mutant.Function != tt.helper.ID })
		if len(found) != tt.want {
			t.Errorf("%s: %d findings, want %d", name, len(found), tt.want)
		}
	}
}

func TestLeavingOutAllOfABranchIsOneRowWithItsCondition(t *testing.T) {
	condition, statement := Survivor("a1", Line(5)), Survivor("a2", Line(6))
	condition.Original, condition.Replacement, condition.EndOffset, condition.Evidence.BranchEnd, condition.Evidence.Branch = "n > max", "n > max && false", 20, 60, "\t\tn = max"
	statement.Original, statement.Replacement, statement.Offset, statement.EndOffset = "n = max", "if false { n = max }", 30, 37
	for _, all := range [][]*results.Mutant{{&condition, &statement}, {&statement, &condition}} {
		if f := (Finding{Mutant: all[0], Also: all[1:]}).Distinct(); len(f.Also) != 0 {
			t.Errorf("%s and %s are two rows", all[0].ID, all[1].ID)
		}
	}
	statement.Replacement = "n = 0"
	if f := (Finding{Mutant: &condition, Also: []*results.Mutant{&statement}}).Distinct(); len(f.Also) != 1 {
		t.Error("another value is no row of its own")
	}
}

func TestWhatNoTestRunsIsNotSaidAgainBesideAChangeOfBehaviour(t *testing.T) {
	driven := func(m *results.Mutant) {
		m.Evidence.Unrun, m.Stage, m.ExposedBy = true, results.Propagated, &results.ExposedBy{Call: "F(1)", Original: "1", Mutant: "2", Driver: true}
	}
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Reason: results.ReasonChanged}, {ID: "p.G", Reason: results.ReasonChanged}},
		Mutants: []results.Mutant{Survivor("a1", Function("p.F"), Undone, driven), Survivor("b2", Function("p.F"), driven), Survivor("c3", Function("p.G"), driven)},
	}
	if got := ids(Findings(r)); got != "a1 c3" {
		t.Errorf("findings %s", got)
	}
}

func TestEditsAlikeToThoseOfFindingsAreNotListed(t *testing.T) {
	added, statement := Survivor("a1", Line(7), Undoes("\tn++\n", "")), Survivor("a2", Line(7))
	added.Context = "\tn++"
	statement.Original, statement.Replacement, statement.Context, statement.Column = "n++", "if false { n++ }", "\tn++", 2
	added.Function, statement.Function, statement.Operator = "p.F", "p.F", "relational" // it gets no entry
	r := &results.Results{Mutants: []results.Mutant{added, statement}}
	if s := Select(r, nil, 0); len(s.Open) != 1 || len(s.Folded) != 0 {
		t.Errorf("%d findings, and %d edits besides", len(s.Open), len(s.Folded))
	}
	r.Mutants[1].Replacement = "n--"
	if s := Select(r, nil, 0); len(s.Folded) != 1 {
		t.Errorf("%d other edits are listed, want 1", len(s.Folded))
	}
}

func TestEditsThatDifferInLayoutAloneAreTheSame(t *testing.T) {
	undo := func(id, name, other string) results.Mutant {
		m := Survivor(id, Function("p."+name), Undone)
		m.Original = "\t\tEnvironment: o.Environment,\n\t\tPrefix:      " + other + ",\n\t\tOnlyForZero: o.OnlyForZero,\n"
		m.Replacement = "\t\tEnvironment: o.Environment,\n\t\tPrefix: " + other + ",\n"
		m.Context = ""
		return m
	}
	a, b := undo("a1", "F", "o.Prefix"), undo("b2", "G", "o.Prefix + name")
	if editKey(&a) != editKey(&b) {
		t.Errorf("%q, %q", editKey(&a), editKey(&b))
	}
	c := undo("c3", "H", "o.Prefix")
	c.Replacement = "\t\tEnvironment: nil,\n\t\tPrefix: o.Prefix,\n"
	if editKey(&a) == editKey(&c) {
		t.Error("another line is undone, too")
	}
}

func TestTheSameGuardIsOneEditWhateverItReturnsAndWhoseFieldItLooksAt(t *testing.T) {
	leftOut := func(condition, branch string) string {
		m := Survivor("a1")
		m.Original, m.Replacement, m.Context, m.Evidence.Branch = condition, condition+" && false", "\tif "+condition+" {", branch
		return editKey(&m)
	}
	undoing := func(added string) string {
		m := Survivor("b2", Undone)
		m.Original, m.Replacement, m.Context = added+"\tx := 1\n", "\tx := 1\n", ""
		return editKey(&m)
	}
	want := leftOut("n.obj == nil", "return ErrX")
	for name, got := range map[string]string{
		"another receiver":            leftOut("d.obj == nil", "return nil, ErrX"),
		"undone with the whole of it": undoing("\n\tif d.obj == nil {\n\t\treturn nil, ErrX\n\t}\n\n"),
	} {
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for name, got := range map[string]string{
		"another field":    leftOut("n.keys == nil", "return ErrX"),
		"another value":    leftOut("n.obj == m.obj", "return ErrX"),
		"more than that":   undoing("\tif d.obj == nil {\n\t\tn++\n\t\treturn nil, ErrX\n\t}\n"),
		"no branch at all": undoing("\tn++\n"),
	} {
		if got == want {
			t.Errorf("%s: the same edit", name)
		}
	}
}

func TestLinesThatAChangeMovesAreNoFinding(t *testing.T) {
	const check, rest = "if n > 3 {\n\tg(n)\n}\n", "if on {\n\tf()\n}\n"
	at := func(offset, end int, m *results.Mutant) { m.Offset, m.EndOffset = offset, end }
	part := Survivor("a1", Undoes(check, ""), func(m *results.Mutant) { at(100, 140, m) })
	whole := Survivor("b2", Undoes(check+rest, rest+check), Status(results.Killed, results.Revealed), func(m *results.Mutant) { at(100, 180, m) })
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{part, whole}})); got != "" {
		t.Errorf("findings %q", got)
	}
	other := Survivor("b2", Undoes(check+rest, rest), Status(results.Killed, results.Revealed), func(m *results.Mutant) { at(100, 180, m) })
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{part, other}})); got != "a1" {
		t.Errorf("findings %q, want a1: the base has no such check", got)
	}
}

func TestErrorsThatAChangePassesOnAreNoFindingIfNoTestBringsThemAbout(t *testing.T) {
	for _, tt := range []struct{ added, old, want string }{
		{"if err := f(); err != nil {\n\treturn err\n}\ng()\n", "f()\ng() // as it was\n", ""},
		{"_, err := f()\nif err != nil {\n\treturn err\n}\n", "_ = f()\n", ""},
		{"if err := f(); err != nil {\n\treturn err\n}\ng()\n", "f()\n", "a1"},
	} {
		undo, other := Survivor("a1", Undoes(tt.added, tt.old)), Survivor("b2", Status(results.Killed, results.Revealed))
		if got := ids(Findings(&results.Results{Mutants: []results.Mutant{undo, other}})); got != tt.want {
			t.Errorf("findings %q, want %q, where this is in the place of %q:\n%s", got, tt.want, tt.old, tt.added)
		}
	}
	for added, want := range map[string]string{
		"if err != nil {\n\treturn nil, err\n}\n":                 "",
		"if err := f(); err != nil {\n\treturn wrapped(err)\n}\n": "",
		"if err != nil {\n\tlog(err)\n\treturn nil, err\n}\n":     "a1",
		"if n != 0 {\n\treturn nil, err\n}\n":                     "a1",
	} {
		undo, other := Survivor("a1", Undoes(added, "")), Survivor("b2", Status(results.Killed, results.Revealed))
		if got := ids(Findings(&results.Results{Mutants: []results.Mutant{undo, other}})); got != want {
			t.Errorf("findings %q, want %q, where this is added:\n%s", got, want, added)
		}
	}
}

func TestTheSignOfAZeroIsNoFinding(t *testing.T) {
	for _, tt := range []struct{ original, mutant, want string }{
		{"[]float64{0, -0}, nil", "[]float64{0, 0}, nil", ""}, {"-0", "0", ""}, {"-0.5", "0.5", "a1"}, {"-01", "01", "a1"}, {"0", "1", "a1"},
	} {
		m := Survivor("a1", Exposed)
		m.ExposedBy.Original, m.ExposedBy.Mutant = tt.original, tt.mutant
		if got := ids(Findings(&results.Results{Mutants: []results.Mutant{m}})); got != tt.want {
			t.Errorf("%s and %s: findings %q, want %q", tt.original, tt.mutant, got, tt.want)
		}
	}
}

func TestAPartOfTheChangeThatNothingRunsIsToldOnce(t *testing.T) {
	part := Survivor("a1", Undoes("\tif n > 3 {\n\t\tf()\n\t}\n", ""), Exposed, func(m *results.Mutant) {
		m.ExposedBy, m.Offset, m.EndOffset = &results.ExposedBy{Driver: true}, 100, 200
	})
	line := Survivor("b2", NotReached, func(m *results.Mutant) { m.Line, m.Offset, m.EndOffset = 2, 120, 123 })
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{part}})); got != "a1" {
		t.Errorf("findings %q, want a1", got)
	}
	r := &results.Results{Scope: []results.Function{{ID: line.Function, Reason: results.ReasonAdded}}, Mutants: []results.Mutant{part, line}}
	if got := ids(Findings(r)); got != "b2" {
		t.Errorf("findings %q, want b2", got)
	}
}

func TestAConditionWithFewerOperandsOrOthersTogetherIsAFinding(t *testing.T) {
	for _, tt := range []struct{ now, old, want string }{
		{"if a {\n", "if a && !b {\n", "a1"},
		{"if a && b || c {\n", "if a && (b || c) {\n", "a1"},
		{"if a && d {\n", "if a && b {\n", ""},
		{"if is(a, b) {\n", "if a == b {\n", ""},
		{"\ta()\n", "\ta()\n\tb()\n", ""},
	} {
		undo, other := Survivor("a1", Undoes(tt.now, tt.old)), Survivor("b2", Status(results.Killed, results.Revealed))
		if got := ids(Findings(&results.Results{Mutants: []results.Mutant{undo, other}})); got != tt.want {
			t.Errorf("findings %q, want %q, for %q in the place of %q", got, tt.want, tt.now, tt.old)
		}
	}
}

func TestThatNothingRunsAFunctionOfOneStatementIsNoFinding(t *testing.T) {
	for name, tt := range map[string]struct {
		function results.Function
		want     int
	}{
		"of one statement":           {results.Function{StartLine: 7, EndLine: 9}, 0},
		"of several":                 {results.Function{StartLine: 7, EndLine: 11}, 1},
		"which gives a function":     {results.Function{StartLine: 7, EndLine: 11, Unrun: []results.Code{{StartLine: 8, EndLine: 10, Source: "\treturn func(o *options) {\n\t\to.n = 3\n\t}"}}}, 0},
		"which nothing calls either": {results.Function{StartLine: 7, EndLine: 9, Uncalled: true}, 1},
	} {
		tt.function.ID, tt.function.File, tt.function.Reason = "p.F", "f.go", results.ReasonAdded
		r := &results.Results{Scope: []results.Function{tt.function}, Mutants: []results.Mutant{Survivor("a1", Function("p.F"), NotReached)}}
		if found := Findings(r); len(found) != tt.want {
			t.Errorf("%s: %d findings", name, len(found))
		}
	}
}

func TestACallWithinThePackageThatIsGivenNothingIsNoChangeOfBehaviour(t *testing.T) {
	for call, want := range map[string]int{`root("", "")`: 0, `root("", nil)`: 0, `root("a", "")`: 1} {
		m := Survivor("a1", Undone, Exposed)
		m.ExposedBy.Driver, m.ExposedBy.Inner, m.ExposedBy.Call = true, true, call
		if found := Findings(&results.Results{Mutants: []results.Mutant{m}}); len(found) != want {
			t.Errorf("%s: %d findings", call, len(found))
		}
	}
}

func TestACheckForEmptinessAroundWhatWasThereIsNoFinding(t *testing.T) {
	for head, want := range map[string]int{
		"if cap(r.list) > 0 {\n\tr.reset()\n}\n":  0,
		"if len(r.list) != 0 {\n\tr.reset()\n}\n": 0,
		"if len(r.list) > 1 {\n\tr.reset()\n}\n":  1,
		"if r.list != nil {\n\tr.reset()\n}\n":    1,
	} {
		r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Undoes(head, "r.reset()\n"))}}
		if found := Findings(r); len(found) != want {
			t.Errorf("%s: %d findings", head, len(found))
		}
	}
}

func TestAGuardThatOnlyPanicsIsNoNewsWithoutAnInput(t *testing.T) {
	for branch, shown := range map[string]int{
		"\t\tpanic(\"negative index\")": 0,
		"\t\treturn nil":                1,
		"\t\tn = 0\n\t\tpanic(\"no\")":  1,
	} {
		r := &results.Results{Mutants: []results.Mutant{
			Survivor("b1", Operator("branch-removal"), func(m *results.Mutant) { m.Evidence.Branch = branch }),
		}}
		if got := Findings(r); len(got) != shown {
			t.Errorf("%q: %d findings", branch, len(got))
		}
	}
}

func TestNorIsAPartOfSuchAGuard(t *testing.T) {
	for branch, shown := range map[string]int{"\t\tpanic(\"negative index\")": 0, "\t\treturn nil": 1} {
		guard := Survivor("b1", Operator("branch-removal"), func(m *results.Mutant) {
			m.Status, m.Offset, m.EndOffset, m.Evidence.Branch = results.Killed, 100, 120, branch
		})
		part := Survivor("b2", Operator("logical"), func(m *results.Mutant) { m.Offset, m.EndOffset = 100, 120 })
		if got := Findings(&results.Results{Mutants: []results.Mutant{guard, part}}); len(got) != shown {
			t.Errorf("%q: %d findings", branch, len(got))
		}
	}
}

func TestTheSameCallLeftOutOnVariablesOfOtherNamesIsOneFinding(t *testing.T) {
	drop := func(call string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Operator, m.Category, m.Original = "statement-deletion", results.CategoryRemoval, call
			m.Replacement = "if false { " + call + " }"
		}
	}
	r := &results.Results{Mutants: []results.Mutant{
		Survivor("a1", drop("rule.Start(set.start)")), Survivor("a2", drop("except.Start(set.start)")), Survivor("a3", drop("except.Stop(set.start)")),
	}}
	var groups []string
	for _, f := range Findings(r) {
		groups = append(groups, ids([]Finding{f})+" "+ids(findingsOf(f.Also)))
	}
	if got := strings.Join(groups, ", "); got != "a1 a2, a3 " {
		t.Errorf("findings %s", got)
	}
}

// findingsOf returns a finding about each mutant.
func findingsOf(list []*results.Mutant) (all []Finding) {
	for _, m := range list {
		all = append(all, Finding{Mutant: m})
	}
	return all
}

func TestAPartThatDoesNotStandAloneIsNoGapWithoutAnInput(t *testing.T) {
	undo := func(added string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			Undone(m)
			m.Stage, m.Original, m.Replacement = results.Reached, "return ErrDone[*P]{nil}", "return ErrDone"
			m.Needs = &results.Needs{Added: []results.Addition{{Text: added}}}
		}
	}
	for added, want := range map[string]int{"\nvar ErrDone = errors.New(\"done\")\n": 0, "\nvar wrap func(error) error\nwrap = func(err error) error {\n\treturn err\n}\n": 0, ";import \"errors\"": 1} {
		r := &results.Results{Mutants: []results.Mutant{Survivor("a1", undo(added), func(m *results.Mutant) { m.Original, m.Replacement = "if a && b {", "if a {" })}}
		if got := Findings(r); len(got) != want {
			t.Errorf("with %q: %d findings", added, len(got))
		}
	}
}

func TestThatSomethingIsNotClosedIsNoNews(t *testing.T) {
	for statement, shown := range map[string]int{
		"_ = f.Close()":        0,
		"defer r.body.Close()": 0,
		"defer func() {\n\t\tif reader != nil {\n\t\t\treader.Close()\n\t\t}\n\t}()": 0,
		"w.CloseNow()":               1,
		"w.Close(errors.New(\"x\"))": 1,
	} {
		r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Operator("statement-deletion"), func(m *results.Mutant) {
			m.Original, m.Replacement = statement, "if false { "+statement+" }"
		})}}
		if got := Findings(r); len(got) != shown {
			t.Errorf("%q: %d findings", statement, len(got))
		}
	}
}

func TestAFindingBeginsWithAnEditThatAnInputShows(t *testing.T) {
	inner := func(m *results.Mutant) { m.ExposedBy.Driver, m.ExposedBy.Inner = true, true }
	plain, shown := Survivor("a1", Function("p.F")), Survivor("b2", Function("p.F"), Exposed, inner)
	for _, tt := range []struct {
		name    string
		mutants []results.Mutant
		want    string
	}{
		{"of its function", []results.Mutant{plain, shown}, "b2 a1"},
		{"which may be the first", []results.Mutant{plain, Survivor("b2", Function("p.F"), Exposed, inner, Unverified)}, "a1 b2"},
		{"of another one", []results.Mutant{plain, Survivor("b2", Function("p.G"), Exposed, inner)}, "a1"},
	} {
		r := &results.Results{Mutants: tt.mutants}
		var got []string
		for _, m := range Findings(r)[0].All() {
			got = append(got, m.ID)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
	}
}

func TestWhatIsToldFromAPanicAlone(t *testing.T) {
	for branch, want := range map[string]bool{
		"\tpanic(\"no )\")\n": true,
		"\t// this cannot happen\n\tpanic(fmt.Errorf(\"%v has no %v\",\n\t\tt(), field))\n": true,
		"\tpanic(err)\n\tlog()\n": false,
		"\tx := 1\n\tpanic(x)\n":  false,
		"\treturn panics(err)\n":  false,
		"":                        false,
	} {
		if got := onlyPanics(branch); got != want {
			t.Errorf("%q: %t", branch, got)
		}
	}
}

func TestWhatTestsOfThePackageThatDidNotRunMayNoticeIsNoFinding(t *testing.T) {
	for reason, shown := range map[string]int{"": 1, "tests of its package did not run in time: TestSlow": 0} {
		r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Function("p.F"), Exposed, func(m *results.Mutant) { m.Reason = reason })}}
		if got := Findings(r); len(got) != shown {
			t.Errorf("%q: %d findings", reason, len(got))
		}
	}
}

func TestThatAnotherConstantIsReturnedIsNoNews(t *testing.T) {
	for now, shown := range map[string]int{"return \"1.22.0\"": 0, "return version + \"-beta\"": 1} {
		m := Survivor("a1", Function("p.Version"), Operator("hunk-reversal"), Exposed, func(m *results.Mutant) {
			m.Category, m.Original, m.Replacement, m.Context = results.CategoryReversal, "\t"+now+"\n", "\treturn \"1.20.7\"\n", "\t"+now+"\n}"
		})
		r := &results.Results{Mutants: []results.Mutant{m}, Scope: []results.Function{{ID: "p.Version", StartLine: 1, EndLine: 3}}}
		if got := Findings(r); len(got) != shown {
			t.Errorf("%q: %d findings", now, len(got))
		}
	}
}

func TestThatANewPanicCanBeLeftOutIsNoNews(t *testing.T) {
	for added, shown := range map[string]int{
		"\tif i == 0 {\n\t\tpanic(\"no index\")\n\t}\n":                    0,
		"\tif i == 0 {\n\t\treturn errors.New(\"no index\")\n\t}\n":        1,
		"\tif i == 0 {\n\t\tpanic(\"no index\")\n\t}\n\tnote(i)\n":         1,
		"\tif i == 0 {\n\t\ti = 1\n\t} else {\n\t\tpanic(\"none\")\n\t}\n": 1,
	} {
		r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Operator("hunk-reversal"), func(m *results.Mutant) {
			m.Category, m.Stage = results.CategoryReversal, results.Reached
			m.Original, m.Replacement = added+"\t// more\n", "\t// more\n"
		})}}
		if got := Findings(r); len(got) != shown {
			t.Errorf("%q: %d findings", added, len(got))
		}
	}
}

func TestAPartOfTheChangeThatWritesSeveralLinesAnewIsNoFindingWithoutAnInput(t *testing.T) {
	for name, tt := range map[string]struct {
		head, base string
		want       int
	}{
		"several lines":       {"return d.loaded\n", "done := make(chan bool)\ngo wait(done)\nreturn done\n", 0},
		"one line":            {"x := f(a)\n", "x := g(a)\n", 1},
		"lines that are new":  {"f()\ng()\nh()\n", "h()\n", 1},
		"most lines are new":  {"f()\ng()\nh()\n", "i()\n", 1},
		"lines that are gone": {"", "if !valid(x) {\n\treturn errInvalid\n}\n", 1},

		"a call for a comparison":     {"if s != nil && !p.Hash.IsZero() {\n", "if s != nil && p.Hash != zeroHash {\n", 0},
		"a comparison for a call":     {"return len(list) == 0\n", "return isEmpty(list)\n", 0},
		"a call for two comparisons":  {"if between(x, a, b) {\n", "if a <= x && x <= b {\n", 1},
		"a comparison with a call":    {"if x < limit(a) {\n", "if x < most {\n", 1},
		"a call for another question": {"if isOpen(f) {\n", "if n > 0 {\n", 1},
	} {
		m := Survivor("a1", Undoes(tt.head, tt.base), func(m *results.Mutant) { m.Stage = results.Infected })
		if got := len(Findings(&results.Results{Mutants: []results.Mutant{m}})); got != tt.want {
			t.Errorf("%s: %d findings, want %d", name, got, tt.want)
		}
	}
}

func TestThatAPartOfTheChangeClosesSomethingIsNoNews(t *testing.T) {
	for _, tt := range []struct {
		now, before string
		shown       int
	}{
		{"\tdefer resp.Body.Close()\n", "", 0},
		{"\tdefer resp.Body.Close()\n\tc.seen(resp)\n", "", 1},
		{"\tdefer func() { _ = s.Close() }()\n", "\tdefer s.Close()\n", 0},
		{"\tdefer s.Close()\n", "\ts.retry()\n", 1},
	} {
		r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Undoes(tt.now, tt.before), Status(results.Survived, results.Infected))}}
		if got := len(Findings(r)); got != tt.shown {
			t.Errorf("%q in place of %q: %d findings, want %d", tt.now, tt.before, got, tt.shown)
		}
	}
}

func TestAConditionThatHoldsInNoTestIsToldAsAWholeBeforeItsParts(t *testing.T) {
	part := Survivor("a1", Function("p.F"), Writes("a || b", "a && b"), func(m *results.Mutant) {
		m.Operator, m.Stage, m.Context = "logical", results.Reached, "\tif a || b || c {"
		m.Offset, m.EndOffset = 10, 16
	})
	whole := Survivor("b2", Function("p.F"), Writes("a || b || c", "(a || b || c) && false"), func(m *results.Mutant) {
		m.Operator, m.Stage, m.Context, m.Evidence.Same = "early-return", results.Reached, "\tif a || b || c {", true
		m.Offset, m.EndOffset = 10, 21
	})
	found := Findings(&results.Results{Mutants: []results.Mutant{part, whole}})
	if len(found) != 1 || found[0].Mutant.ID != "b2" || len(found[0].Distinct().Also) != 0 {
		t.Errorf("got %s", ids(found))
	}
	part.Stage = results.Infected // in some test, a and b differ
	if toldWith(&whole, &part) {
		t.Error("a part that makes a difference is told with the whole")
	}
}

func TestWhatOnlyACallWithinThePackageShowsAndManyOfCallersDoNotIsNoFinding(t *testing.T) {
	inner := func(m *results.Mutant) {
		Exposed(m)
		m.ExposedBy.Driver, m.ExposedBy.Inner, m.ExposedBy.Call = true, true, "" // no call that a person can read
	}
	callers := func(n int64) func(*results.Mutant) {
		return func(m *results.Mutant) { m.Evidence.Driven, m.Evidence.ByCallers = 2*fuzzed, n }
	}
	never := func(m *results.Mutant) {
		m.Evidence.Same, m.Original, m.Replacement, m.Context = true, "ok", "ok && false", "\tif ok {"
	}
	for _, tt := range []struct {
		fact string
		m    results.Mutant
		want int
	}{
		{"few inputs of callers", Survivor("a1", inner, callers(fuzzed-1)), 1},
		{"many", Survivor("a1", inner, callers(fuzzed)), 0},
		{"many, but no test has the condition true", Survivor("a1", inner, callers(fuzzed), never), 1},
	} {
		if got := len(Findings(&results.Results{Mutants: []results.Mutant{tt.m}})); got != tt.want {
			t.Errorf("%s: %d findings, want %d", tt.fact, got, tt.want)
		}
	}
}

func TestGapsOfAFunctionThatGivesWhatItGaveAreOlder(t *testing.T) {
	for n, want := range map[int64]string{agreed: "", agreed - 1: "b2"} {
		r := &results.Results{Mutants: []results.Mutant{
			Survivor("a1", Undoes("if a {\n", "if b {\n"), Function("p.F"), FuzzedWith(n), Between(0, 9)), Survivor("b2", Function("p.F"), Operator("loop-iterations"), Between(20, 29), func(m *results.Mutant) { m.Evidence.Tests = 1 }),
		}}
		if got := ids(Findings(r)); got != want {
			t.Errorf("where %d inputs agree: %q, want %q", n, got, want)
		}
	}
}

func TestHashesMayBeAny(t *testing.T) {
	for _, tt := range []struct {
		function, original, mutant string
		found                      bool
	}{
		{"p.requestHash", "17163932163137244608", "16600787303427770885", false}, {"p.CRC", "-1716393216313724", "1716393216313724", false},
		{"p.Parse", "9223372036854775807", "-9223372036854775808", true},
		{"p.hash", "17163932163137244608", "0", true}, {"p.hash", "1024", "2048", true}, {"p.hash", `"17163932163137244608"`, `"16600787303427770885"`, true},
	} {
		m := Survivor("a1", Exposed, Function(tt.function))
		m.ExposedBy.Original, m.ExposedBy.Mutant = tt.original, tt.mutant
		if got := len(Findings(&results.Results{Mutants: []results.Mutant{m}})) > 0; got != tt.found {
			t.Errorf("%s: %s and %s: found: %v", tt.function, tt.original, tt.mutant, got)
		}
	}
}

func TestAFunctionThatOnlyReturnsConstantsHasNoFinding(t *testing.T) {
	for _, constant := range []bool{false, true} {
		r := &results.Results{
			Scope: []results.Function{{ID: "p.F", Reason: results.ReasonChanged, StartLine: 1, EndLine: 20, Constant: constant}},
			Mutants: []results.Mutant{
				Survivor("a1", Function("p.F"), Undoes("English,\nDanish,", "English,"), Exposed),
				Survivor("b2", Function("p.F"), NotReached),
			},
		}
		if found := Findings(r); (len(found) == 0) != constant {
			t.Errorf("constant: %t, findings: %v", constant, found)
		}
	}
}

func TestAnEditThatTakesManyLinesIsNotShownUnlessItUndoesTheChange(t *testing.T) {
	closures := func(first, second string) string {
		lines := strings.Repeat("\n\twork()", 10)
		return first + lines + "\n}, " + second + lines + "\n}"
	}
	m := Survivor("a1")
	m.Original, m.Replacement, m.Context = closures("func(a int) {", "func(b int) {"+strings.Repeat("\n\tmore()", 12)), closures("func(b int) {"+strings.Repeat("\n\tmore()", 12), "func(a int) {"), ""
	m.Operator = "return-value"
	if found := Findings(Push(m)); len(found) != 0 {
		t.Errorf("shown: %v", found)
	}
	m.Category, m.Stage = results.CategoryReversal, results.Infected
	m.Replacement = closures("func(a int) {", "func(b int) {") // undoes a change that only added lines
	if found := Findings(Push(m)); len(found) != 1 {
		t.Errorf("a part of the change undone is not shown: %v", found)
	}
}

func TestAFailureThatATargetReportsKeepsItsKeyWhateverItQuotes(t *testing.T) {
	key := func(kind, message string) string {
		return crashKey(&results.Crash{Harness: "p.FuzzF", Kind: kind, Message: message})
	}
	if key(results.CrashFailure, `got "a"`) != key(results.CrashFailure, `got "b"`) {
		t.Error("the key of a failure depends on its message")
	}
	if key(results.CrashPanic, "index out of range") == key(results.CrashPanic, "nil pointer") {
		t.Error("the key of a panic does not depend on its message")
	}
}

func TestAFixWithoutWhichACallFailsIsToldInsteadOfLinesThatNothingRuns(t *testing.T) {
	ends := func(m *results.Mutant) {
		m.ExposedBy, m.Evidence.Whole, m.Evidence.Unrun = &results.ExposedBy{Driver: true, Inner: true, Ends: "panic"}, true, true
		m.Stage = results.Propagated
	}
	fix := Survivor("a1", Function("p.F"), Undoes("if x == nil {\n\treturn\n}\n", ""), Between(100, 200), ends)
	within := Survivor("b2", Function("p.F"), NotReached, Between(120, 130))
	r := &results.Results{
		Revisions: results.Revisions{Fixes: true}, Mutants: []results.Mutant{fix, within},
		Scope: []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonChanged}},
	}
	found := Findings(r)
	if len(found) != 1 || found[0].Mutant.ID != "a1" || !found[0].Fix {
		t.Fatalf("findings %s", ids(found))
	}
	if !found[0].evident() {
		t.Error("it is not evident")
	}
	r.Revisions.Fixes = false
	if found := Findings(r); slices.ContainsFunc(found, func(f Finding) bool { return f.Fix }) {
		t.Errorf("no fix: findings %s", ids(found))
	}
}

func TestAnEditThatRefusesWhatIsAcceptedIsWorthMoreThanAnotherValue(t *testing.T) {
	edge := func(errors string) results.Mutant {
		return Survivor("a1", Operator("relational"), Exposed, func(m *results.Mutant) {
			m.Evidence.Tests, m.ExposedBy.Inner, m.ExposedBy.Driver, m.ExposedBy.Errors = 1, true, true, errors
		})
	}
	for errors, want := range map[string]string{"": "", results.ErrorInMutant: "a1", results.ErrorInBoth: ""} {
		m := edge(errors)
		if got := ids(Findings(&results.Results{Mutants: []results.Mutant{m}})); got != want {
			t.Errorf("errors %q: findings %s, want %s", errors, got, want)
		}
	}
}

func TestManyTestsOfOtherPackagesThatPassOutweighThoseThatCouldNotRun(t *testing.T) {
	for n, want := range map[int]string{manyOfOthers - 1: "", manyOfOthers: "a1"} {
		m := Survivor("a1", Function("p.F"), Because("tests of packages that depend on this one do not build: q"), func(m *results.Mutant) {
			m.Evidence.OwnOnly, m.Evidence.Tests, m.Evidence.By = true, n, []string{"q.TestF"}
		})
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F", Package: "p", Reason: results.ReasonChanged}}, Mutants: []results.Mutant{m}}
		if got := ids(Findings(r)); got != want {
			t.Errorf("%d tests: findings %s, want %s", n, got, want)
		}
	}
}

func TestTestsBesideThoseOfTheChangeCountAsThoseOfThePackage(t *testing.T) {
	for test, want := range map[string]string{"q.TestNew": "a1", "s.TestNew": ""} {
		m := Survivor("a1", Function("p.F"), Because("not all tests of packages that depend on this one ran in time"), func(m *results.Mutant) {
			m.Evidence.OwnOnly, m.Evidence.Tests, m.Evidence.By = true, 1, []string{"q.TestF"}
		})
		noticed := Survivor("b2", Function("p.F"), Status(results.Killed, results.Revealed), func(m *results.Mutant) {
			m.Evidence.ByChange = []results.NewTest{{Test: test, Change: results.TestAdded}}
		})
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F", Package: "p", Reason: results.ReasonChanged}}, Mutants: []results.Mutant{m, noticed}}
		if got := ids(Findings(r)); got != want {
			t.Errorf("%s: findings %s, want %s", test, got, want)
		}
	}
}

func TestAChangeThatItsOwnTestsPassWithoutIsAFinding(t *testing.T) {
	added := []results.NewTest{{Test: "p.TestNew", Change: results.TestAdded}}
	for name, tt := range map[string]struct {
		change func(*results.Mutant)
		want   string
	}{
		"its tests run it":          {func(*results.Mutant) {}, "a1"},
		"they do not":               {func(m *results.Mutant) { m.Evidence.ByChange = nil }, ""},
		"of a part of it":           {func(m *results.Mutant) { m.Evidence.Whole = false }, ""},
		"many inputs give the same": {func(m *results.Mutant) { m.Evidence.Execs = fuzzed }, ""},
	} {
		m := Survivor("a1", Function("p.F"), Undoes("return b(x)\n", "return c(x)\n"), func(m *results.Mutant) {
			m.Evidence.Whole, m.Evidence.Tests, m.Evidence.By, m.Evidence.ByChange = true, 1, []string{"p.TestNew"}, added
		})
		tt.change(&m)
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F", Package: "p", Reason: results.ReasonChanged}}, Mutants: []results.Mutant{m}, NewTests: added}
		if got := ids(Findings(r)); got != tt.want {
			t.Errorf("%s: findings %q, want %q", name, got, tt.want)
		}
	}
}

func TestACallOfAMethodThatOnlyItsPackageHasSaysLessThanAStatementLeftOut(t *testing.T) {
	for method, want := range map[string]string{"example.com/p.ranges.Len": "b2", "example.com/p.Ranges.Len": "a1"} {
		r := &results.Results{Mutants: []results.Mutant{
			Survivor("a1", Function(method), Operator("return-value"), func(m *results.Mutant) {
				m.Stage, m.ExposedBy = results.Propagated, &results.ExposedBy{Call: "r.Len()", Original: "1", Mutant: "0", InTest: true}
			}),
			Survivor("b2", Function("example.com/p.Sorted"), Operator("statement-deletion"), Line(20), Between(200, 210), func(m *results.Mutant) { m.Stage = results.Reached }),
		}}
		var shown []string
		for _, f := range Select(r, nil, 0).Open {
			shown = append(shown, f.Mutant.ID)
		}
		if got := strings.Join(shown, " "); got != want {
			t.Errorf("%s: findings %q, want %q", method, got, want)
		}
	}
}

func TestABranchThatNoTestTakesComesBeforeOneThatComesToTheSame(t *testing.T) {
	shown := func(id string, line int) results.Mutant {
		return Survivor(id, Function("p.F"), Operator("early-return"), Exposed, func(m *results.Mutant) {
			m.Line, m.Evidence.Tests, m.ExposedBy.Driver, m.ExposedBy.Inner = line, 1, true, true
		})
	}
	same, untaken := shown("a1", 101), shown("b2", 102)
	untaken.Evidence.Never = &results.Code{StartLine: 103, EndLine: 103}
	if got := Findings(&results.Results{Mutants: []results.Mutant{same, untaken}}); len(got) != 1 || got[0].Mutant.ID != "b2" {
		t.Errorf("findings %s", ids(got))
	}
}

func TestCodeThatTestsOfTheChangeHaveNotRunYetIsNotSaidToBeUnrun(t *testing.T) {
	awaits := func(m *results.Mutant) {
		m.Reason, m.Evidence.Awaits, m.Evidence.Beside = "not all tests of packages that depend on this one ran in time: q", true, true
	}
	ran := Survivor("b2", Function("p.F"), Status(results.Killed, results.Revealed))
	scope := []results.Function{{ID: "p.F", Name: "F", Package: "p", Reason: results.ReasonChanged}}
	if got := ids(Findings(&results.Results{Scope: scope, Mutants: []results.Mutant{Survivor("a1", Function("p.F"), NotReached, awaits), ran}})); got != "" {
		t.Errorf("findings %s", got)
	}
	if got := ids(Findings(&results.Results{Scope: scope, Mutants: []results.Mutant{Survivor("a1", Function("p.F"), NotReached), ran}})); got != "a1" {
		t.Errorf("all have run: findings %s", got)
	}
}

func TestInitialisationOfAPackageWithoutTestsIsNoFinding(t *testing.T) {
	for untested, want := range map[bool]string{true: "", false: "a1"} {
		r := &results.Results{
			Scope:   []results.Function{{ID: "p.init", Name: "init", Package: "p", Reason: results.ReasonChanged, Untested: untested}},
			Mutants: []results.Mutant{Survivor("a1", Function("p.init"))},
		}
		if got := ids(Findings(r)); got != want {
			t.Errorf("without tests: %t: findings %s, want %s", untested, got, want)
		}
	}
}

func TestAGapOfCodeThatNothingRunsComesAfterOneThatTestsRun(t *testing.T) {
	run := Survivor("b2", Function("p.G"), Operator("statement-deletion"))
	run.Evidence.ByChange = []results.NewTest{{Test: "p.TestG", Change: results.TestAdded}}
	unrun := Survivor("a1", Function("p.F"), Operator("error-return"), Exposed, ErrorIn(results.ErrorInOriginal))
	unrun.Evidence.Unrun = true
	ran := Survivor("c3", Function("p.F"), Status(results.Killed, results.Revealed))
	r := &results.Results{Mutants: []results.Mutant{unrun, run, ran}}
	if found := Findings(r); ids(found) != "b2 a1" || found[1].Kind != Gap {
		t.Errorf("findings %s of kinds %v", ids(found), kindsOf(found))
	}
}

func TestNothingIsSaidOfUnrunCodeBesideTheChangeWhileTestsAreMissing(t *testing.T) {
	m := Survivor("a1", Function("p.F"), Exposed)
	m.Evidence.Unrun, m.Evidence.Beside = true, true
	m.ExposedBy.Driver = true
	r := &results.Results{Mutants: []results.Mutant{m}, Scope: []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonChanged}}}
	if got := ids(Findings(r)); got != "a1" {
		t.Fatalf("all tests have run: findings %q", got)
	}
	r.Mutants[0].Reason = "tests of packages that depend on this one do not build: q"
	if got := ids(Findings(r)); got != "" {
		t.Errorf("not all tests have run: findings %q", got)
	}
}

func TestGeneratedCallsThatGiveRandomResultsSayLittle(t *testing.T) {
	m := Survivor("a1", Function("p.F"), Operator("return-value"), Status(results.Survived, results.Reached))
	m.Evidence.Driven, m.Evidence.Tests = 2*fuzzed, 1
	driver := func(steady bool) results.Harness {
		return results.Harness{Kind: results.HarnessDriver, Functions: []string{"p.F"}, Deterministic: steady}
	}
	for _, tt := range []struct {
		drivers []results.Harness
		want    string
	}{
		{[]results.Harness{driver(true)}, ""},
		{[]results.Harness{driver(false)}, "a1"},
		{[]results.Harness{driver(false), driver(true)}, ""},
	} {
		r := &results.Results{Mutants: []results.Mutant{m}, Harnesses: tt.drivers}
		if got := ids(Findings(r)); got != tt.want {
			t.Errorf("%+v: findings %q, want %q", tt.drivers, got, tt.want)
		}
	}
}
