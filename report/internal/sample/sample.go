// Package sample makes mutants and results for tests of the packages below report. These tests import its names as if they
// were their own, because their tables use little else.
package sample

import (
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Survivor returns a verified survivor, adjusted by changes. By default its operator is one that maintainers act on,
// and its function and its changed line depend on id.
func Survivor(id string, changes ...func(*results.Mutant)) results.Mutant {
	line, _ := strconv.Atoi(strings.TrimLeft(id, "abcdefghijklmnopqrstuvwxyz")) // 0 if the ID has no number
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

// Line puts a mutant on line n.
func Line(n int) func(*results.Mutant) { return func(m *results.Mutant) { m.Line = n } }

// Function puts a mutant into the function with an ID.
func Function(f string) func(*results.Mutant) { return func(m *results.Mutant) { m.Function = f } }

// Operator gives a mutant another operator.
func Operator(o string) func(*results.Mutant) { return func(m *results.Mutant) { m.Operator = o } }

// FuzzedWith says that n inputs ran a mutant, and that all gave the same as before the change.
func FuzzedWith(n int64) func(*results.Mutant) {
	return func(m *results.Mutant) { m.Evidence.Execs, m.Evidence.Agreed = n, n }
}

// ErrorIn says in which result of an exposed mutant there is an error.
func ErrorIn(which string) func(*results.Mutant) {
	return func(m *results.Mutant) { m.ExposedBy.Errors = which }
}

// OnlyErrors says that both results of an exposed mutant are errors, and nothing else differs.
func OnlyErrors(m *results.Mutant) {
	m.ExposedBy.Errors, m.ExposedBy.OnlyErrors = results.ErrorInBoth, true
}

// Between gives a mutant its place in the file, in bytes.
func Between(from, to int) func(*results.Mutant) {
	return func(m *results.Mutant) { m.Offset, m.EndOffset = from, to }
}

// InTest says that the call that exposes a mutant is one of a test.
func InTest(m *results.Mutant) { m.ExposedBy.InTest = true }

// Status gives a mutant another status and stage.
func Status(s, stage string) func(*results.Mutant) {
	return func(m *results.Mutant) { m.Status, m.Stage, m.Evidence.Same = s, stage, stage == results.Reached }
}

// KilledIn returns a mutant of a function that tests notice.
func KilledIn(f string) results.Mutant {
	return Survivor("z9", Function(f), Status(results.Killed, results.Revealed))
}

// Because gives a mutant the reason of its status.
func Because(reason string) func(*results.Mutant) {
	return func(m *results.Mutant) { m.Reason = reason }
}

// Unverified says that a mutant was not confirmed by a rebuild.
func Unverified(m *results.Mutant) { m.Verified = false }

// NotReached says that nothing runs a mutant.
func NotReached(m *results.Mutant) { m.Stage = results.NotReached }

// Undone makes a mutant undo a part of the change, and alter the state in tests.
func Undone(m *results.Mutant) { m.Evidence.Changed, m.Stage = "1-2", results.Infected }

// Removal makes a mutant leave out the source that it replaces.
func Removal(m *results.Mutant) { m.Replacement = "if false { " + m.Original + " }" }

// Undoes makes a mutant put the old lines of the base in the place of those of the head.
func Undoes(head, base string) func(*results.Mutant) {
	return func(m *results.Mutant) {
		m.Original, m.Replacement, m.Evidence.Changed, m.Stage = head, base, "1-2", results.Reached
	}
}

// InProgram says that processes that were not followed may run a mutant.
func InProgram(m *results.Mutant) { m.Evidence.Program = true }

// AlwaysTrue makes a mutant force the whole condition of an if statement to be true.
func AlwaysTrue(m *results.Mutant) {
	m.Replacement, m.Context = m.Original+" || true", "\tif "+m.Original+" {"
}

// Otherwise gives a mutant the code that would run if its condition had the value that it never has.
func Otherwise(m *results.Mutant) {
	m.Evidence.Never = &results.Code{StartLine: 7, EndLine: 7, Source: "f()"}
}

// Writes makes a mutant replace some source by another.
func Writes(original, replacement string) func(*results.Mutant) {
	return func(m *results.Mutant) { m.Original, m.Replacement = original, replacement }
}

// ElsewhereInIt puts a mutant on a line that the change does not touch.
func ElsewhereInIt(m *results.Mutant) { m.Evidence.OnDiff = false }

// Beside puts a mutant beside the new tokens of a changed line.
func Beside(m *results.Mutant) { m.Evidence.Beside = true }

// Exposed gives a mutant a call that shows it.
func Exposed(m *results.Mutant) {
	m.Stage, m.ExposedBy = results.Propagated, &results.ExposedBy{Call: "F" + m.ID + "()", Original: "1", Mutant: "2"}
}

// OfCheck returns a mutant that lets an empty s through the check in a line, and one that leaves out its branch.
func OfCheck(line, branch string) []results.Mutant {
	return []results.Mutant{
		Survivor("a1", Operator("relational"), Writes("len(s) > 0", "len(s) >= 0"), func(m *results.Mutant) { m.Context = line }),
		Survivor("b1", Status(results.Killed, results.Revealed), Writes("len(s) > 0", "len(s) > 0 && false"), func(m *results.Mutant) { m.Evidence.Branch = branch }),
	}
}

// Push returns the results of a push with some mutants.
func Push(mutants ...results.Mutant) *results.Results { return &results.Results{Mutants: mutants} }

// UnrunOf returns results with a mutant in each function that nothing reaches. Each function in code also has a killed
// mutant, so something runs it in part.
func UnrunOf(code map[string][]results.Code, functions ...string) *results.Results {
	r := &results.Results{}
	for i, name := range functions {
		id := "p." + name
		r.Scope = append(r.Scope, results.Function{ID: id, Name: name, File: "f.go", StartLine: 1, EndLine: 200, Reason: results.ReasonAdded, Unrun: code[name]})
		r.Mutants = append(r.Mutants, Survivor(string(rune('a'+i))+"1", Function(id), NotReached))
		if _, runs := code[name]; runs {
			r.Mutants = append(r.Mutants, Survivor(string(rune('a'+i))+"2", Function(id), func(m *results.Mutant) { m.Status = results.Killed }))
		}
	}
	return r
}

// At returns code that begins at a line.
func At(line int, source string) results.Code {
	return results.Code{StartLine: line, EndLine: line + strings.Count(source, "\n"), Source: source}
}

// NeverTrueOf returns a mutant that forces a condition to be false that is true in no test. Never is the code under it.
func NeverTrueOf(id string) results.Mutant {
	code := At(102, "\t\tn = max")
	return Survivor(id, Function("p.F"), func(m *results.Mutant) {
		m.Original, m.Replacement, m.Context, m.Evidence.Never = "n > max", "n > max && false", "\tif n > max {", &code
		m.Evidence.Tests, m.Evidence.By = 1, []string{"p.TestF"}
	})
}
