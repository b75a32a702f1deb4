package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// survivor returns a verified survivor, adjusted by changes. By default its operator is one that maintainers act on,
// and its function and its changed line depend on id.
func survivor(id string, changes ...func(*results.Mutant)) results.Mutant {
	var line int
	fmt.Sscanf(strings.TrimLeft(id, "abcdefghijklmnopqrstuvwxyz"), "%d", &line)
	m := results.Mutant{
		ID: id, Function: "p.F" + id, Operator: "early-return", File: "f.go", Line: 100 + line, Column: 1,
		Offset: 100 * int(id[len(id)-1]-'0'), Original: "a" + id, Replacement: "b" + id,
		Status: results.Survived, Stage: results.Reached, Verified: true, Evidence: results.Evidence{OnDiff: true, Same: true},
	}
	m.EndOffset = m.Offset + len(m.Original)
	for _, change := range changes {
		change(&m)
	}
	return m
}

func line(n int) func(*results.Mutant) { return func(m *results.Mutant) { m.Line = n } }

func function(f string) func(*results.Mutant) { return func(m *results.Mutant) { m.Function = f } }

func operator(o string) func(*results.Mutant) { return func(m *results.Mutant) { m.Operator = o } }

func fuzzedWith(n int64) func(*results.Mutant) {
	return func(m *results.Mutant) { m.Evidence.Execs, m.Evidence.Agreed = n, n }
}

func errorIn(which string) func(*results.Mutant) {
	return func(m *results.Mutant) { m.ExposedBy.Errors = which }
}

func onlyErrors(m *results.Mutant) {
	m.ExposedBy.Errors, m.ExposedBy.OnlyErrors = results.ErrorInBoth, true
}

func between(from, to int) func(*results.Mutant) {
	return func(m *results.Mutant) { m.Offset, m.EndOffset = from, to }
}

func inTest(m *results.Mutant) { m.ExposedBy.InTest = true }

func status(s, stage string) func(*results.Mutant) {
	return func(m *results.Mutant) { m.Status, m.Stage, m.Evidence.Same = s, stage, stage == results.Reached }
}

func killedIn(f string) results.Mutant {
	return survivor("z9", function(f), status(results.Killed, results.Revealed))
}

func because(reason string) func(*results.Mutant) {
	return func(m *results.Mutant) { m.Reason = reason }
}

func unverified(m *results.Mutant) { m.Verified = false }

func notReached(m *results.Mutant) { m.Stage = results.NotReached }

func undone(m *results.Mutant) { m.Evidence.Changed, m.Stage = "1-2", results.Infected }

func removal(m *results.Mutant) { m.Replacement = "if false { " + m.Original + " }" }

func undoes(head, base string) func(*results.Mutant) {
	return func(m *results.Mutant) {
		m.Original, m.Replacement, m.Evidence.Changed, m.Stage = head, base, "1-2", results.Reached
	}
}

func inProgram(m *results.Mutant) { m.Evidence.Program = true }

func alwaysTrue(m *results.Mutant) {
	m.Replacement, m.Context = m.Original+" || true", "\tif "+m.Original+" {"
}

func otherwise(m *results.Mutant) {
	m.Evidence.Never = &results.Code{StartLine: 7, EndLine: 7, Source: "f()"}
}

func writes(original, replacement string) func(*results.Mutant) {
	return func(m *results.Mutant) { m.Original, m.Replacement = original, replacement }
}

func elsewhereInIt(m *results.Mutant) { m.Evidence.OnDiff = false }

func beside(m *results.Mutant) { m.Evidence.Beside = true }

func exposed(m *results.Mutant) {
	m.Stage, m.ExposedBy = results.Propagated, &results.ExposedBy{Call: "F" + m.ID + "()", Original: "1", Mutant: "2"}
}

// ofCheck returns a mutant that lets an empty s through the check in a line, and one that leaves out its branch.
func ofCheck(line, branch string) []results.Mutant {
	return []results.Mutant{
		survivor("a1", operator("relational"), writes("len(s) > 0", "len(s) >= 0"), func(m *results.Mutant) { m.Context = line }),
		survivor("b1", status(results.Killed, results.Revealed), writes("len(s) > 0", "len(s) > 0 && false"), func(m *results.Mutant) { m.Evidence.Branch = branch }),
	}
}

