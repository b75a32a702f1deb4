package report

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Agreement says that a changed function and what it was before gave the same results on many
// inputs: the change may be meant as one of form.
type Agreement struct {
	Function string // ID
	Inputs   int64  // on which both succeed
}

const (
	// maxAgreements is how many agreements are named.
	maxAgreements = 3
	// agreed is the number of inputs on which both succeed from which on it is worth saying that they agree. Of a real change
	// that makes a parser panic, 40,000 inputs did not tell; and where a function always fails, any number tells nothing.
	agreed = 100_000
)

// agreements returns the functions of which the whole change was undone, or every part of it where that was not
// possible, and no test and no input noticed, where there were many inputs. Where the change brought a failure there is none, nor
// where some place of the old code, or of the new, is one that no input came to.
func agreements(r *results.Results) (list []Agreement) {
	at := map[string]int{}
	differ := map[string]bool{}
	for i := range r.Crashes {
		if culprit, _ := culpritOf(r, &r.Crashes[i]); culprit != nil && r.Crashes[i].Introduced != results.IntroducedNo {
			differ[culprit.ID] = true
		}
	}
	mends := mending(r)
	for i := range r.Mutants {
		m := &r.Mutants[i]
		switch {
		case mends[m.ID]:
			differ[m.Function] = true
		case m.Evidence.OnDiff && m.Status == results.Survived && !m.Exposed() && m.Evidence.Tests == 0 && m.Evidence.Execs+m.Evidence.Spared == 0:
			differ[m.Function] = true
		case !isReversal(m) || m.Status == results.Unviable || m.Status == results.Equivalent || isPart(r, m):
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

// isPart reports whether m undoes a part of what another mutant undoes as a whole: old lines and new ones often do not go
// together, which says nothing of the change.
func isPart(r *results.Results, m *results.Mutant) bool {
	return slices.ContainsFunc(r.Mutants, func(whole results.Mutant) bool {
		return isReversal(&whole) && whole.Status != results.Unviable && whole.Function == m.Function && whole.File == m.File &&
			whole.Offset <= m.Offset && m.EndOffset <= whole.EndOffset && whole.EndOffset-whole.Offset > m.EndOffset-m.Offset
	})
}

// agreementLine says which functions agree with what they were; empty: none does. Of those that shown findings are about it says
// nothing: there it would read as if the finding made no difference. So it would beside a test that the change breaks.
func agreementLine(r *results.Results, shown []Finding) prose {
	if slices.ContainsFunc(shown, func(f Finding) bool { return f.Old != nil }) {
		return nil
	}
	all := slices.DeleteFunc(agreements(r), func(a Agreement) bool {
		return slices.ContainsFunc(shown, func(f Finding) bool {
			return slices.ContainsFunc(f.all(), func(m *results.Mutant) bool { return m.Function == a.Function })
		})
	})
	if len(all) == 0 {
		return nil
	}
	var names []string
	least := all[0].Inputs
	for _, a := range all {
		names, least = append(names, functionName(r, a.Function)), min(least, a.Inputs)
	}
	return say("Old and new").and(listed(names[:min(len(names), maxAgreements)], len(names), "function", "functions")).
		and(say("give the same results on " + count(least) + " inputs" + noun(len(all), ".", " each, or more.")))
}
