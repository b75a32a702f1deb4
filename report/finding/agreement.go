package finding

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Agreement says that a changed function and its old form gave the same results on many inputs, so that the change may
// be a refactoring.
type Agreement struct {
	Function string // ID
	Inputs   int64  // number of inputs on which both succeeded
}

// agreed is the minimum number of different inputs on which both succeed for an agreement to be worth mentioning. In a
// real change that makes a parser panic, some ten thousand did not show a difference. Inputs on which the function fails
// do not count, because any number of them shows nothing.
const agreed = 25_000

// Agreements returns the functions whose change can be undone without any test or input noticing, although there were
// many inputs: the whole change, or each of its parts if the whole could not be undone. It leaves out functions in
// which the change may have introduced a failure, functions with a place in the old or new code that no input
// reached, or with a new statement that makes no difference to any, and functions that have come to use data which the
// change adds: what these are given decides what they give.
func Agreements(r *results.Results) (list []Agreement) {
	at := map[string]int{}
	differ := map[string]bool{}
	for i := range r.Crashes {
		if culprit, _ := fact.Culprit(r, &r.Crashes[i]); culprit != nil && r.Crashes[i].Introduced != results.IntroducedNo {
			differ[culprit.ID] = true
		}
	}
	mends, undoing := mending(r), map[string][]*results.Mutant{}
	for i := range r.Mutants {
		if m := &r.Mutants[i]; edit.IsReversal(m) && m.Status != results.Unviable {
			undoing[m.Function] = append(undoing[m.Function], m)
		}
	}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		switch {
		case mends[m.ID], edit.IsReversal(m) && mentionsAny(m.Original, r.AddedData):
			differ[m.Function] = true
		case m.Evidence.OnDiff && m.Status == results.Survived && !m.Exposed() && m.Evidence.Tests == 0 && m.Evidence.Execs+m.Evidence.Spared == 0:
			differ[m.Function] = true
		case isNewAndIdle(m):
			differ[m.Function] = true
		case !edit.IsReversal(m) || m.Status == results.Unviable || m.Status == results.Equivalent || isPart(m, undoing[m.Function]):
		case m.Status != results.Survived || m.Exposed() || m.Evidence.Agreed < agreed || m.Evidence.OldUnrun > 0:
			differ[m.Function] = true
		default:
			n, ok := at[m.Function]
			if !ok {
				n, at[m.Function] = len(list), len(list)
				list = append(list, Agreement{m.Function, m.Evidence.Agreed})
			}
			list[n].Inputs = min(list[n].Inputs, m.Evidence.Agreed)
		}
	}
	return slices.DeleteFunc(list, func(a Agreement) bool { return differ[a.Function] })
}

// mentionsAny reports whether source has the name of some data, given as in [results.Results.AddedData].
func mentionsAny(source string, data []string) bool {
	for t := range edit.Lexemes(source) {
		if slices.ContainsFunc(data, func(id string) bool { return t.Text != "" && strings.HasSuffix(id, "."+t.Text) }) {
			return true
		}
	}
	return false
}

// isNewAndIdle reports whether m leaves out a new statement that inputs run and that makes no difference to any. What it
// does may be nothing that a result shows, such as a call of a function that a driver passes.
func isNewAndIdle(m *results.Mutant) bool {
	return m.Operator == "statement-deletion" && m.Status == results.Survived && !m.Exposed() && m.Evidence.OnDiff && !m.Evidence.Beside &&
		m.Evidence.Execs+m.Evidence.Spared > 0 && !closes.MatchString(m.Original) && !deferredUnlock.MatchString(m.Original)
}

// isPart reports whether m undoes only a part of what another of the mutants that undo a part of the change undoes as a
// whole. Such a mutant mixes old and new lines, which often do not fit together, so it says nothing about the change.
func isPart(m *results.Mutant, undoing []*results.Mutant) bool {
	return slices.ContainsFunc(undoing, func(whole *results.Mutant) bool {
		return whole.File == m.File &&
			whole.Offset <= m.Offset && m.EndOffset <= whole.EndOffset && whole.EndOffset-whole.Offset > m.EndOffset-m.Offset
	})
}