func TestFindingsAreInOrderOfUse(t *testing.T) {
	tests := []struct {
		name    string
		mutants []results.Mutant
		want    string
	}{
		{"none", nil, ""},
		{"two values, then operators that are acted on, then hunks undone",
			[]results.Mutant{survivor("a1", undone), survivor("b2"), survivor("c3", exposed)}, "c3 b2 a1"},
		{"an exposed reversal before other exposed mutants",
			[]results.Mutant{survivor("a1", exposed), survivor("b2", undone, exposed)}, "b2 a1"},
		{"what a call gives before what another one gives after it", []results.Mutant{
			survivor("a1", exposed, function("p.T.Add"), func(m *results.Mutant) {
				m.ExposedBy.Setup, m.ExposedBy.Call = []string{"t := new(T)", "t.Add(1)"}, "t.Len()"
			}),
			survivor("b2", exposed, function("p.T.Get"), func(m *results.Mutant) {
				m.ExposedBy.Setup, m.ExposedBy.Call = []string{"t := new(T)", "t.Add(1)"}, "t.Get()"
			}),
		}, "b2 a1"},
		{"a call that is given something before one that is given nil", []results.Mutant{
			survivor("a1", exposed, function("p.F"), func(m *results.Mutant) { m.ExposedBy.Call = "F(nil, 1)" }),
			survivor("b2", exposed, function("p.G"), func(m *results.Mutant) { m.ExposedBy.Call = `G("nil", 1)` }),
		}, "b2 a1"},
		{"no other lines", []results.Mutant{survivor("a1", elsewhereInIt), survivor("b2", elsewhereInIt, exposed)}, ""},
		{"other lines where an error appears or goes",
			[]results.Mutant{survivor("a1", elsewhereInIt, exposed, errorIn(results.ErrorInOriginal))}, "a1"},
		{"nothing of a changed line that was there before", []results.Mutant{survivor("a1", beside), survivor("b2", beside, exposed)}, ""},
		{"... unless an error appears or goes", []results.Mutant{survivor("a1", beside, exposed, errorIn(results.ErrorInOriginal))}, "a1"},
		{"... or no test runs the line", []results.Mutant{survivor("a1", beside, notReached, function("p.F")), killedIn("p.F")}, "a1"},
		{"no weak operators", []results.Mutant{survivor("a1", operator("relational"))}, ""},
		{"... even with two values", []results.Mutant{survivor("a1", operator("relational"), exposed)}, ""},
		{"... unless one of them is an error", []results.Mutant{survivor("a1", operator("relational"), exposed, errorIn(results.ErrorInMutant))}, "a1"},
		{"... or it panics", []results.Mutant{survivor("a1", operator("relational"), exposed, func(m *results.Mutant) { m.ExposedBy.Ends = results.CrashPanic })}, "a1"},
		{"... of more than a test that does not look at one", []results.Mutant{survivor("a1", operator("relational"), exposed, inTest)}, ""},
		{"what a test does not look at, after other values", []results.Mutant{survivor("a1", exposed, inTest), survivor("b2", exposed)}, "b2 a1"},
		{"no other text of an error", []results.Mutant{survivor("a1", operator("relational"), exposed, onlyErrors)}, ""},
		{"... of no operator", []results.Mutant{survivor("a1", exposed, onlyErrors)}, ""},
		{"... nor another value beside it", []results.Mutant{survivor("a1", exposed, errorIn(results.ErrorInBoth))}, ""},
		{"no one more than what is returned", []results.Mutant{survivor("a1", operator("return-value"), writes("n", "n + 1"))}, ""},
		{"... even with two values", []results.Mutant{survivor("a1", operator("return-value"), writes("a | b", "(a | b) + 1"), exposed)}, ""},
		{"... but another value", []results.Mutant{survivor("a1", operator("return-value"), writes("n", "0"))}, "a1"},
		{"no other count beside an error", []results.Mutant{survivor("a1", operator("return-value"), func(m *results.Mutant) {
			m.Original, m.Replacement, m.Context = "int64(n)", "0", "\t\treturn int64(n), ErrShort"
		})}, ""},
		{"... unless the error may be nil", []results.Mutant{survivor("a1", operator("return-value"), func(m *results.Mutant) {
			m.Original, m.Replacement, m.Context = "int64(n)", "0", "\t\treturn int64(n), err"
		})}, "a1"},
		{"nothing of an example", []results.Mutant{survivor("a1", func(m *results.Mutant) { m.File = "examples/server/main.go" })}, ""},
		{"nor of what only tests use", []results.Mutant{survivor("a1", func(m *results.Mutant) { m.File = "internal/db/testutil/fill.go" })}, ""},
		{"... but of what is only called so", []results.Mutant{survivor("a1", func(m *results.Mutant) { m.File = "internal/sample.go" })}, "a1"},
		{"no check for an empty list", []results.Mutant{survivor("a1", func(m *results.Mutant) { m.Original = "len(s) == 0 || ok" })}, ""},
		{"... unless an input shows what it is for", []results.Mutant{survivor("a1", exposed, func(m *results.Mutant) { m.Original = "len(s) == 0" })}, "a1"},
		{"... or the list is indexed, which panics", ofCheck("if len(s) > 0 {", "\treturn s[0]"), "a1"},
		{"... at its end, too", ofCheck("if s := f(); len(s) > 0 {", "\treturn s[len(s)-1]"), "a1"},
		{"... and not if it is sliced", ofCheck("if len(s) > 0 {", "\treturn s[:n]"), ""},
		{"... nor if it may be a map", ofCheck("if len(s) > 0 {", "\treturn s[key]"), ""},
		{"... nor another list", ofCheck("if len(s) > 0 {", "\treturn args[0]"), ""},
		{"... nor in a loop", ofCheck("if len(s) > 0 {", "\tfor range s {\n\t\tf(s[0])\n\t}"), ""},
		{"... nor behind another condition", ofCheck("if ok && len(s) > 0 {", "\treturn s[0]"), ""},
		{"... but one for a length", []results.Mutant{survivor("a1", func(m *results.Mutant) { m.Original = "len(s) == 3" })}, "a1"},
		{"... and what only contains one", []results.Mutant{survivor("a1", operator("statement-deletion"), func(m *results.Mutant) { m.Original = "f(len(s) == 0)" })}, "a1"},
		{"... nor with a result that could not be formatted", []results.Mutant{survivor("a1", operator("relational"), exposed, func(m *results.Mutant) {
			m.ExposedBy.Original, m.ExposedBy.Mutant = `"%!(NOVERB) B"`, `"3 B"`
		})}, ""},
		{"what would be accepted before other values",
			[]results.Mutant{survivor("a1", exposed), survivor("b2", operator("relational"), exposed, errorIn(results.ErrorInOriginal))}, "b2 a1"},
		{"no hunk undone that alters no state", []results.Mutant{survivor("a1", undone, status(results.Survived, results.Reached))}, ""},
		{"... unless it has another number", []results.Mutant{survivor("a1", undoes("n *= 3", "n *= 4"))}, "a1"},
		{"... or all that it does is to add code", []results.Mutant{survivor("a1", undoes("f()\ng()\n", "g()\n"))}, "a1"},
		{"... nor where that alters some", []results.Mutant{survivor("a1", undoes("m.mu.Lock()\ndefer m.mu.Unlock()\ng()\n", "g()\n"), status(results.Survived, results.Infected))}, ""},
		{"no lock that is given back at the end", []results.Mutant{survivor("a1", exposed, operator("statement-deletion"), func(m *results.Mutant) { m.Original = "defer c.mu.RUnlock()" })}, ""},
		{"... but one that is before", []results.Mutant{survivor("a1", exposed, operator("statement-deletion"), func(m *results.Mutant) { m.Original = "c.mu.RUnlock()" })}, "a1"},
		{"... nor a copy of a variable", []results.Mutant{survivor("a1", undoes("x := x\ng(&x)\n", "g(&x)\n"), status(results.Survived, results.Infected))}, ""},
		{"... but another variable", []results.Mutant{survivor("a1", undoes("x := y\ng(&x)\n", "g(&x)\n"), status(results.Survived, results.Infected))}, "a1"},
		{"... other than locks", []results.Mutant{survivor("a1", undoes("m.mu.Lock()\ndefer m.mu.Unlock()\ng()\n", "g()\n"))}, ""},
		{"... or fields that are given an empty list", []results.Mutant{survivor("a1", undoes("\tmax:  n,\n\trules: []*p.Rule{},\n", "\tmax: n,\n"))}, ""},
		{"... or fields that are given their zero value", []results.Mutant{survivor("a1", undoes("\tmax:    n,\n\tstopped: false,\n", "\tmax: n,\n"))}, ""},
		{"... or to what there was", []results.Mutant{survivor("a1", undoes("if a && b {\n", "if a {\n"))}, "a1"},
		{"... more than a conversion", []results.Mutant{survivor("a1", undoes("x := int64((a))\n", "x := a\n"))}, ""},
		{
			"... a call that what there was comes after", []results.Mutant{survivor("a1", undoes("d, err := convert(m.Data)\nif err != nil {\n\treturn err\n}\nlist = append(list, encode(d))\n", "list = append(list, encode(m.Data))\n"))},
			"a1",
		},
		{"... a call in place of an operator", []results.Mutant{survivor("a1", undoes("list = append(list, sum(a, b))\nd := list\n", "list = append(list, a+b)\n"))}, ""},
		{"... more than a copy", []results.Mutant{survivor("a1", undoes("x := slices.Clone(a)\n", "x := a\n"))}, ""},
		{"... and not where it alters some, too", []results.Mutant{survivor("a1", undoes("f()\ng(x)\n", "g(y)\n"))}, ""},
		{"what a part of the change adds within a line, on which many calls give the same", []results.Mutant{survivor("a1", undoes("f(x, 2, y)", "f(x, y)"), fuzzedWith(agreed-1))}, "a1"},
		{"no hunk undone of a function of which it is said that it gives the same as before",
			[]results.Mutant{survivor("a1", undoes("f(x, 2, y)", "f(x, y)"), fuzzedWith(agreed))}, ""},
		{"nothing on a line that the change only writes in another form", []results.Mutant{
			survivor("a1", undone, between(2, 40), status(results.Equivalent, results.Reached)), survivor("b2", between(5, 20), exposed), survivor("c3", between(5, 41)),
		}, "c3"},
		{"no part undone of a change that makes no difference as a whole", []results.Mutant{
			survivor("a1", undone, exposed, function("p.F"), between(2, 4)), survivor("b2", undone, fuzzedWith(fuzzed), function("p.F"), between(0, 9)),
		}, ""},
		{"part undone of a change of which little is known as a whole", []results.Mutant{
			survivor("a1", undone, exposed, function("p.F"), between(2, 4)), survivor("b2", undone, fuzzedWith(0), function("p.F"), between(0, 9)),
		}, "a1"},
		{"no lines left out that the change only moved", []results.Mutant{survivor("a1", undoes("if !ok {\n\treturn err\n}", ""), elsewhereInIt)}, ""},
		{"... but new ones", []results.Mutant{survivor("a1", undoes("if !ok {\n\treturn err\n}", ""))}, "a1"},
		{"no hunk undone on which many inputs agree", []results.Mutant{survivor("a1", undone, fuzzedWith(fuzzed))}, ""},
		{"... unless one shows a difference that has no form as a call", []results.Mutant{survivor("a1", undone, fuzzedWith(fuzzed), exposed, func(m *results.Mutant) {
			m.ExposedBy.Driver, m.ExposedBy.Call = true, ""
		})}, "a1"},
		{"nothing on which many calls agree", []results.Mutant{survivor("a1", operator("statement-deletion"), func(m *results.Mutant) {
			m.Evidence.Driven, m.Original = fuzzed, "f(x)"
		})}, ""},
		{"a condition that is never false",
			[]results.Mutant{survivor("a1", operator("condition"), alwaysTrue, status(results.Survived, results.Reached), otherwise)}, "a1"},
		{"... unless nothing is done where it is",
			[]results.Mutant{survivor("a1", operator("condition"), alwaysTrue, status(results.Survived, results.Reached))}, ""},
		{"... and not in any of many generated calls",
			[]results.Mutant{survivor("a1", operator("condition"), alwaysTrue, func(m *results.Mutant) { m.Evidence.Spared = fuzzed })}, ""},
		{"... and not where tests were not followed",
			[]results.Mutant{survivor("a1", operator("condition"), alwaysTrue, status(results.Survived, results.Reached), otherwise, inProgram)}, ""},
		{"no condition that is false at times",
			[]results.Mutant{survivor("a1", operator("condition"), alwaysTrue, status(results.Survived, results.Infected))}, ""},
		{"nothing that alters what happens in tests, and not what comes out",
			[]results.Mutant{survivor("a1", status(results.Survived, results.Infected))}, ""},
		{"... even behind a statement",
			[]results.Mutant{survivor("a1", operator("condition"), alwaysTrue, status(results.Survived, results.Reached), otherwise, func(m *results.Mutant) {
				m.Context = "if n := f(); aa1 {"
			})}, "a1"},
		{"no operand of one",
			[]results.Mutant{survivor("a1", operator("condition"), alwaysTrue, status(results.Survived, results.Reached), func(m *results.Mutant) {
				m.Context = "if b && aa1 {"
			})}, ""},
		{"no branch beside another one",
			[]results.Mutant{survivor("a1", operator("branch-removal"), func(m *results.Mutant) { m.Replacement = "{ if false {} }" })}, ""},
		{"no error that is nil whenever tests come there",
			[]results.Mutant{survivor("a1", operator("error-return"), status(results.Survived, results.Reached), func(m *results.Mutant) { m.Original = "return nil, err" })}, ""},
		{"... but one that is made there",
			[]results.Mutant{survivor("a1", operator("error-return"), status(results.Survived, results.Reached), func(m *results.Mutant) { m.Original = `return nil, errors.New("x")` })}, "a1"},
		{"no loop that may go on", []results.Mutant{survivor("a1", operator("loop-control"), func(m *results.Mutant) { m.Original = "break" })}, ""},
		{"no condition of a loop", []results.Mutant{survivor("a1", operator("condition"), alwaysTrue, status(results.Survived, results.Reached),
			func(m *results.Mutant) { m.Context = "\tfor aa1 {" })}, ""},
		{"no line that nothing runs", []results.Mutant{survivor("a1", notReached)}, ""},
		{"... of a function that runs, unless it says much",
			[]results.Mutant{survivor("a1", function("p.F"), notReached), survivor("b2", function("p.F"), notReached, operator("relational"), line(12)), killedIn("p.F")}, "a1"},
		{"one a function, the best",
			[]results.Mutant{survivor("a1", function("p.F")), survivor("b2", function("p.F"), exposed), survivor("c3")}, "b2 c3"},
		{"the same source once",
			[]results.Mutant{survivor("a1"), survivor("b2", function("p.Fa1"), func(m *results.Mutant) { m.Original, m.Replacement = "aa1", "ba1" })},
			"a1"},
		{"a reversal that removes",
			[]results.Mutant{survivor("a1", undone, func(m *results.Mutant) { m.Replacement = "" })}, "a1"},
		{"... unless nothing runs some of what it removes",
			[]results.Mutant{survivor("a1", undone, between(0, 300), func(m *results.Mutant) { m.Replacement = "" }), survivor("b2", notReached, inProgram)}, ""},
		{"no code that only fails, and that only fuzzing comes to, without telling", []results.Mutant{
			survivor("a1", operator("error-return"), function("p.F"), func(m *results.Mutant) { m.Context, m.Evidence.Execs = "\t\treturn err", 1200 }), killedIn("p.F")}, ""},
		{"... unless tests come to it", []results.Mutant{
			survivor("a1", operator("error-return"), function("p.F"), func(m *results.Mutant) {
				m.Context, m.Evidence.Execs, m.Evidence.Tests = "\t\treturn err", 1200, 1
			}), killedIn("p.F")}, "a1"},
		{"... but code that only fails, in a function that runs",
			[]results.Mutant{
				survivor("a1", undone, function("p.F"), between(0, 300), func(m *results.Mutant) { m.Replacement = "" }), killedIn("p.F"),
				survivor("b2", notReached, function("p.F"), func(m *results.Mutant) { m.Context = "\t\treturn err" })}, "a1"},
		{"only what was confirmed",
			[]results.Mutant{survivor("a1", unverified), survivor("b2", line(101))}, "b2"},
		{"only survivors",
			[]results.Mutant{
				survivor("a1", status(results.Killed, results.Revealed)), survivor("b2", status(results.Equivalent, "")),
				survivor("c3", status(results.Unviable, "")), survivor("d4", status(results.Ignored, "")),
				survivor("e5", status(results.NotRun, "")), survivor("f6")},
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
		Mutants: []results.Mutant{survivor("a1", notReached, function("p.Old")), survivor("b2", notReached, function("p.New")), survivor("c3", notReached, function("p.New"))},
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
		inProgram(&r.Mutants[i])
	}
	if got := ids(Findings(r)); got != "" {
		t.Errorf("findings %s in a program", got)
	}
}

func TestACallThatTheBaseDoesNotHaveIsNoChangeOfBehaviour(t *testing.T) {
	for inner, want := range map[bool][]Kind{false: {Gap}, true: nil} { // inner calls may mix old and new code
		r := &results.Results{Mutants: []results.Mutant{survivor("a1", undone, exposed, func(m *results.Mutant) {
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
		{fuzzed - 1, survivor("a1", exposed), 1},
		{fuzzed, survivor("a1", exposed), 0},
		{fuzzed, survivor("a1", undone, exposed), 1}, // the case that the change is for may need special inputs
		{fuzzed, survivor("a1", function("p.f"), exposed, inTest), 0},
		{fuzzed, survivor("a1", function("p.F"), exposed, inTest), 1}, // other packages can make the call
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
	r := &results.Results{Mutants: []results.Mutant{survivor("a1", exposed, in), survivor("b2", exposed, in), survivor("c3", exposed, elsewhere, in)}}
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
		r := &results.Results{Mutants: []results.Mutant{survivor("a1", undone, exposed, func(m *results.Mutant) { m.ExposedBy.AsBefore = asBefore })}}
		if kinds := kindsOf(Findings(r)); !slices.Equal(kinds, want) {
			t.Errorf("the base gives the same: %t; findings %v", asBefore, kinds)
		}
	}
}

func TestWhatAFunctionWithABugLacksElseCanWait(t *testing.T) {
	for introduced, want := range map[string]string{results.IntroducedYes: "b2", results.IntroducedNo: "b2 a1"} {
		r := &results.Results{
			Scope:   []results.Function{{ID: "p.F", File: "f.go", StartLine: 9, EndLine: 12}, {ID: "p.G", File: "f.go"}},
			Mutants: []results.Mutant{survivor("a1", function("p.F")), survivor("b2", function("p.G"))},
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
			Mutants: []results.Mutant{survivor("a1", driven, function("p.F"))},
		}
		if got := ids(Findings(r)); got != want {
			t.Errorf("a package without tests: %v: findings %q, want %q", untested, got, want)
		}
	}
}

func TestAPartOfTheChangeWithoutAnyTestsIsAFindingIfCallersSeeIt(t *testing.T) {
	for text, want := range map[string]string{"p.T{A: 2}": "a1", "p.T{a: 2}": ""} {
		m := survivor("a1", undone, exposed, function("p.F"))
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
		Mutants: []results.Mutant{survivor("a1", notReached, function("p.F"))},
	}
	for _, want := range []string{"", "a1"} {
		if got := ids(Findings(r)); got != want {
			t.Errorf("findings %q, want %q", got, want)
		}
		r.Mutants = append(r.Mutants, killedIn("p.F"))
	}
}

func TestWithoutADiffEveryLineCountsAsChanged(t *testing.T) {
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.Fa1", Reason: results.ReasonAll}},
		Mutants: []results.Mutant{survivor("a1", elsewhereInIt)},
	}
	if got := ids(Findings(r)); got != "a1" {
		t.Errorf("findings %s, want a1", got)
	}
}

func TestCrashesComeFirstAndIntroducedOnesBeforeAll(t *testing.T) {
	r := &results.Results{
		Mutants: []results.Mutant{survivor("m1", undone)},
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

func TestPartOfTheChangeThatMendsACrashIsPartOfThatFinding(t *testing.T) {
	r := &results.Results{
		Mutants: []results.Mutant{survivor("m1", undone, exposed), survivor("m2")},
		Crashes: []results.Crash{{Harness: "p.FuzzA", Entry: "e", Introduced: results.IntroducedYes, MendedBy: "m1"}},
	}
	if got, want := ids(Findings(r)), "e by m1 m2"; got != want {
		t.Errorf("findings %s, want %s", got, want)
	}
	if body := Markdown(r, Options{}); !strings.Contains(body, "Undoing a part of the change fixes it. This edit does that:\n\n```diff\n-am1\n+bm1\n```\n") {
		t.Error(body)
	}
}

func TestALongChangeOfAFunctionThatMendsACrashIsNamed(t *testing.T) {
	long := func(m *results.Mutant) {
		m.Evidence.Whole = true
		m.Original = strings.Repeat("a\n", maxMending)
	}
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Name: "F"}},
		Mutants: []results.Mutant{survivor("m1", function("p.F"), undone, exposed, long)},
		Crashes: []results.Crash{{Harness: "p.FuzzA", Entry: "e", Introduced: results.IntroducedYes, MendedBy: "m1"}},
	}
	body := Markdown(r, Options{})
	if !strings.Contains(body, "Nor does it fail with the whole change to `F` undone.") || strings.Contains(body, "```diff") {
		t.Error(body)
	}
	if strings.Contains(body, "mutantfuzz:ignore") {
		t.Errorf("no comment silences a crash:\n%s", body)
	}
	r.Crashes[0].Introduced = results.IntroducedUnknown // then nothing is said of the base before
	if body := Markdown(r, Options{}); !strings.Contains(body, "It does not fail with the whole change to `F` undone.") {
		t.Error(body)
	}
}

func TestAFailureThatADriverShowsIsToldByItsCall(t *testing.T) {
	crash := results.Crash{
		Harness: "p.Driver_First", Entry: "e", Kind: results.CrashPanic, Message: "index out of range [0] with length 0", Stack: "p.First(...)\n\tfirst.go:7 +0x1a\n",
		Introduced: results.IntroducedUnknown, MendedBy: "m1", Call: `First("")`, Before: `""`,
		Test: "package p\n\nfunc TestFirst_NoPanic(t *testing.T) {\n}\n",
	}
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.First", Name: "First", File: "first.go", StartLine: 3, EndLine: 9}},
		Mutants: []results.Mutant{survivor("m1", undone, func(m *results.Mutant) { m.Status = results.Killed })}, Crashes: []results.Crash{crash},
	}
	if got, want := ids(Findings(r)), "e by m1"; got != want {
		t.Errorf("findings %s, want %s", got, want)
	}
	body := Markdown(r, Options{})
	for _, want := range []string{
		"this change makes `First(\"\")` panic", "`index out of range [0] with length 0`, at `first.go:7`. Undoing a part of the change fixes it. This edit does that:",
		"`First(\"\")` panics; without this change it gives `\"\"`.", "<summary>A test that shows it", "It passes without this change.",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not in\n%s", want, body)
		}
	}
	r.Crashes[0].Stack = "p/q.Model.At\n\tq/model.go:41\n" + crash.Stack
	if body := Markdown(r, Options{}); !strings.Contains(body, "with length 0`, at `q/model.go:41`, called from `first.go:7`.") {
		t.Errorf("the place of the failure is missing in\n%s", body)
	}
	r.Crashes[0].Setup = []string{`p := New("x")`}
	if body := Markdown(r, Options{}); !strings.Contains(body, "`p := New(\"x\"); First(\"\")` panics") || strings.Contains(body, "makes `First(\"\")`") {
		t.Error(body)
	}
}

func TestOfCodeThatNothingRunsACallIsShownThatGivesSomething(t *testing.T) {
	for text, want := range map[string]bool{
		"false": true, `0, "", nil`: true, "[]string(nil), false": true, "T{}, nil": true, "(*p.T)(nil)": true, "&p.T{}": true,
		"true": false, `0, "x"`: false, "T{A: 0}": false, "10": false, `error("no")`: false, "": false,
	} {
		if m := survivor("m", func(m *results.Mutant) { m.ExposedBy = &results.ExposedBy{Original: text} }); givesNothing(&m) != want {
			t.Errorf("%s: %v, want %v", text, !want, want)
		}
	}
	call := func(id, original string) results.Mutant {
		return survivor(id, notReached, exposed, func(m *results.Mutant) {
			m.ExposedBy.Call, m.ExposedBy.Original, m.ExposedBy.Mutant, m.ExposedBy.Errors = "F("+id+")", original, "2", ""
		})
	}
	opaque := call("c", "p.Option")
	if s := unrunStory(&results.Results{}, Finding{Kind: NotRun, Mutant: &opaque}); len(s.witness) > 0 {
		t.Error(s.witness.Plain("", ""))
	}
	failing := call("d", `"x", error("no")`)
	failing.ExposedBy.Errors = results.ErrorInOriginal
	for _, m := range []results.Mutant{failing, call("e", "nil")} {
		m.ExposedBy.Test = "package p"
		if s := unrunStory(&results.Results{}, Finding{Kind: NotRun, Mutant: &m}); len(s.witness) > 0 || s.test != "" {
			t.Errorf("%s %s", s.witness.Plain("", ""), s.test)
		}
	}
	bare, silent := call("g", "1"), call("h", "1")
	bare.ExposedBy.Call, bare.ExposedBy.Test = "F()", "package p"
	silent.ExposedBy.Test = "package p\n\nfunc TestF(t *testing.T) {\n\tF(1)\n}\n"
	for _, m := range []results.Mutant{bare, silent} {
		if s := unrunStory(&results.Results{}, Finding{Kind: NotRun, Mutant: &m}); len(s.witness) > 0 || s.test != "" {
			t.Errorf("%s %s", s.witness.Plain("", ""), s.test)
		}
	}
	zeros, given := call("0", "1"), call("4", "1")
	zeros.ExposedBy.Call = `p.F(nil, "", T{})`
	s := unrunStory(&results.Results{}, Finding{Kind: NotRun, Mutant: &zeros, Also: []*results.Mutant{&given}})
	if got := s.witness.Plain("", ""); got != "For example, F(4) gives 1." {
		t.Error(got)
	}
	a, b := call("a", "false"), call("b", "true")
	s = unrunStory(&results.Results{}, Finding{Kind: NotRun, Mutant: &a, Also: []*results.Mutant{&b}})
	if got := s.witness.Plain("", ""); got != "For example, F(b) gives true." {
		t.Error(got)
	}
}

func TestOfCodeThatNothingRunsTheFirstMutantHasACallThatGivesSomething(t *testing.T) {
	driven := func(id string, line int, original string, errors string) results.Mutant {
		return survivor(id, unverified, exposed, func(m *results.Mutant) {
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
	r := &results.Results{Mutants: []results.Mutant{survivor("a1", unverified), survivor("b2", unverified, undone)}}
	var got []string
	for _, m := range Candidates(r) {
		got = append(got, m.ID)
	}
	if diff := cmp.Diff([]string{"a1", "b2"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestKeysDependOnSourceOnly(t *testing.T) {
	base := survivor("a1", func(m *results.Mutant) { m.Original, m.Replacement = "f(x, y)", "f(x)" })
	tests := []struct {
		name   string
		change func(*results.Mutant)
		same   bool
	}{
		{"line", line(999), true},
		{"ID", func(m *results.Mutant) { m.ID = "zz" }, true},
		{"layout", func(m *results.Mutant) { m.Original = "f(x,\n\t y)" }, true},
		{"comment", func(m *results.Mutant) { m.Original = "f(x, /* why */ y) // how" }, true},
		{"function", function("p.G"), false},
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

func TestFunctionsThatNothingRunsAreOneFinding(t *testing.T) {
	r := new(results.Results)
	for i, name := range []string{"F", "G", "T.Error", "H", "J"} {
		r.Scope = append(r.Scope, results.Function{ID: "p." + name, Name: name, Reason: results.ReasonAdded})
		m := survivor(fmt.Sprintf("a%d", i+1), function("p."+name), notReached)
		r.Mutants = append(r.Mutants, m)
	}
	for n, want := range map[int]string{1: "runs F", 2: "runs F and G", 3: "runs F and G", 4: "runs F, G and H", 5: "runs F, G, H and 1 more function"} {
		some := &results.Results{Scope: r.Scope, Mutants: r.Mutants[:n]}
		found := Findings(some)
		if len(found) != 1 {
			t.Fatalf("%d findings", len(found))
		}
		if got := storyOf(some, found[0]).title.Plain("", ""); got != "no test or fuzz target "+want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestBranchThatNothingRunsIsFoundWithItsCondition(t *testing.T) {
	condition := survivor("a1", function("p.F"), exposed)
	condition.Evidence.BranchEnd = condition.EndOffset + 500
	inside, outside := survivor("b2", function("p.F"), notReached), survivor("c9", function("p.G"), notReached)
	r := &results.Results{Scope: []results.Function{{ID: "p.F", Reason: results.ReasonAdded}, {ID: "p.G", Reason: results.ReasonAdded}}}
	r.Mutants = []results.Mutant{condition, inside, outside}
	var got []string
	for _, f := range Findings(r) {
		one := f.Kind.String()
		for _, m := range f.all() {
			one += " " + m.ID
		}
		got = append(got, one)
	}
	if want := []string{"gap a1 b2", "not_run c9"}; !cmp.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBranchThatNeverRunsIsShownWithOtherLinesThatNothingRuns(t *testing.T) {
	condition := survivor("a1", function("p.F"), status(results.Survived, results.Reached), func(m *results.Mutant) {
		m.Operator, m.Original, m.Replacement, m.Context = "branch-removal", "n > 3", "n > 3 && false", "if n > 3 {"
		m.Evidence.Never = &results.Code{StartLine: 2, EndLine: 2}
	})
	outside := survivor("b2", function("p.F"), notReached, func(m *results.Mutant) { m.Line, m.EndLine, m.Offset, m.EndOffset = 90, 90, 900, 910 })
	r := &results.Results{Scope: []results.Function{{ID: "p.F", Reason: results.ReasonAdded}}, Mutants: []results.Mutant{condition, outside}}
	if got := ids(Findings(r)); got != "b2" {
		t.Errorf("findings %q, want b2", got)
	}
	r.Mutants = r.Mutants[:1]
	if got := ids(Findings(r)); got != "a1" {
		t.Errorf("findings %q, want a1", got)
	}
}

func TestTheSameEditInSeveralFunctionsIsOneFinding(t *testing.T) {
	appends := func(m *results.Mutant) {
		m.Original, m.Replacement = "o = append(o, w...)\n\tn := 0\n", "n := 0\n"
	}
	r := &results.Results{Mutants: []results.Mutant{
		survivor("a0", function("p.Fa1"), exposed), survivor("a1", undone, appends), survivor("b2", undone, appends, exposed), survivor("c3", exposed), survivor("b4", function("p.Fb2"), exposed),
	}}
	list := Findings(r)
	if len(list) != 2 || len(list[0].Also) != 3 || list[1].Mutant.ID != "c3" {
		t.Fatalf("findings: %+v", list)
	}
	if title := storyOf(r, list[0]).title.Plain("", ""); title != "this change alters what Fb2() does, and no test notices" {
		t.Error(title)
	}
}

func TestEditsOfTwoFunctionsThatShowInTheSameCallAreOneFinding(t *testing.T) {
	shows := func(call, with string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			exposed(m)
			m.ExposedBy.Call, m.ExposedBy.Original, m.ExposedBy.Mutant = call, "true", with
		}
	}
	r := &results.Results{Mutants: []results.Mutant{
		survivor("a1", function("p.F"), shows("F(1)", "false")), survivor("b2", function("p.G"), shows("F(1)", "false")),
		survivor("c3", function("p.H"), shows("F(1)", "nil")), survivor("d4", function("p.I"), shows("", "false")), survivor("e5", function("p.J"), shows("", "false")),
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
	fails := survivor("a1", function("p.F"), notReached)
	fails.Original, fails.Context = "1", "\treturn 1, fmt.Errorf(\"no %q\", name)"
	rest := survivor("b2", function("p.F"))
	rest.Status = results.Killed
	for n, want := range map[int]int{1: 1, 2: 0} {
		r := &results.Results{
			Scope:   []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonAdded}},
			Mutants: []results.Mutant{fails, rest}[:n],
		}
		if found := Findings(r); len(found) != want {
			t.Errorf("of %d mutants: %d findings, want %d", n, len(found), want)
		}
	}
}

func TestSurvivorIsNoFindingIfDependentsDidNotAllRunUnlessItsOwnTestsPass(t *testing.T) {
	cut := func(m *results.Mutant) { m.Reason = "not all tests of packages that depend on this one ran in time" }
	own := func(tests ...string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Evidence.OwnOnly, m.Evidence.Tests, m.Evidence.By = true, len(tests), tests
		}
	}
	for name, tt := range map[string]struct {
		mutant results.Mutant
		want   string // the title; empty: no finding
	}{
		"something else is missing":   {survivor("a1", function("p.F"), cut), ""},
		"no test runs it":             {survivor("a1", function("p.F"), notReached, cut, own()), ""},
		"its own tests do":            {survivor("a1", function("p.F"), cut, own("q.TestF", "p.TestF")), "F: no test of its package fails with ba1 in place of aa1"},
		"tests of another package do": {survivor("a1", function("p.F"), cut, own("q.TestF", "p/q.TestF", "p.v2.TestF")), ""},
	} {
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F", Package: "p", Reason: results.ReasonChanged}}, Mutants: []results.Mutant{tt.mutant}}
		got := ""
		for _, f := range Findings(r) {
			got = title(r, f).Plain("", "")
			if claim := storyOf(r, f).once(new(bool)).claim.Plain("", ""); !strings.Contains(claim, "Not all tests of packages that depend on this one could run.") {
				t.Errorf("%s: %s", name, claim)
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestCodeThatTestsOfItsPackageMissIsReportedEvenIfDependentsDidNotAllRun(t *testing.T) {
	missed := func(m *results.Mutant) {
		m.Stage, m.Reason = results.NotReached, "not all tests of packages that depend on this one ran in time"
		m.Evidence.OwnOnly = true
	}
	killedBy := func(test string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Status, m.KilledBy = results.Killed, &results.KilledBy{By: results.ByTest, Kind: results.KindTest, Name: test}
		}
	}
	for name, tt := range map[string]struct {
		missed results.Mutant
		test   string // runs the rest of the function
		want   string // the title; empty: no finding
	}{
		"its own tests run the rest":           {survivor("a1", function("p.F"), missed), "p.TestF/a.b", "no test of its package runs line 101 of F"},
		"tests of another package do":          {survivor("a1", function("p.F"), missed), "p.v2.TestF", ""},
		"tests that fail here may run it":      {survivor("a1", function("p.F"), missed, func(m *results.Mutant) { m.Evidence.Program = true }), "p.TestF", ""},
		"tests of the change are still to run": {survivor("a1", function("p.F"), missed, func(m *results.Mutant) { m.Evidence.Awaits = true }), "p.TestF", ""},
	} {
		r := &results.Results{
			Scope:   []results.Function{{ID: "p.F", Name: "F", Package: "p", Reason: results.ReasonChanged}},
			Mutants: []results.Mutant{tt.missed, survivor("b2", function("p.F"), killedBy(tt.test))},
		}
		got := ""
		for _, f := range Findings(r) {
			s := storyOf(r, f).once(new(bool))
			got = s.title.Plain("", "")
			if claim := s.claim.Plain("", ""); claim != "No test of its package would fail if this code were wrong. Not all tests of packages that depend on this one could run." {
				t.Errorf("%s: %s", name, claim)
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestSurvivorThatAFailingTestMayNoticeIsAFindingIfTestsOfTheChangePassWithIt(t *testing.T) {
	failing := func(m *results.Mutant) {
		m.Reason, m.Evidence.Failing = "quarantined tests run this code, and might notice the edit: TestA, TestB and 3 more", true
	}
	mayRun := func(more string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Reason, m.Evidence.Failing = results.FailingMayRun+"TestA, TestB and 3 more"+more, true
		}
	}
	by := func(change string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Evidence.Tests, m.Evidence.By = 1, []string{"p.TestF"}
			if change != "" {
				m.Evidence.ByChange = []results.NewTest{{Test: "p.TestF", Change: change}}
			}
		}
	}
	for name, tt := range map[string]struct {
		mutant results.Mutant
		fails  results.Quarantined
		want   bool
	}{
		"a new test passes":                {survivor("a1", function("p.F"), failing, by(results.TestAdded)), results.Quarantined{Test: "p.TestA"}, true},
		"one that may run it fails":        {survivor("a1", function("p.F"), mayRun(""), by(results.TestAdded)), results.Quarantined{Test: "p.TestA"}, true},
		"and others did not run":           {survivor("a1", function("p.F"), mayRun("; tests of p/q ran late"), by(results.TestAdded)), results.Quarantined{Test: "p.TestA"}, false},
		"only old tests pass":              {survivor("a1", function("p.F"), failing, by("")), results.Quarantined{Test: "p.TestA"}, false},
		"another test of the change fails": {survivor("a1", function("p.F"), failing, by(results.TestAdded)), results.Quarantined{Test: "p.TestA", Change: results.TestAltered}, false},
	} {
		r := &results.Results{
			Scope:   []results.Function{{ID: "p.F", Name: "F", Package: "p", Reason: results.ReasonChanged}},
			Mutants: []results.Mutant{tt.mutant}, Quarantined: []results.Quarantined{tt.fails},
		}
		found := Findings(r)
		if got := len(found) == 1; got != tt.want {
			t.Errorf("%s: findings %s", name, ids(found))
		}
		for _, f := range found {
			if claim := storyOf(r, f).claim.Plain("", ""); !strings.Contains(claim, "TestA, TestB and 3 more tests do not pass here in every run, even without any edit, so they do not count.") {
				t.Errorf("%s: %s", name, claim)
			}
		}
	}
}

func TestACallWithAnotherResultIsAChangeOfBehaviourEvenIfDependentsDidNotAllRun(t *testing.T) {
	cut := func(m *results.Mutant) { m.Reason = "not all tests of packages that depend on this one ran in time" }
	driven := func(x results.ExposedBy) func(*results.Mutant) {
		x.Driver, x.Call, x.Original, x.Mutant = true, "F(1)", "1", "2"
		return func(m *results.Mutant) { m.Stage, m.ExposedBy = results.Propagated, &x }
	}
	for name, tt := range map[string]struct {
		mutant results.Mutant
		want   string // the title; empty: no finding
	}{
		"undone":          {survivor("a1", function("p.F"), undone, driven(results.ExposedBy{}), cut), "this change alters what F(1) does"},
		"all tests ran":   {survivor("a1", function("p.F"), undone, driven(results.ExposedBy{})), "this change alters what F(1) does, and no test notices"},
		"within it":       {survivor("a1", function("p.F"), undone, driven(results.ExposedBy{Inner: true}), cut), ""},
		"only the errors": {survivor("a1", function("p.F"), undone, driven(results.ExposedBy{OnlyErrors: true}), cut), ""},
		"which error":     {survivor("a1", function("p.F"), undone, driven(results.ExposedBy{Errors: results.ErrorInBoth, OnlyErrors: true, OriginalIs: "p.ErrA"}), cut), "this change alters what F(1) does"},
		"another edit":    {survivor("a1", function("p.F"), driven(results.ExposedBy{}), cut), ""},
		"its own tests":   {survivor("a1", function("p.F"), undone, driven(results.ExposedBy{}), cut, func(m *results.Mutant) { m.Evidence.Awaits = true }), ""},
	} {
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonChanged}}, Mutants: []results.Mutant{tt.mutant}}
		got := ""
		for _, f := range Findings(r) {
			got = title(r, f).Plain("", "")
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestLinesThatNothingRunsAreNotTheWholeFunction(t *testing.T) {
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonAdded}},
		Mutants: []results.Mutant{survivor("a1", function("p.F"), notReached), survivor("b2", function("p.F"), status(results.Killed, results.Revealed))},
	}
	if got, want := storyOf(r, Findings(r)[0]).title.Plain("", ""), "no test or fuzz target runs line 101 of F"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWholeFunctionsAreToldFromLinesOfOthers(t *testing.T) {
	r := &results.Results{
		Scope: []results.Function{{ID: "p.New", Name: "New", Reason: results.ReasonAdded}, {ID: "p.Old", Name: "Old", Reason: results.ReasonChanged}},
		Mutants: []results.Mutant{
			survivor("a1", notReached, function("p.New")), survivor("b2", notReached, function("p.Old"), line(700)), killedIn("p.Old"),
		},
	}
	if got, want := storyOf(r, Findings(r)[0]).title.Plain("", ""), "no test or fuzz target runs New and line 700 of Old"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestEditOfCodeThatNothingRunsIsNoFindingBesideThatNothingRunsIt(t *testing.T) {
	driven := func(m *results.Mutant) { m.Evidence.Unrun, m.ExposedBy.Driver = true, true }
	r := &results.Results{
		Scope: []results.Function{{ID: "p.New", Name: "New", Reason: results.ReasonAdded}, {ID: "p.Old", Name: "Old", Reason: results.ReasonChanged}},
		Mutants: []results.Mutant{
			survivor("a1", exposed, driven, function("p.Old")), survivor("b2", notReached, function("p.New")), survivor("c3", notReached, function("p.Old"), line(700)),
			killedIn("p.Old"),
		},
	}
	if got, want := storyOf(r, Findings(r)[0]).title.Plain("", ""), "no test or fuzz target runs New and lines 101 and 700 of Old"; got != want || len(Findings(r)) != 1 {
		t.Errorf("%q, want %q and nothing else", got, want)
	}
}

func TestTestsThatRunOnlyAnotherEditOfAFindingAreNotDenied(t *testing.T) {
	unrun, run := survivor("a1", exposed, notReached), survivor("b2", exposed)
	run.Evidence.Tests, run.Evidence.By = 1, []string{"p.TestF"}
	if got, want := claim(Finding{Mutant: &unrun, Also: []*results.Mutant{&run}}, "with any of these edits").Plain("", ""), "TestF runs some of this code, and passes with any of these edits."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPiecesOfLargeValuesAreNoExample(t *testing.T) {
	m := survivor("a1", function("p.New"), notReached, exposed)
	m.Evidence.Unrun = true
	m.ExposedBy.Original, m.ExposedBy.Mutant = "x{"+strings.Repeat("a: 1, ", 40)+"b: 1}", "x{"+strings.Repeat("a: 1, ", 40)+"b: 2}"
	r := &results.Results{Scope: []results.Function{{ID: "p.New", Name: "New", Reason: results.ReasonAdded}}, Mutants: []results.Mutant{m}}
	if got := storyOf(r, Finding{Kind: NotRun, Mutant: &m}).witness; len(got) > 0 {
		t.Errorf("%s", got.Plain("", ""))
	}
}

func TestResultsThatNobodyCanReadAreNoReasonForAFinding(t *testing.T) {
	m := survivor("a1", exposed, operator("condition"))
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
			survivor("a1", function("p.F"), driven), survivor("b2", function("p.G"), driven), survivor("c3", function("p.G"), notReached),
			survivor("d4", function("p.H"), driven), killedIn("p.H"),
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
	infected := status(results.Survived, results.Infected)
	never, always := survivor("a1", infected, at(10, "n <= 4", "n <= 4 && false")), survivor("b2", infected, at(10, "n <= 4", "n <= 4 || true"), operator("condition"))
	other := survivor("c3", at(10, "n <= 4", "n <= 4 == ok"))
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{never, always, other}})); got != "" {
		t.Errorf("findings %s", got)
	}
	always.Status, always.Stage = results.Killed, results.Revealed
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{never, always, other}})); got != "c3" {
		t.Errorf("findings %s, want c3", got)
	}
}

func TestCaseWithoutWhichTheTestsGetTheSameIsNoFinding(t *testing.T) {
	left := survivor("a1", operator("case-removal"), func(m *results.Mutant) { m.EndOffset = 150 })
	killed := func(begin, end int) results.Mutant {
		return survivor("b2", status(results.Killed, results.Revealed), func(m *results.Mutant) { m.Offset, m.EndOffset = begin, end })
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
	added := survivor("a1", undoes("if n < 9 {\n\treturn little(n)\n}\nreturn all(n)\n", "return all(n)\n"), func(m *results.Mutant) { m.EndOffset = 200 })
	branch := survivor("b2", status(results.Survived, results.Infected), func(m *results.Mutant) { m.Offset, m.EndOffset, m.Evidence.BranchEnd = 110, 115, 150 })
	killed := survivor("c3", status(results.Killed, results.Revealed), func(m *results.Mutant) { m.Offset, m.EndOffset = 120, 130 })
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

func TestLineWhoseChangeIsNotNoticedHasNoOtherFinding(t *testing.T) {
	undo := survivor("a1", undone, func(m *results.Mutant) { m.EndOffset = 300 })
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{undo, survivor("b2"), survivor("c4")}})); got != "c4 a1" {
		t.Errorf("findings %q, want c4 a1", got)
	}
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{undo, survivor("b2", exposed)}})); got != "b2 a1" {
		t.Errorf("findings %q, want b2 a1: an input shows it", got)
	}
	rewritten := survivor("a1", undone, func(m *results.Mutant) { m.EndOffset, m.Original, m.Replacement = 300, "f()\ng()\nh()\n", "i()\n" })
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{rewritten, survivor("b2")}})); got != "b2 a1" {
		t.Errorf("findings %q, want b2 a1: most of it is new", got)
	}
	undo.Status, undo.Stage = results.Killed, results.Revealed
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{undo, survivor("b2")}})); got != "b2" {
		t.Errorf("findings %q, want b2", got)
	}
}

