package finding

import (
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Neighbour returns a mutant like m that a test notices: a test of the change if there is one, then in the same function,
// then the nearest. It returns nil if there is none.
func Neighbour(r *results.Results, m *results.Mutant) (best *results.Mutant) {
	changed := testsOfChange(r)
	value := func(o *results.Mutant) (n int) {
		if changed[fact.Parent(o.KilledBy.Name)] {
			n += 2
		}
		if o.Function == m.Function {
			n++
		}
		return n
	}
	for i := range r.Mutants {
		o := &r.Mutants[i]
		if o.Status != results.Killed || o.KilledBy == nil || o.KilledBy.By != results.ByTest || o.ID == m.ID || !isLike(m, o) {
			continue
		}
		if best == nil || value(o) > value(best) || value(o) == value(best) && o.File == m.File && distance(o, m) < distance(best, m) {
			best = o
		}
	}
	return best
}

// distance returns how many lines are between two mutants of a file.
func distance(a, b *results.Mutant) int { return max(a.Line-b.Line, b.Line-a.Line) }

// isLike reports whether a reader takes o for the edit that m makes, at another place: it undoes lines of the same shape,
// leaves out another case of the same function, or makes the same edit of the same line, or, of a line that no test runs,
// of one like it. A check of another error is another check.
func isLike(m, o *results.Mutant) bool {
	switch {
	case edit.IsReversal(m):
		shape := edit.Shape(m)
		return shape != "" && edit.Shape(o) == shape && (o.Function != m.Function || o.Line != m.Line)
	case edit.IsReversal(o), m.Operator != o.Operator, m.Function == o.Function && m.Line == o.Line:
		return false
	case m.Evidence.Case != "" && m.Function == o.Function:
		return o.Evidence.Case != ""
	case fact.Unrun(m) && m.Function == o.Function && edit.LineShape(m) != "" && edit.LineShape(m) == edit.LineShape(o):
		return true
	}
	line := strings.TrimSpace(m.Context)
	return m.Function == o.Function && m.Operator != "error-check" && edit.ErrorOf(m) == "" && line != "" && line == strings.TrimSpace(o.Context) &&
		strings.TrimSpace(m.Original) == strings.TrimSpace(o.Original) && m.Replacement == o.Replacement
}

// testsOfChange returns the tests that the change adds or alters, as far as they run a survivor.
func testsOfChange(r *results.Results) map[string]bool {
	set := map[string]bool{}
	for i := range r.Mutants {
		for _, t := range r.Mutants[i].Evidence.ByChange {
			set[t.Test] = true
		}
	}
	return set
}

// guards returns the tests that notice when a part of the change is undone.
func guards(r *results.Results) map[string]bool {
	set := map[string]bool{}
	for i := range r.Mutants {
		if m := &r.Mutants[i]; edit.IsReversal(m) && m.Status == results.Killed && m.KilledBy != nil && m.KilledBy.By == results.ByTest {
			set[fact.Parent(m.KilledBy.Name)] = true
		}
	}
	return set
}
