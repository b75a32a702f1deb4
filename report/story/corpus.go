package story

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// EntryLine says where a new entry goes, what its arguments are, and what it is good for.
func EntryLine(r *results.Results, e *results.Entry) prose.Text {
	line := prose.Say("%s: %s", e.Path, argumentsOf(e))
	switch {
	case len(e.Mutants) > 0 && slices.Contains(e.Reasons, results.EntryKills):
		return append(line, prose.Say("; with this input, %s fails for", fact.Local(e.Harness))...).And(editsOf(r, e, " of the edits"))
	case len(e.Mutants) > 0:
		return line.And(prose.Say("gives another result with")).And(editsOf(r, e, prose.Noun(len(e.Mutants), " edit", " edits")))
	case slices.ContainsFunc(r.Crashes, func(c results.Crash) bool { return c.Entry == e.ID && c.Harness == e.Harness }):
		return line.And(prose.Say("makes the program fail"))
	default:
		return line.And(prose.Say("reaches new code"))
	}
}

// editsOf counts the mutants that an entry kills or exposes. edits follows their number if they are of one function.
func editsOf(r *results.Results, e *results.Entry, edits string) prose.Text {
	if f := commonFunction(r, e.Mutants); f != "" {
		return prose.Say(prose.Exact(len(e.Mutants))+edits+" of %s", fact.FunctionName(r, f))
	}
	return prose.Say(prose.Plural(len(e.Mutants), "edit", "edits"))
}

// commonFunction returns the function that all these mutants are in, or "".
func commonFunction(r *results.Results, ids []string) string {
	wanted := make(map[string]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	function := ""
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if !wanted[m.ID] {
			continue
		}
		if function != "" && function != m.Function {
			return ""
		}
		function = m.Function
	}
	return function
}