func TestATestThatTakesANewBranchAndDoesWithoutItIsNamed(t *testing.T) {
	inner := func(changes ...func(*results.Mutant)) results.Mutant {
		m := survivor("b2", append([]func(*results.Mutant){function("p.F"), line(11), between(19, 34), status(results.Killed, results.Revealed)}, changes...)...)
		m.KilledBy = &results.KilledBy{By: results.ByTest, Kind: results.KindTest, Name: "m/p.TestF/empty_name"}
		return m
	}
	const branch = "\tif name == \"\" {\n\t\treturn errEmpty\n\t}\n"
	undo := func(now, old string) results.Mutant {
		return survivor("a1", function("p.F"), line(10), between(0, 60), undoes(now, old), exposed)
	}
	late := func(by []string) results.Mutant { // some tests did not run in time
		m := undo(branch, "")
		m.Reason, m.Evidence.OwnOnly, m.Evidence.By, m.Evidence.Tests = "late", true, by, 1
		return m
	}
	for name, tt := range map[string]struct {
		mutants []results.Mutant
		want    bool
	}{
		"a test takes it":               {[]results.Mutant{undo(branch, ""), inner()}, true},
		"the next line is as it was":    {[]results.Mutant{undo(branch+"\tuse(name)\n", "\tuse(name)\n"), inner()}, true},
		"none notices its edits":        {[]results.Mutant{undo(branch, ""), inner(status(results.Survived, results.Reached))}, false},
		"what is killed is behind":      {[]results.Mutant{undo(branch, ""), inner(between(70, 80))}, false},
		"it takes the place of another": {[]results.Mutant{undo(branch, "\tif name == \"x\" {\n\t\treturn errEmpty\n\t}\n"), inner()}, false},
		"more than a branch is new":     {[]results.Mutant{undo(branch+"\tuse(name)\n", ""), inner()}, false},
		"it may not have run":           {[]results.Mutant{late(nil), inner()}, false},
		"others may not have run":       {[]results.Mutant{late([]string{"m/p.TestF"}), inner()}, true},
	} {
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonChanged}}, Mutants: tt.mutants}
		got := storyOf(r, mutantFinding(&r.Mutants[0], twoValues)).claim.Plain("", "")
		if strings.Contains(got, "TestF/empty_name takes the branch of line 10, and passes without it: other code gives what it expects.") != tt.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestACheckThatATestOfTheChangeTakesAndDoesNotNeedIsAFinding(t *testing.T) {
	undo := survivor("a1", function("p.F"), line(10), between(0, 60), undoes("\tif name == \"\" {\n\t\treturn errEmpty\n\t}\n", ""), status(results.Survived, results.Reached))
	guard := survivor("c3", function("p.F"), line(10), between(4, 14), operator("early-return"), status(results.Survived, results.Infected), func(m *results.Mutant) {
		m.Original, m.Replacement, m.Evidence.BranchEnd = "name == \"\"", "name == \"\" && false", 36
	})
	inner := survivor("b2", function("p.F"), line(11), between(19, 34), operator("error-return"), status(results.Killed, results.Revealed))
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

func TestAPartOfTheChangeThatTestsNoticeElsewhereIsAFinding(t *testing.T) {
	undo := func(id, of, now, old string, changes ...func(*results.Mutant)) results.Mutant {
		m := survivor(id, append([]func(*results.Mutant){function(of), undoes(now, old), status(results.Survived, results.Reached)}, changes...)...)
		m.Evidence.Whole, m.Evidence.Tests, m.Evidence.By = true, 1, []string{"p.TestF"}
		return m
	}
	here := undo("a1", "p.F", "var zero R\nreturn zero, err\n", "return result, err\n")
	for name, tt := range map[string]struct {
		other results.Mutant
		want  string
	}{
		"a test notices the same": {undo("b2", "p.G", "var none T\nreturn none, err\n", "return min, err\n", status(results.Killed, results.Revealed)), "a1"},
		"it is something else":    {undo("b2", "p.G", "var none T\nuse(none)\n", "return min, err\n", status(results.Killed, results.Revealed)), ""},
		"no test notices it":      {undo("b2", "p.G", "var none T\nreturn none, err\n", "return min, err\n"), ""},
	} {
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F"}, {ID: "p.G", Name: "G"}}, Mutants: []results.Mutant{here, tt.other}}
		if got := ids(Findings(r)); got != tt.want {
			t.Errorf("%s: findings %q, want %q", name, got, tt.want)
		}
		if body := Markdown(r, Options{}); strings.Contains(body, "Tests notice the same in `G`.") != (tt.want != "") {
			t.Errorf("%s:\n%s", name, body)
		}
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
		survivor("a1", function("p.F"), line(3), ran("p.TestNew", "p.TestOld")), survivor("b2", function("p.F"), line(5), ran("p.TestNew")),
	}}
	if f := Findings(r)[0]; f.Mutant.ID != "b2" || len(f.Also) != 1 {
		t.Errorf("%s comes first, with %d others", f.Mutant.ID, len(f.Also))
	}
}

