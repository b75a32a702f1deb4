package story

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// maxAgreements is the maximum number of agreements that are named.
const maxAgreements = 3

// Agreement says which functions agree with their old form; nil: none. It leaves out functions that a shown finding
// is about, because it would read as if the finding made no difference. For the same reason it says nothing at all
// beside a test that the change breaks.
func Agreement(r *results.Results, shown []finding.Finding) prose.Text {
	if slices.ContainsFunc(shown, func(f finding.Finding) bool { return f.Old != nil }) {
		return nil
	}
	all := slices.DeleteFunc(finding.Agreements(r), func(a finding.Agreement) bool {
		return slices.ContainsFunc(shown, func(f finding.Finding) bool {
			return slices.ContainsFunc(f.All(), func(m *results.Mutant) bool { return m.Function == a.Function })
		})
	})
	if len(all) == 0 {
		return nil
	}
	var names []string
	least := all[0].Inputs
	for _, a := range all {
		names, least = append(names, fact.FunctionName(r, a.Function)), min(least, a.Inputs)
	}
	return prose.Say("Old and new").And(prose.Listed(names[:min(len(names), maxAgreements)], len(names), "function", "functions")).
		And(prose.Say("give the same results on " + prose.Count(least) + " inputs" + prose.Noun(len(all), ".", " each, or more.")))
}
