// Package fact has what is known of one mutant, one input, one crash or one test, as far as it is asked when findings are
// chosen or told. It knows nothing of findings.
package fact

import (
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Unrun reports whether no test and no fuzz target reaches a mutant.
func Unrun(m *results.Mutant) bool { return m.Stage == results.NotReached || m.Evidence.Unrun }

// Runs reports whether tests or fuzz targets run the code of m.
func Runs(m *results.Mutant) bool {
	return m.Status == results.Killed || m.Status == results.Survived && !Unrun(m)
}

// NeverFalse reports whether m makes the whole condition of an if statement true that is true in all tests. An operand
// of a condition does not count, as it often guards against what cannot happen. Nor does the condition of a loop, which
// often only ends the loop earlier.
func NeverFalse(m *results.Mutant) bool { return alwaysAs(m, "true") }

// NeverTrue reports whether m makes the whole condition of an if statement false that is false in all tests.
func NeverTrue(m *results.Mutant) bool { return alwaysAs(m, "false") }

// alwaysAs reports whether m gives the whole condition of an if statement the value that it has in all tests. If an
// input shows a difference, alwaysAs reports false: the input says more.
func alwaysAs(m *results.Mutant, value string) bool {
	return m.Evidence.Same && edit.Forces(m, value) && Example(m) == nil
}

// Unseen returns the value that a condition never has in a test, if m forces the other value; else "".
func Unseen(m *results.Mutant) string {
	switch {
	case NeverFalse(m):
		return "false"
	case NeverTrue(m):
		return "true"
	}
	return ""
}

// NeverHas returns the value, "true" or "false", that the condition which m makes constant never had when tests came
// there; "": that is not known, or m does something else. The condition may be an operand of another one, and generated
// inputs may give it that value.
func NeverHas(m *results.Mutant) string {
	value := edit.Effective(m)
	if !m.Evidence.Same || edit.IsReversal(m) || value == strings.TrimSpace(m.Original) {
		return ""
	}
	return map[string]string{"true": "false", "false": "true"}[value]
}

// NeverSet is about a return statement in which m replaces a variable by a zero value. If the variable had that value
// whenever tests came there, it returns both. Otherwise, or if that is not known, it returns empty strings.
func NeverSet(m *results.Mutant) (variable, zero string) {
	original, instead := strings.TrimSpace(m.Original), strings.TrimSpace(edit.Effective(m))
	if !m.Evidence.Same || m.Operator != "error-return" && m.Operator != "return-value" || !strings.HasPrefix(original, "return ") {
		return "", ""
	}
	zero = instead[strings.LastIndexAny(instead, " (")+1:]
	variable, ok := strings.CutPrefix(original, strings.TrimSuffix(instead, zero))
	if !ok || !token.IsIdentifier(variable) || !slices.Contains([]string{"nil", "false", "0", `""`}, zero) {
		return "", ""
	}
	return variable, zero
}

// Unaltered is about a value that is assigned to a variable, or a call whose result is used, if m leaves the variable or
// an argument of the call as it is. If both were the same whenever tests came there, it returns their source, on one line
// each. Otherwise, or if that is not known, it returns empty strings.
func Unaltered(m *results.Mutant) (value, as string) {
	original := edit.OnOneLine(strings.TrimSpace(m.Original))
	switch {
	case !m.Evidence.Same:
	case m.Operator == "argument-propagation":
		return original, strings.TrimSpace(edit.Effective(m))
	case m.Operator == "statement-deletion":
		if variable, value, ok := strings.Cut(original, " = "); ok && token.IsIdentifier(variable) {
			return value, variable
		}
	}
	return "", ""
}

// BothAlways says how many of two conditions held whenever tests came there, if m swaps "and" and "or" between them:
// "both" or "neither". It is empty if m does something else, or if that is not known.
func BothAlways(m *results.Mutant) string {
	switch and := strings.Count(m.Original, "&&") - strings.Count(edit.Effective(m), "&&"); {
	case !m.Evidence.Same || m.Operator != "logical":
		return ""
	case and > 0: // the probe has never seen the whole condition false
		return "both"
	case and < 0:
		return "neither"
	}
	return ""
}

// Boundary returns the comparison that never held when tests came to m, and without which m changes nothing; "": that is
// not known, or m does something else.
func Boundary(m *results.Mutant) string {
	if !m.Evidence.Same {
		return ""
	}
	return edit.Boundary(m)
}

// FailingTests returns the list of the tests that do not pass without m either and run it, or may run it; "" if there are
// none, or if other tests are missing, too.
func FailingTests(m *results.Mutant) string {
	list, run := strings.CutPrefix(m.Reason, results.QuarantinedRun)
	list, mayRun := strings.CutPrefix(list, results.FailingMayRun)
	if !run && !mayRun || strings.Contains(list, "; ") {
		return ""
	}
	return list
}

// Branch is the code that runs if a condition holds. The zero value has none.
type Branch struct {
	file       string
	begin, end int // offsets
}

// Noticed reports whether a test notices o, an edit of b.
func (b Branch) Noticed(o *results.Mutant) bool {
	within := o.File == b.file && b.begin <= o.Offset && o.EndOffset <= b.end
	return within && !edit.IsReversal(o) && o.Status == results.Killed && o.KilledBy != nil && o.KilledBy.By == results.ByTest
}

// LeftOut returns the branch that m leaves out, or that the change which m undoes adds, doing no more.
func LeftOut(m *results.Mutant) Branch {
	if !edit.IsReversal(m) {
		if edit.Effective(m) != "false" {
			return Branch{}
		}
		return Branch{m.File, m.EndOffset, m.Evidence.BranchEnd}
	}
	if body, end := edit.AddedIf(m); body > 0 {
		return Branch{m.File, m.Offset + body, m.Offset + end}
	}
	return Branch{}
}

// OnlyBlind reports whether all tests that run m check nothing, and no other test may notice it.
func OnlyBlind(m *results.Mutant) bool {
	e := m.Evidence
	return e.Tests > 0 && len(e.Blind) == e.Tests && len(e.By) == e.Tests && !e.Program && !e.OwnOnly && !e.Failing && !e.Awaits && m.Reason == ""
}

// errorVariable matches the name of an error variable that callers may compare with, such as io.ErrShortWrite.
var errorVariable = regexp.MustCompile(`\b(?:\w+\.)?Err[A-Z]\w*\b`)

// Wraps returns the error variable that a line wraps since the change, if m undoes that, at most with a change of text,
// in a line that tests run. It returns "" if m does something else. Callers may check for that error, and no test does.
func Wraps(m *results.Mutant) string {
	now, old := strings.TrimSpace(m.Original), strings.TrimSpace(m.Replacement)
	if !edit.IsReversal(m) || m.Stage != results.Reached || m.Evidence.Tests == 0 || strings.Contains(now, "\n") || strings.Contains(old, "\n") ||
		strings.Count(now, "%w") <= strings.Count(old, "%w") {
		return ""
	}
	names := slices.DeleteFunc(errorVariable.FindAllString(now, -1), func(name string) bool { return strings.Contains(old, name) })
	if len(names) != 1 {
		return ""
	}
	return names[0]
}

// maxUnwrapping is how many lines the diff of an edit may have for Unwraps: others do more than look at an error.
const maxUnwrapping = 6

// asked matches a call that looks for an error among those that one wraps, and captures the one that errors.Is looks for.
// asserted matches a type assertion, and captures the type.
var (
	asked    = regexp.MustCompile(`\berrors\.(?:As|Is)\(\s*\w+,\s*&?([\w.]+)`)
	asserted = regexp.MustCompile(`\b\w+\.\((\*?[\w.]+)\)`)
)

// Unwraps returns the error, or the type of error, that a line looks for among wrapped errors since the change, if m undoes
// that: the old line looks at the error itself only. It returns "" if m does something else, if no test runs it, or if one is
// seen to tell old and new apart.
func Unwraps(m *results.Mutant) string {
	old := edit.Effective(m)
	if !edit.IsReversal(m) || m.Stage != results.Reached || m.Evidence.Tests == 0 || edit.Of(m).Size() > maxUnwrapping || asked.MatchString(old) {
		return ""
	}
	for _, call := range asked.FindAllStringSubmatch(m.Original, -1) {
		if equal := regexp.MustCompile(`[!=]= *` + regexp.QuoteMeta(call[1]) + `\b|\bcase\b.*\b` + regexp.QuoteMeta(call[1]) + `\b`); equal.MatchString(old) {
			return call[1]
		}
		if to := asserted.FindStringSubmatch(old); to != nil {
			return to[1]
		}
	}
	return ""
}