func TestEachBrokenTestSaysWhatItSays(t *testing.T) {
	tests := []*results.OldTest{{Test: "p.TestA", Message: "got 1"}, {Test: "p.TestB", Message: "got 1"}, {Test: "p.TestC"}, {Test: "p.TestD", Message: "got 2"}}
	if got := messages(tests[:3]).Plain("", ""); got != "TestA says got 1." {
		t.Errorf("the same message is repeated: %q", got)
	}
	if got := messages(append(tests[:1:1], tests[3])).Plain("", ""); got != "TestA says got 1. TestD says got 2." {
		t.Errorf("a message is missing: %q", got)
	}
}

func TestANewCheckIsNamedWhereTheCallThatShowsItIsLong(t *testing.T) {
	const statement = "if a.Name() == \"\" {\n\treturn errEmpty\n}\n"
	check := func(call, added string) string {
		m := survivor("a1", function("p.F"), undoes(added+"use(a)\n", "use(a)\n"), exposed)
		m.ExposedBy.Driver, m.ExposedBy.Call = true, call
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonChanged}}, Mutants: []results.Mutant{m}}
		return title(r, Findings(r)[0]).Plain("", "")
	}
	long := "F(&" + strings.Repeat("x", 80) + "{})"
	if got, want := check(long, statement), `F: no test fails without the new check a.Name() == ""`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := check(long, statement+"a.n++\n"), "this change alters what F does, and no test notices"; got != want {
		t.Errorf("more than a check is new: %q, want %q", got, want)
	}
	if got, want := check("F(1)", statement), "this change alters what F(1) does, and no test notices"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestALineThatAPartOfTheChangeOnlyAddsIsToldFromOneThatItAlters(t *testing.T) {
	u := survivor("a1", line(10), undoes("if p.delim != \"\" {\n\to = flatten(o)\n}\n\nm := make(M)\nfor target, v := range o {\n\tm[target] = v\n}\n", "\nm := make(M)\nfor k, v := range o {\n\tm[k] = v\n}\n"))
	for n, want := range map[int]bool{10: true, 11: true, 14: false, 15: false, 16: false, 9: false, 30: false} {
		if got := edit.Adds(&u, n); got != want {
			t.Errorf("line %d: added: %v", n, got)
		}
	}
}

