package finding

import (
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Neighbour returns a mutant like m that a test notices: a test of the change if there is one, then in the same function,
// then the nearest. It returns nil if there is none.
func Neighbour(r *results.Results, m *results.Mutant) *results.Mutant { return neighboursOf(r).of(m) }

// neighbours has the mutants that tests notice.
type neighbours struct {
	within  map[string][]*results.Mutant // by function, those that undo nothing
	undoing map[string][]*results.Mutant // by shape, those that undo a part of the change
	changed map[string]bool              // tests that the change adds or alters, as far as they run a survivor
	guards  map[string]bool              // tests that notice when a part of the change is undone
}

func neighboursOf(r *results.Results) neighbours {
	n := neighbours{map[string][]*results.Mutant{}, map[string][]*results.Mutant{}, map[string]bool{}, map[string]bool{}}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		for _, t := range m.Evidence.ByChange {
			n.changed[t.Test] = true
		}
		switch {
		case m.Status != results.Killed || m.KilledBy == nil || m.KilledBy.By != results.ByTest:
		case edit.IsReversal(m):
			shape := edit.Shape(m)
			n.undoing[shape] = append(n.undoing[shape], m)
			n.guards[testOf(m)] = true
		default:
			n.within[m.Function] = append(n.within[m.Function], m)
		}
	}
	return n
}

// testOf returns the test, without a subtest, that notices m.
func testOf(m *results.Mutant) string { return fact.Parent(m.KilledBy.Name) }

// of returns what Neighbour does.
func (n neighbours) of(m *results.Mutant) (best *results.Mutant) {
	list := n.within[m.Function]
	if edit.IsReversal(m) {
		list = nil
		if shape := edit.Shape(m); shape != "" {
			list = n.undoing[shape]
		}
	}
	value := func(o *results.Mutant) (worth int) {
		if n.changed[testOf(o)] {
			worth += 2
		}
		if o.Function == m.Function {
			worth++
		}
		return worth
	}
	for _, o := range list {
		switch {
		case m.Function == o.Function && m.Line == o.Line || !edit.IsReversal(m) && !isLike(m, o):
		case best == nil || value(o) > value(best) || value(o) == value(best) && o.File == m.File && distance(o, m) < distance(best, m):
			best = o
		}
	}
	return best
}

// switchesOff reports whether m undoes what the change is for, as far as a test shows that at another place.
func (n neighbours) switchesOff(m *results.Mutant) bool {
	o := n.of(m)
	return o != nil && n.guards[testOf(o)]
}

// distance returns how many lines are between two mutants of a file.
func distance(a, b *results.Mutant) int { return max(a.Line-b.Line, b.Line-a.Line) }

// isLike reports whether a reader takes o for the edit that m makes, at another place of the same function: it leaves out
// another case, or makes the same edit of the same line, or, of a line that no test runs, of one like it. A check of
// another error is another check.
func isLike(m, o *results.Mutant) bool {
	switch {
	case m.Operator != o.Operator:
		return false
	case m.Evidence.Case != "":
		return o.Evidence.Case != ""
	case fact.Unrun(m) && edit.LineShape(m) != "" && edit.LineShape(m) == edit.LineShape(o):
		return true
	}
	line := strings.TrimSpace(m.Context)
	return m.Operator != "error-check" && edit.ErrorOf(m) == "" && line != "" && line == strings.TrimSpace(o.Context) &&
		strings.TrimSpace(m.Original) == strings.TrimSpace(o.Original) && m.Replacement == o.Replacement
}
