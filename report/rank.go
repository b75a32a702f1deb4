package report

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// worthShown is the worth from which on a survivor has an entry of its own.
const worthShown = 60

// reason is what is known of a survivor that says how likely a maintainer is to act on it.
type reason struct {
	worth int // in percent
	why   string
}

// Those marked "read" are the shares of survivors on real changes, read blind by two people as
// the maintainer of that code (docs/evaluation.md, "Is a finding worth the interruption?"). The
// others are of groups that are too small, or were not told apart there: they are placed among
// these by judgement.
var (
	accepted  = reason{96, "on a changed line; an input that fails now would be accepted"}
	twoValues = reason{94, "on a changed line; an input gives two different values"} // read
	smallEdit = reason{75, "on a changed line; an input gives two different values, by a small edit"}
	strongOne = reason{77, "on a changed line; an operator whose mutants are often acted on"} // read, on any line
	errorOnly = reason{29, "on a changed line; only an error is another one"}                 // read
	weakOne   = reason{26, "on a changed line; no input is known that shows it"}              // read
	unfuzzed  = reason{60, "part of the change undone alters the state; few inputs were tried"}
	agreeing  = reason{40, "part of the change undone; many inputs give the same results"} // often the old code, written anew
	unaltered = reason{10, "part of the change undone alters no state"}
	newUnrun  = reason{60, "nothing runs this code of a new function"}
	unrun     = reason{33, "nothing runs this line"}
	succeeds  = reason{60, "on an unchanged line; for an input one side succeeds where the other fails"}
	unchanged = reason{15, "on an unchanged line"} // read
)

// fuzzed is the number of inputs from which on a mutant counts as fuzzed.
const fuzzed = 1000

// strong are the operators whose survivors were acted on in more than half of all cases, 20 of
// 26 together.
var strong = map[string]bool{
	"early-return": true, "logical": true, "error-return": true, "return-value": true, "boolean-literal": true,
	"statement-deletion": true, "loop-control": true, "case-removal": true,
}

// small are operators whose survivors were acted on in few cases even where an input shows a
// difference: the edit says little about what the code is for.
var small = map[string]bool{
	"relational": true, "string-literal": true, "field-value": true, "unary": true, "integer-literal": true,
	"argument-swap": true, "slice-bounds": true,
}

// ranking ranks survivors, by why their functions are in scope.
type ranking map[string]string

func newRanking(r *results.Results) ranking {
	k := ranking{}
	for _, f := range r.Scope {
		k[f.ID] = f.Reason
	}
	return k
}

// changed reports whether m is on a line that the change touches. Where none touches its
// function, which is in scope all the same, every line counts.
func (k ranking) changed(m *results.Mutant) bool {
	reason := k[m.Function]
	return m.Evidence.OnDiff || isReversal(m) || reason == results.ReasonAll || reason == results.ReasonTestChanged
}

// added reports whether the function of m is new, or may be.
func (k ranking) added(m *results.Mutant) bool {
	reason := k[m.Function]
	return reason == results.ReasonAdded || reason == results.ReasonAll
}

// reason is what speaks most for showing m, or against it.
func (k ranking) reason(m *results.Mutant) reason {
	changed := k.changed(m)
	switch {
	case m.Stage == results.NotReached && changed && k.added(m):
		return newUnrun
	case m.Stage == results.NotReached && changed:
		return unrun
	case m.ExposedBy != nil && !changed && fails(m.ExposedBy.Original) != fails(m.ExposedBy.Mutant):
		return succeeds
	case !changed:
		return unchanged
	case m.ExposedBy != nil && fails(m.ExposedBy.Original) && !fails(m.ExposedBy.Mutant):
		return accepted
	case m.ExposedBy != nil && onlyErrorsDiffer(m.ExposedBy.Original, m.ExposedBy.Mutant):
		return errorOnly
	case m.ExposedBy != nil && small[m.Operator]:
		return smallEdit
	case m.ExposedBy != nil:
		return twoValues
	case isReversal(m) && m.Stage == results.Reached:
		return unaltered
	case isReversal(m) && m.Evidence.Execs >= fuzzed:
		return agreeing
	case isReversal(m):
		return unfuzzed
	case strong[m.Operator]:
		return strongOne
	}
	return weakOne
}

// errorForm matches a result that is an error. One of a pointer type is written with that,
// where the text of no other pointer is a string.
var errorForm = regexp.MustCompile(`^(error|\*[\w./]+)\("`)

// fails reports whether values have an error among them.
func fails(values string) bool { return slices.ContainsFunc(split(values), errorForm.MatchString) }

// onlyErrorsDiffer reports whether two lists of results are the same but for errors that
// both have in the same place.
func onlyErrorsDiffer(a, b string) bool {
	x, y := split(a), split(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] && !(errorForm.MatchString(x[i]) && errorForm.MatchString(y[i])) {
			return false
		}
	}
	return true
}

// split splits a list of Go values at the commas between them.
func split(values string) (list []string) {
	depth, start, quote := 0, 0, byte(0)
	for i := 0; i < len(values); i++ {
		switch c := values[i]; {
		case quote != 0 && c == '\\' && quote != '`':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' || c == '`':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			list = append(list, strings.TrimSpace(values[start:i]))
			start = i + 1
		}
	}
	return append(list, strings.TrimSpace(values[start:]))
}