func TestFailureOfUnknownOriginIsABugWhereTheChangeIsOrThereIsNoBase(t *testing.T) {
	for _, tt := range []struct {
		base, stack string
		want        int
	}{
		{"", "elsewhere.F(0x1)\n", 1},
		{"main", "elsewhere.F(0x1)\n", 0},
		{"main", "p.F(0x1)\n", 1},
	} {
		r := &results.Results{
			Revisions: results.Revisions{Base: tt.base}, Scope: []results.Function{{ID: "p.F", Name: "F"}},
			Crashes: []results.Crash{{Harness: "p.FuzzA", Entry: "e", Stack: tt.stack, Introduced: results.IntroducedUnknown}},
		}
		s := Select(r, nil, 0)
		if len(s.Open) != tt.want || len(s.OnBase) != 1-tt.want {
			t.Errorf("base %q, stack %q: %d findings, %d others", tt.base, tt.stack, len(s.Open), len(s.OnBase))
		}
		if tt.want == 0 && !strings.Contains(Markdown(r, Options{}), "1 failure that the base has, or may have, too") {
			t.Error("it is not named")
		}
	}
}

func TestDeletedTestThatPanicsIsAFindingAndOthersALine(t *testing.T) {
	r := &results.Results{
		Mutants: []results.Mutant{survivor("a1"), survivor("m2", undone)},
		Crashes: []results.Crash{{Harness: "p.FuzzA", Entry: "e", Introduced: results.IntroducedYes}},
		OldTests: []results.OldTest{
			{Test: "p.TestA", Change: results.TestAltered, Kind: results.KindTest},
			{Test: "p.TestB", Change: results.TestDeleted, Kind: results.KindTest, Message: "got 1", MendedBy: "a1"},
			{Test: "p.TestD", Change: results.TestDeleted, Kind: results.KindCrash, Message: "boom\nmore", MendedBy: "m2"},
		},
	}
	if got, want := ids(Findings(r)), "e p.TestD a1"; got != want {
		t.Errorf("findings %s, want %s", got, want)
	}
	body := Markdown(r, Options{})
	for _, want := range []string{
		"**2. Bug, introduced by this change**: `TestD`, which this change deletes, panics on the new code · `f.go:102`\n",
		"`boom`. It passed before this change, and passes again with a part of the change undone. This edit does that:\n\n```diff\n-am2\n+bm2\n```\n",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
	others := "<summary><code>TestA</code> and <code>TestB</code>, as they were before this change, fail on the new code</summary>\n\n- `TestA`\n- `TestB`: `got 1`\n"
	if body := Markdown(r, Options{Whole: true}); !strings.Contains(body, others) {
		t.Errorf("no %q in\n%s", others, body)
	}
	s := Select(r, nil, 0)
	r.OldTests = nil
	if s = Select(r, &s.History, 0); len(s.Closed) != 1 || s.Closed[0].Fate != Mended {
		t.Errorf("closed: %+v", s.Closed)
	}
}

func TestDeletedTestsOfOneCauseAreOneFinding(t *testing.T) {
	r := &results.Results{Mutants: []results.Mutant{survivor("m2", undone)}}
	for _, name := range []string{"m/p.TestA", "m/p.TestB", "m/q.TestC", "m/p.TestD"} {
		r.OldTests = append(r.OldTests, results.OldTest{Test: name, Change: results.TestDeleted, Kind: results.KindCrash, Message: "boom"})
	}
	r.OldTests[3].MendedBy = "m2"
	body := Markdown(r, Options{})
	for _, want := range []string{
		"### mutantfuzz: `TestA` and `TestB` fail on the new code, and this change deletes them\n",
		"`TestC`, which this change deletes, panics on the new code", "`TestD`, which this change deletes, panics on the new code",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
	past := &History{Shown: []Shown{{Key: oldKey(&r.OldTests[1]), Fate: Open}}}
	if s := Select(r, past, 0); len(s.Closed) > 0 {
		t.Errorf("what is told with another test is closed: %+v", s.Closed)
	} else if told := ids(s.Open); told != "m/p.TestA m/q.TestC m/p.TestD" {
		t.Errorf("open: %s", told)
	}
}

func TestATestThatTheChangeBreaksIsAFinding(t *testing.T) {
	r := &results.Results{
		Scope:       []results.Function{{ID: "m/p.F", Name: "F", Package: "m/p", Reason: results.ReasonChanged}},
		Mutants:     []results.Mutant{survivor("m2", undone)},
		Quarantined: []results.Quarantined{{Test: "m/p.TestA", Why: "fails"}, {Test: "m/p.TestOld", Why: "fails"}},
		OldTests: []results.OldTest{
			{Test: "m/p.TestA", Change: results.TestKept, Kind: results.KindTest, Message: "got 1, want 2"},
			{Test: "m/p.TestB", Change: results.TestKept, Kind: results.KindHang},
			{Test: "m/p.TestC", Change: results.TestDeleted, Kind: results.KindCrash},
			{Test: "m/p.TestD", Change: results.TestKept, Kind: results.KindTest, MendedBy: "m2"},
		},
	}
	body := Markdown(r, Options{})
	for _, want := range []string{
		"### mutantfuzz: `TestA` and `TestB` fail since this change\n", "**1. Broken test**", "`TestA` says `got 1, want 2`. They pass on the base.",
		"If the new behaviour is meant, the tests have to change with it.",
		"`TestC`, which this change deletes, panics on the new code", "`TestD` fails since this change", "If the new behaviour is meant, the test has to change with it.",
		"\n`TestOld` was left out, because it did not pass",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
	if other := Findings(r)[0]; other.Kind != Bug {
		t.Errorf("it is %v", other.Kind)
	}
}

func TestOneTestThatFailsAsItWasIsALineOfTheSummary(t *testing.T) {
	r := &results.Results{
		Mutants:  []results.Mutant{survivor("a1")},
		OldTests: []results.OldTest{{Test: "p.TestA", Change: results.TestAltered, Kind: results.KindCrash, Message: "panic: boom [recovered, repanicked]\nmore"}},
	}
	want := "\n\n`TestA`, as it was before this change, panics on the new code: `boom`.\n\n"
	if body := Markdown(r, Options{Whole: true}); !strings.Contains(body, want) {
		t.Errorf("no %q in\n%s", want, body)
	}
	if body := Markdown(r, Options{}); strings.Contains(body, "as it was before") {
		t.Errorf("the review says what its author knows:\n%s", body)
	}
}

func TestNothingIsSaidOfTestsThatWereNotSeen(t *testing.T) {
	unseen, unrun := survivor("a1", notReached, inProgram), survivor("b2", notReached)
	if got := foldedLine([]*results.Mutant{&unseen}).Plain("", "") + stageWords(&unseen); strings.Contains(got, "no test runs") || strings.Count(got, "no test is seen to run") != 2 {
		t.Error(got)
	}
	if got := foldedLine([]*results.Mutant{&unrun}).Plain("", "") + stageWords(&unrun); strings.Count(got, "no test runs") != 2 {
		t.Error(got)
	}
	unseen.Evidence.Unrun = true // only a driver reaches it
	if got := stageWords(&unseen); !strings.HasPrefix(got, "no test is seen to run the code;") {
		t.Error(got)
	}
}

func TestCallsWithinAProgramThatNoTestIsSeenToRunAreNoFinding(t *testing.T) {
	for _, tt := range []struct {
		program, inner bool
		want           int
	}{{true, true, 0}, {true, false, 1}, {false, true, 1}} {
		m := survivor("a1", exposed)
		m.ExposedBy.Driver, m.ExposedBy.Inner, m.Evidence.Program, m.Evidence.Unrun = true, tt.inner, tt.program, true
		r := &results.Results{Scope: []results.Function{{ID: m.Function, Reason: results.ReasonAdded}}, Mutants: []results.Mutant{m}}
		if list := Findings(r); len(list) != tt.want {
			t.Errorf("%+v: findings %s", tt, ids(list))
		}
	}
}

func TestTheSameLongEditOfTwinsIsOneFinding(t *testing.T) {
	edit := func(f, line, without string) results.Mutant {
		return survivor("a"+f, function("p."+f), func(m *results.Mutant) {
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
	m := survivor("a1", function("p.F"), func(m *results.Mutant) { m.Context = `	return ".mz"` })
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
			exposed(m)
			m.ExposedBy.Call, m.ExposedBy.Original, m.ExposedBy.Mutant = call, "true", "false"
		}
	}
	first, same, other := survivor("a1", line(5), shows("F(1)")), survivor("a2", line(5), shows("F(1)")), survivor("a3", line(5), shows("F(2)"))
	elsewhere, made := survivor("a4", line(6), shows("F(1)")), survivor("a5", line(6), shows("F(1)"))
	elsewhere.ExposedBy.Mutant, made.ExposedBy.Setup = "2", []string{"v := New()"}
	f := Finding{Mutant: &first, Also: []*results.Mutant{&same, &other, &elsewhere, &made}}.distinct()
	if got := f.all(); len(got) != 3 || got[1] != &other || got[2] != &made {
		t.Errorf("%d rows are left", len(got))
	}
}

func TestWhatTheProgramEndsWithoutComesNext(t *testing.T) {
	shows := func(call, ends string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			exposed(m)
			m.ExposedBy.Call, m.ExposedBy.Original, m.ExposedBy.Mutant, m.ExposedBy.Ends = call, "true", "false", ends
		}
	}
	r := &results.Results{Mutants: []results.Mutant{
		survivor("a1", function("p.F"), line(1), shows("F(1)", "")), survivor("a2", function("p.F"), line(2), shows("F(2)", "")),
		survivor("a3", function("p.F"), line(3), shows("F(3)", "")), survivor("a4", function("p.F"), line(4), shows("F(4)", results.CrashPanic)),
		survivor("a5", function("p.F"), line(5), shows("F(5)", results.CrashPanic)),
	}}
	r.Mutants[4].Category = results.CategoryRemoval
	found := Findings(r)
	if len(found) != 1 {
		t.Fatalf("findings %s", ids(found))
	}
	s := storyOf(r, found[0])
	var inputs []string
	for _, one := range s.rows {
		inputs = append(inputs, one.input)
	}
	if got := strings.Join(inputs, " "); got != "F(1) F(5) F(2)" || found[0].Mutant.ID != "a1" {
		t.Errorf("the rows are about %s", got)
	}
	if keys := found[0].alsoKeys(); !slices.Contains(keys, mutantKey(&r.Mutants[4])) {
		t.Error("what is shown first is not kept")
	}
}

func TestAStatementLeftOutWithAllThatIsNewIsNoOtherEdit(t *testing.T) {
	whole, statement := survivor("a1", undoes("if a {\n\tf()\n}\n", "")), survivor("a2")
	whole.Offset, whole.EndOffset, statement.Offset, statement.EndOffset = 10, 30, 15, 18
	statement.Category, statement.Original, statement.Replacement = results.CategoryRemoval, "f()", ""
	if f := (Finding{Mutant: &statement, Also: []*results.Mutant{&whole}}).distinct(); len(f.Also) != 0 {
		t.Error("they are two rows")
	}
	exposed(&statement)
	if f := (Finding{Mutant: &statement, Also: []*results.Mutant{&whole}}).distinct(); len(f.Also) != 1 {
		t.Error("an input tells them apart, and they are one")
	}
}

func TestAPartOfWhatIsUndoneIsNoOtherEdit(t *testing.T) {
	whole, half := survivor("a1", undoes("a := copied(x)\nuse(a)\nb := copied(x)\n", "a := x\nuse(a)\nb := x\n")), survivor("a2", undoes("b := copied(x)\n", "b := x\n"))
	whole.Offset, whole.EndOffset, half.Offset, half.EndOffset = 10, 50, 30, 50
	for _, all := range [][]*results.Mutant{{&whole, &half}, {&half, &whole}} {
		if f := (Finding{Mutant: all[0], Also: all[1:]}).distinct(); len(f.Also) != 0 {
			t.Errorf("%s and %s are two rows", all[0].ID, all[1].ID)
		}
	}
	exposed(&half)
	if f := (Finding{Mutant: &whole, Also: []*results.Mutant{&half}}).distinct(); len(f.Also) != 1 {
		t.Error("an input tells them apart, and they are one")
	}
}

func TestAStatementLeftOutWithItsCommentIsNoOtherEdit(t *testing.T) {
	whole, statement := survivor("a1", line(5)), survivor("a2", line(5))
	whole.Operator, whole.Category = "hunk-reversal", results.CategoryReversal
	whole.Original, whole.Replacement = "\ts.start() // once\n\treturn s.done\n", "\treturn s.done\n"
	whole.Context = strings.TrimSuffix(whole.Original, "\n")
	statement.Original, statement.Replacement, statement.Column = "s.start()", "if false { s.start() }", 2
	statement.Context = "\ts.start() // once"
	if f := (Finding{Mutant: &whole, Also: []*results.Mutant{&statement}}).distinct(); len(f.Also) != 0 {
		t.Errorf("they are two rows: %q and %q", whole.Original, statement.Original)
	}
	statement.Original, statement.Replacement = "s.start() // once", "s.stop() // once"
	if f := (Finding{Mutant: &whole, Also: []*results.Mutant{&statement}}).distinct(); len(f.Also) != 1 {
		t.Error("another call is no row of its own")
	}
}

func TestWhatNoTestRunsIsShownWithACallThatSucceeds(t *testing.T) {
	driven := func(call, original, errors string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Evidence.Unrun, m.Stage = true, results.Propagated
			m.ExposedBy = &results.ExposedBy{Call: call, Original: original, Mutant: "2", Errors: errors, Driver: true, Test: "test of " + call, TestFile: "f_test.go"}
		}
	}
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Reason: results.ReasonChanged}},
		Mutants: []results.Mutant{survivor("a1", function("p.F"), driven("F(0)", `error("x")`, results.ErrorInOriginal)), survivor("b2", function("p.F"), driven("F(1)", "1", ""))},
	}
	s := storyOf(r, Findings(r)[0])
	if got := s.witness.Plain("", ""); got != "For example, F(1) gives 1." || s.test != "test of F(1)" {
		t.Errorf("it says %q, with %q", got, s.test)
	}
	r.Mutants[0] = survivor("a1", function("p.F"), driven("m.F(1)", "1", ""))
	r.Mutants[0].ExposedBy.Setup = []string{"m := New()", "m.Set(1, 2)"}
	r.Mutants[1].ExposedBy.Original, r.Mutants[1].ExposedBy.Test = "0", ""
	if s := storyOf(r, Findings(r)[0]); s.witness.Plain("", "") != "" || s.test != "test of m.F(1)" {
		t.Errorf("beside the test it says %q", s.witness.Plain("", ""))
	}
}

func TestThatNoTestRunsWhatIsOnlyWrittenAnewIsNoFinding(t *testing.T) {
	driven := func(m *results.Mutant) {
		m.Evidence.Unrun, m.Stage, m.ExposedBy = true, results.Propagated, &results.ExposedBy{Call: "F(1)", Original: "1", Mutant: "2", Driver: true}
	}
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Reason: results.ReasonChanged}},
		Mutants: []results.Mutant{survivor("a1", function("p.F"), driven), survivor("b2", function("p.F"), undone, notReached, fuzzedWith(agreed))},
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
			Mutants: []results.Mutant{survivor("a1", function("p.F"), undoes(tt.call+"\n", "x += 2\n"), notReached, fuzzedWith(tt.agree)), survivor("b2", function(tt.helper.ID), removal)},
		}
		found := slices.DeleteFunc(Findings(r), func(f Finding) bool { return f.Mutant.Function != tt.helper.ID })
		if len(found) != tt.want {
			t.Errorf("%s: %d findings, want %d", name, len(found), tt.want)
		}
	}
}

func TestLeavingOutAllOfABranchIsOneRowWithItsCondition(t *testing.T) {
	condition, statement := survivor("a1", line(5)), survivor("a2", line(6))
	condition.Original, condition.Replacement, condition.EndOffset, condition.Evidence.BranchEnd, condition.Evidence.Branch = "n > max", "n > max && false", 20, 60, "\t\tn = max"
	statement.Original, statement.Replacement, statement.Offset, statement.EndOffset = "n = max", "if false { n = max }", 30, 37
	for _, all := range [][]*results.Mutant{{&condition, &statement}, {&statement, &condition}} {
		if f := (Finding{Mutant: all[0], Also: all[1:]}).distinct(); len(f.Also) != 0 {
			t.Errorf("%s and %s are two rows", all[0].ID, all[1].ID)
		}
	}
	statement.Replacement = "n = 0"
	if f := (Finding{Mutant: &condition, Also: []*results.Mutant{&statement}}).distinct(); len(f.Also) != 1 {
		t.Error("another value is no row of its own")
	}
}

func TestWhatNoTestRunsIsNotSaidAgainBesideAChangeOfBehaviour(t *testing.T) {
	driven := func(m *results.Mutant) {
		m.Evidence.Unrun, m.Stage, m.ExposedBy = true, results.Propagated, &results.ExposedBy{Call: "F(1)", Original: "1", Mutant: "2", Driver: true}
	}
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Reason: results.ReasonChanged}, {ID: "p.G", Reason: results.ReasonChanged}},
		Mutants: []results.Mutant{survivor("a1", function("p.F"), undone, driven), survivor("b2", function("p.F"), driven), survivor("c3", function("p.G"), driven)},
	}
	if got := ids(Findings(r)); got != "a1 c3" {
		t.Errorf("findings %s", got)
	}
}

func TestTitleSaysWhichValueAConditionHasInNoTest(t *testing.T) {
	forced := func(context, replacement string) *results.Mutant {
		m := survivor("a1")
		m.Original, m.Replacement, m.Context = "n > max", replacement, context
		return &m
	}
	for _, tt := range []struct{ context, replacement, want string }{
		{"\tif n > max {", "n > max && false", "p.Fa1: no test makes n > max true"},
		{"\tif n > max {", "n > max || true", "p.Fa1: no test makes n > max false"},
		{"\tif n := f(); n > max {", "n > max && false", "p.Fa1: no test makes n > max true"},
		{"\tif n > max && ok {", "n > max && false", "p.Fa1: no test fails if the branch where n > max is left out"},
		{"\tif ok || n > max {", "n > max && false", "p.Fa1: no test fails without n > max in the condition"},
		{"\tfor n > max {", "n > max || true", "p.Fa1: no test fails if it does not check n > max"},
	} {
		m := forced(tt.context, tt.replacement)
		f := Finding{Kind: Gap, Mutant: m}
		if got := title(&results.Results{}, f).Plain("", ""); got != tt.want {
			t.Errorf("%s → %s: %q, want %q", tt.context, tt.replacement, got, tt.want)
		}
		m.Stage, m.Evidence.Same = results.Infected, false
		if got := title(&results.Results{}, f).Plain("", ""); strings.Contains(got, "no test makes") {
			t.Errorf("%q, although it had that value", got)
		}
	}
}

func TestTitleOfEditsOfCodeThatNoTestRunsNamesThatCode(t *testing.T) {
	driven := func(m *results.Mutant) { m.Evidence.Unrun = true }
	one, two, other := survivor("a1", driven), survivor("b2", driven, function("p.Fa1"), line(107)), survivor("c3", driven)
	ran := survivor("d4", function("p.Fa1"))
	long := survivor("a1", driven, func(m *results.Mutant) { m.Original = "f(\n\t1)" })
	for _, tt := range []struct {
		first results.Mutant
		also  []*results.Mutant
		rest  []results.Mutant // the mutants of the results
		want  string
	}{
		{one, nil, nil, "p.Fa1: no test runs aa1"},
		{long, nil, nil, "p.Fa1: no test runs line 101"},
		{one, []*results.Mutant{&two}, nil, "no test runs p.Fa1"},
		{one, []*results.Mutant{&two}, []results.Mutant{ran}, "p.Fa1: no test runs lines 101 to 107"},
		{one, []*results.Mutant{&other}, nil, "p.Fa1 and p.Fc3: no test runs what these edits alter"},
		{one, []*results.Mutant{&ran}, nil, "p.Fa1: no test fails with ba1 in place of aa1, or with 1 other edit"},
	} {
		f := Finding{Kind: Gap, Mutant: &tt.first, Also: tt.also}
		if got := title(&results.Results{Mutants: tt.rest}, f).Plain("", ""); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
		row := rowOf(&results.Results{}, f, f.Mutant)
		if said := strings.Contains(row.edit.Plain("", ""), "no test runs it"); said == f.unrun() {
			t.Errorf("%q: the title says it, and the row %q, too, or neither does", tt.want, row.edit.Plain("", ""))
		}
	}
}

func TestEditsAlikeToThoseOfFindingsAreNotListed(t *testing.T) {
	added, statement := survivor("a1", line(7), undoes("\tn++\n", "")), survivor("a2", line(7))
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
		m := survivor(id, function("p."+name), undone)
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
		m := survivor("a1")
		m.Original, m.Replacement, m.Context, m.Evidence.Branch = condition, condition+" && false", "\tif "+condition+" {", branch
		return editKey(&m)
	}
	undoing := func(added string) string {
		m := survivor("b2", undone)
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

func TestFunctionsOfOneNameAreToldApart(t *testing.T) {
	r := &results.Results{Scope: []results.Function{
		{ID: "example.com/m.F", Name: "F", Package: "example.com/m"},
		{ID: "example.com/m/v3.F", Name: "F", Package: "example.com/m/v3"},
		{ID: "example.com/m/v3.T.G", Name: "T.G", Package: "example.com/m/v3"},
	}}
	for id, want := range map[string]string{
		"example.com/m.F": "m.F", "example.com/m/v3.F": "v3.F", "example.com/m/v3.T.G": "T.G", "unknown": "unknown",
	} {
		if got := functionName(r, id); got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

func TestLinesThatAChangeMovesAreNoFinding(t *testing.T) {
	const check, rest = "if n > 3 {\n\tg(n)\n}\n", "if on {\n\tf()\n}\n"
	at := func(offset, end int, m *results.Mutant) { m.Offset, m.EndOffset = offset, end }
	part := survivor("a1", undoes(check, ""), func(m *results.Mutant) { at(100, 140, m) })
	whole := survivor("b2", undoes(check+rest, rest+check), status(results.Killed, results.Revealed), func(m *results.Mutant) { at(100, 180, m) })
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{part, whole}})); got != "" {
		t.Errorf("findings %q", got)
	}
	other := survivor("b2", undoes(check+rest, rest), status(results.Killed, results.Revealed), func(m *results.Mutant) { at(100, 180, m) })
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
		undo, other := survivor("a1", undoes(tt.added, tt.old)), survivor("b2", status(results.Killed, results.Revealed))
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
		undo, other := survivor("a1", undoes(added, "")), survivor("b2", status(results.Killed, results.Revealed))
		if got := ids(Findings(&results.Results{Mutants: []results.Mutant{undo, other}})); got != want {
			t.Errorf("findings %q, want %q, where this is added:\n%s", got, want, added)
		}
	}
}

func TestTheSignOfAZeroIsNoFinding(t *testing.T) {
	for _, tt := range []struct{ original, mutant, want string }{
		{"[]float64{0, -0}, nil", "[]float64{0, 0}, nil", ""}, {"-0", "0", ""}, {"-0.5", "0.5", "a1"}, {"-01", "01", "a1"}, {"0", "1", "a1"},
	} {
		m := survivor("a1", exposed)
		m.ExposedBy.Original, m.ExposedBy.Mutant = tt.original, tt.mutant
		if got := ids(Findings(&results.Results{Mutants: []results.Mutant{m}})); got != tt.want {
			t.Errorf("%s and %s: findings %q, want %q", tt.original, tt.mutant, got, tt.want)
		}
	}
}

func TestAPartOfTheChangeThatNothingRunsIsToldOnce(t *testing.T) {
	part := survivor("a1", undoes("\tif n > 3 {\n\t\tf()\n\t}\n", ""), exposed, func(m *results.Mutant) {
		m.ExposedBy, m.Offset, m.EndOffset = &results.ExposedBy{Driver: true}, 100, 200
	})
	line := survivor("b2", notReached, func(m *results.Mutant) { m.Line, m.Offset, m.EndOffset = 2, 120, 123 })
	if got := ids(Findings(&results.Results{Mutants: []results.Mutant{part}})); got != "a1" {
		t.Errorf("findings %q, want a1", got)
	}
	r := &results.Results{Scope: []results.Function{{ID: line.Function, Reason: results.ReasonAdded}}, Mutants: []results.Mutant{part, line}}
	if got := ids(Findings(r)); got != "b2" {
		t.Errorf("findings %q, want b2", got)
	}
}

func TestANewOptionThatNoTestSetsIsAFinding(t *testing.T) {
	option := survivor("a1", operator("condition"), alwaysTrue, status(results.Survived, results.Reached), func(m *results.Mutant) {
		m.Original, m.Replacement, m.Context = "!f.NoFormat", "!f.NoFormat || true", "\tif !f.NoFormat {"
	})
	r := &results.Results{Mutants: []results.Mutant{option}}
	if got := ids(Findings(r)); got != "" {
		t.Errorf("findings %q for what the change does not add", got)
	}
	r.AddedData = []string{"example.com/p.File.NoFormat"}
	found := Findings(r)
	if got := ids(found); got != "a1" {
		t.Fatalf("findings %q, want a1", got)
	}
	if body := Markdown(r, Options{}); !strings.Contains(body, "no test makes `f.NoFormat` true") || !strings.Contains(body, "A test in which `f.NoFormat` is true would notice.") {
		t.Errorf("the review is\n%s", body)
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
		undo, other := survivor("a1", undoes(tt.now, tt.old)), survivor("b2", status(results.Killed, results.Revealed))
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
		r := &results.Results{Scope: []results.Function{tt.function}, Mutants: []results.Mutant{survivor("a1", function("p.F"), notReached)}}
		if found := Findings(r); len(found) != tt.want {
			t.Errorf("%s: %d findings", name, len(found))
		}
	}
}

func TestACallWithinThePackageThatIsGivenNothingIsNoChangeOfBehaviour(t *testing.T) {
	for call, want := range map[string]int{`root("", "")`: 0, `root("", nil)`: 0, `root("a", "")`: 1} {
		m := survivor("a1", undone, exposed)
		m.ExposedBy.Driver, m.ExposedBy.Inner, m.ExposedBy.Call = true, true, call
		if found := Findings(&results.Results{Mutants: []results.Mutant{m}}); len(found) != want {
			t.Errorf("%s: %d findings", call, len(found))
		}
	}
}

func TestLinesThatTheChangeTakesAwayArePutBack(t *testing.T) {
	for base, want := range map[string]string{"check()\nf()\n": "with it put back", "g()\n": "without it", "": "without it"} {
		m := survivor("a1", undoes("f()\n", base))
		if got := second(Finding{Mutant: &m}); got != want {
			t.Errorf("%q: %s, want %s", base, got, want)
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
		r := &results.Results{Mutants: []results.Mutant{survivor("a1", undoes(head, "r.reset()\n"))}}
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
			survivor("b1", operator("branch-removal"), func(m *results.Mutant) { m.Evidence.Branch = branch }),
		}}
		if got := Findings(r); len(got) != shown {
			t.Errorf("%q: %d findings", branch, len(got))
		}
	}
}

func TestNorIsAPartOfSuchAGuard(t *testing.T) {
	for branch, shown := range map[string]int{"\t\tpanic(\"negative index\")": 0, "\t\treturn nil": 1} {
		guard := survivor("b1", operator("branch-removal"), func(m *results.Mutant) {
			m.Status, m.Offset, m.EndOffset, m.Evidence.Branch = results.Killed, 100, 120, branch
		})
		part := survivor("b2", operator("logical"), func(m *results.Mutant) { m.Offset, m.EndOffset = 100, 120 })
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
		survivor("a1", drop("rule.Start(set.start)")), survivor("a2", drop("except.Start(set.start)")), survivor("a3", drop("except.Stop(set.start)")),
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
			undone(m)
			m.Stage, m.Original, m.Replacement = results.Reached, "return ErrDone[*P]{nil}", "return ErrDone"
			m.Needs = &results.Needs{Added: []results.Addition{{Text: added}}}
		}
	}
	for added, want := range map[string]int{"\nvar ErrDone = errors.New(\"done\")\n": 0, "\nvar wrap func(error) error\nwrap = func(err error) error {\n\treturn err\n}\n": 0, ";import \"errors\"": 1} {
		r := &results.Results{Mutants: []results.Mutant{survivor("a1", undo(added), func(m *results.Mutant) { m.Original, m.Replacement = "if a && b {", "if a {" })}}
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
		r := &results.Results{Mutants: []results.Mutant{survivor("a1", operator("statement-deletion"), func(m *results.Mutant) {
			m.Original, m.Replacement = statement, "if false { "+statement+" }"
		})}}
		if got := Findings(r); len(got) != shown {
			t.Errorf("%q: %d findings", statement, len(got))
		}
	}
}

func TestAFindingBeginsWithAnEditThatAnInputShows(t *testing.T) {
	inner := func(m *results.Mutant) { m.ExposedBy.Driver, m.ExposedBy.Inner = true, true }
	plain, shown := survivor("a1", function("p.F")), survivor("b2", function("p.F"), exposed, inner)
	for _, tt := range []struct {
		name    string
		mutants []results.Mutant
		want    string
	}{
		{"of its function", []results.Mutant{plain, shown}, "b2 a1"},
		{"which may be the first", []results.Mutant{plain, survivor("b2", function("p.F"), exposed, inner, unverified)}, "a1 b2"},
		{"of another one", []results.Mutant{plain, survivor("b2", function("p.G"), exposed, inner)}, "a1"},
	} {
		r := &results.Results{Mutants: tt.mutants}
		var got []string
		for _, m := range Findings(r)[0].all() {
			got = append(got, m.ID)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
	}
}

func TestWhatACallWithoutAResultDoesIsSaid(t *testing.T) {
	m := survivor("a1", function("p.F"), exposed, func(m *results.Mutant) { m.ExposedBy.Original, m.ExposedBy.Mutant = "", "panics: no" })
	r := &results.Results{Mutants: []results.Mutant{m}}
	if got := storyOf(r, Findings(r)[0]).witness.Plain("", ""); got != "Fa1(): returns; with this edit, panics: no." {
		t.Error(got)
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
		r := &results.Results{Mutants: []results.Mutant{survivor("a1", function("p.F"), exposed, func(m *results.Mutant) { m.Reason = reason })}}
		if got := Findings(r); len(got) != shown {
			t.Errorf("%q: %d findings", reason, len(got))
		}
	}
}

func TestThatAnotherConstantIsReturnedIsNoNews(t *testing.T) {
	for now, shown := range map[string]int{"return \"1.22.0\"": 0, "return version + \"-beta\"": 1} {
		m := survivor("a1", function("p.Version"), operator("hunk-reversal"), exposed, func(m *results.Mutant) {
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
		r := &results.Results{Mutants: []results.Mutant{survivor("a1", operator("hunk-reversal"), func(m *results.Mutant) {
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
	} {
		m := survivor("a1", undoes(tt.head, tt.base), func(m *results.Mutant) { m.Stage = results.Infected })
		if got := len(Findings(&results.Results{Mutants: []results.Mutant{m}})); got != tt.want {
			t.Errorf("%s: %d findings, want %d", name, got, tt.want)
		}
	}
}

func TestThatAPartOfTheChangeClosesSomethingIsNoNews(t *testing.T) {
	for added, shown := range map[string]int{"\tdefer resp.Body.Close()\n": 0, "\tdefer resp.Body.Close()\n\tc.seen(resp)\n": 1} {
		r := &results.Results{Mutants: []results.Mutant{survivor("a1", undone, writes(added, ""))}}
		if got := len(Findings(r)); got != shown {
			t.Errorf("%q: %d findings, want %d", added, got, shown)
		}
	}
}

func TestAConditionThatHoldsInNoTestIsToldAsAWholeBeforeItsParts(t *testing.T) {
	part := survivor("a1", function("p.F"), writes("a || b", "a && b"), func(m *results.Mutant) {
		m.Operator, m.Stage, m.Context = "logical", results.Reached, "\tif a || b || c {"
		m.Offset, m.EndOffset = 10, 16
	})
	whole := survivor("b2", function("p.F"), writes("a || b || c", "(a || b || c) && false"), func(m *results.Mutant) {
		m.Operator, m.Stage, m.Context, m.Evidence.Same = "early-return", results.Reached, "\tif a || b || c {", true
		m.Offset, m.EndOffset = 10, 21
	})
	found := Findings(&results.Results{Mutants: []results.Mutant{part, whole}})
	if len(found) != 1 || found[0].Mutant.ID != "b2" || len(found[0].distinct().Also) != 0 {
		t.Errorf("got %s", ids(found))
	}
	part.Stage = results.Infected // in some test, a and b differ
	if toldWith(&whole, &part) {
		t.Error("a part that makes a difference is told with the whole")
	}
}

func TestWhatOnlyACallWithinThePackageShowsAndManyOfCallersDoNotIsNoFinding(t *testing.T) {
	inner := func(m *results.Mutant) {
		exposed(m)
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
		{"few inputs of callers", survivor("a1", inner, callers(fuzzed-1)), 1},
		{"many", survivor("a1", inner, callers(fuzzed)), 0},
		{"many, but no test has the condition true", survivor("a1", inner, callers(fuzzed), never), 1},
	} {
		if got := len(Findings(&results.Results{Mutants: []results.Mutant{tt.m}})); got != tt.want {
			t.Errorf("%s: %d findings, want %d", tt.fact, got, tt.want)
		}
	}
}

func TestWhatIsAcceptedSinceTheChangeComesBeforeWhatIsRefused(t *testing.T) {
	gives := func(now, before string) func(*results.Mutant) {
		return func(m *results.Mutant) { m.ExposedBy.Original, m.ExposedBy.Mutant = now, before }
	}
	r := &results.Results{Mutants: []results.Mutant{
		survivor("a1", undone, exposed, function("p.F"), gives("false", "true")), survivor("b2", undone, exposed, function("p.G"), gives("true", "false")),
	}}
	if got := ids(Findings(r)); got != "b2 a1" && got != "b2" {
		t.Errorf("findings %q, want b2 first", got)
	}
	f := Finding{Kind: Behaviour, Mutant: &r.Mutants[1], Also: []*results.Mutant{&r.Mutants[0]}}
	if got := title(r, f).Plain("", ""); !strings.HasSuffix(got, " and 1 other function do, and no test notices") {
		t.Error(got)
	}
}

func TestGapsOfAFunctionThatGivesWhatItGaveAreOlder(t *testing.T) {
	for n, want := range map[int64]string{agreed: "", agreed - 1: "b2"} {
		r := &results.Results{Mutants: []results.Mutant{
			survivor("a1", undoes("if a {\n", "if b {\n"), function("p.F"), fuzzedWith(n), between(0, 9)), survivor("b2", function("p.F"), operator("loop-iterations"), between(20, 29), func(m *results.Mutant) { m.Evidence.Tests = 1 }),
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
		m := survivor("a1", exposed, function(tt.function))
		m.ExposedBy.Original, m.ExposedBy.Mutant = tt.original, tt.mutant
		if got := len(Findings(&results.Results{Mutants: []results.Mutant{m}})) > 0; got != tt.found {
			t.Errorf("%s: %s and %s: found: %v", tt.function, tt.original, tt.mutant, got)
		}
	}
}

func TestWhatNoMachineHasTheMemoryForIsNoInput(t *testing.T) {
	for ends, want := range map[string]bool{"": true, results.CrashFatal: false} {
		m := survivor("a1", exposed)
		m.ExposedBy.Driver, m.ExposedBy.Call, m.ExposedBy.Ends, m.ExposedBy.Mutant = true, "F(1)", ends, "fatal error: runtime: out of memory"
		if got := witness(&m) != nil; got != want {
			t.Errorf("where it ends with %q: an input: %v", ends, got)
		}
	}
}

func TestAFunctionThatOnlyReturnsConstantsHasNoFinding(t *testing.T) {
	for _, constant := range []bool{false, true} {
		r := &results.Results{
			Scope: []results.Function{{ID: "p.F", Reason: results.ReasonChanged, StartLine: 1, EndLine: 20, Constant: constant}},
			Mutants: []results.Mutant{
				survivor("a1", function("p.F"), undoes("English,\nDanish,", "English,"), exposed),
				survivor("b2", function("p.F"), notReached),
			},
		}
		if found := Findings(r); (len(found) == 0) != constant {
			t.Errorf("constant: %t, findings: %v", constant, found)
		}
	}
}

func TestAListThatIsNeverEmptyIsNamed(t *testing.T) {
	for same, want := range map[bool]string{
		true:  "F: no test has an empty c.certs, which would panic without this check",
		false: "F: no test fails with len(c.certs) >= 0 in place of len(c.certs) > 0",
	} {
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F"}}, Mutants: []results.Mutant{
			survivor("a1", function("p.F"), operator("relational"), writes("len(c.certs) > 0", "len(c.certs) >= 0"), func(m *results.Mutant) {
				m.Evidence.Same, m.Context = same, "if len(c.certs) > 0 {"
			}),
			survivor("b1", function("p.F"), status(results.Killed, results.Revealed), writes("len(c.certs) > 0", "len(c.certs) > 0 && false"), func(m *results.Mutant) {
				m.Evidence.Branch = "\tname = c.certs[0].Name"
			}),
		}}
		if found := Findings(r); len(found) != 1 || title(r, found[0]).Plain("", "") != want {
			t.Errorf("same %v: %s, want %q", same, ids(found), want)
		}
	}
}

func TestAnEditThatGivesWhatTheBaseGaveIsTitledByWhatTheChangeDoes(t *testing.T) {
	gave := func(base, mutant string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			exposed(m)
			m.ExposedBy.Call, m.ExposedBy.Original, m.ExposedBy.Mutant, m.ExposedBy.Base = "F(1)", "2", mutant, base
		}
	}
	const edit = "F: no test fails with ba1 in place of aa1"
	for name, tt := range map[string]struct {
		mutant results.Mutant
		want   string
	}{
		"the same":      {survivor("a1", function("p.F"), gave("3", "3")), "this change makes F(1) give 2 instead of 3, and no test says so"},
		"the same text": {survivor("a1", function("p.F"), gave("a b", `"a b"`)), `this change makes F(1) give 2 instead of "a b", and no test says so`},
		"a test may say it": {survivor("a1", function("p.F"), gave("3", "3"), func(m *results.Mutant) {
			m.Reason, m.Evidence.Failing, m.Evidence.ByChange = results.QuarantinedRun+"TestA", true, []results.NewTest{{Test: "p.TestF", Change: results.TestAdded}}
		}), edit},
		"something else":       {survivor("a1", function("p.F"), gave("3", "4")), edit},
		"what it gives now":    {survivor("a1", function("p.F"), gave("", "3")), edit},
		"too long for a title": {survivor("a1", function("p.F"), gave(strings.Repeat("3", maxInHeadline+1), strings.Repeat("3", maxInHeadline+1))), edit},
	} {
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F"}}, Mutants: []results.Mutant{tt.mutant}}
		if found := Findings(r); len(found) != 1 || title(r, found[0]).Plain("", "") != tt.want {
			t.Errorf("%s: %q, want %q", name, title(r, found[0]).Plain("", ""), tt.want)
		}
	}
}

func TestAnEditThatTakesManyLinesIsNotShownUnlessItUndoesTheChange(t *testing.T) {
	closures := func(first, second string) string {
		lines := strings.Repeat("\n\twork()", 10)
		return first + lines + "\n}, " + second + lines + "\n}"
	}
	m := survivor("a1")
	m.Original, m.Replacement, m.Context = closures("func(a int) {", "func(b int) {"+strings.Repeat("\n\tmore()", 12)), closures("func(b int) {"+strings.Repeat("\n\tmore()", 12), "func(a int) {"), ""
	m.Operator = "return-value"
	if found := Findings(push(m)); len(found) != 0 {
		t.Errorf("shown: %v", found)
	}
	m.Category, m.Stage = results.CategoryReversal, results.Infected
	m.Replacement = closures("func(a int) {", "func(b int) {") // undoes a change that only added lines
	if found := Findings(push(m)); len(found) != 1 {
		t.Errorf("a part of the change undone is not shown: %v", found)
	}
}
