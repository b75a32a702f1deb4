package story

import (
	"strconv"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// maxAltered is the maximum number of functions with altered results that are named.
const maxAltered = 3

// Altered says how the change alters the results of functions, with an input for each; nil: nothing is known. Tests
// notice these differences, but the input lets the author check that they are meant, above all where it is unlike the
// inputs of the tests. Functions are left out if a shown finding already tells what they gave before.
func Altered(r *results.Results, shown []finding.Finding) (line prose.Text) {
	told := map[string]bool{}
	for _, f := range shown {
		for _, m := range f.All() {
			if x := m.ExposedBy; f.Kind == finding.Bug || edit.IsReversal(m) || x != nil && x.Base != "" {
				told[m.Function] = true
			}
		}
	}
	n := 0
	for _, part := range []struct {
		unlike bool
		intro  prose.Text
	}{
		{true, prose.Say("What this change does to results, for inputs unlike those of the tests:")},
		{false, prose.Say("What this change does to results, and tests notice:")},
	} {
		var list prose.Text
		for i := range r.Mutants {
			m := &r.Mutants[i]
			x := m.Evidence.Old
			if x == nil || x.Unlike != part.unlike || told[m.Function] || n == maxAltered || !fact.TellsOfChange(x) {
				continue
			}
			told[m.Function] = true
			n++
			list = list.And(beforeAndAfter(r, m.Function, x))
		}
		if len(list) > 0 {
			line = line.And(part.intro).And(list)
		}
	}
	return line
}

// beforeAndAfter says what a call of a function gives with and without the change.
func beforeAndAfter(r *results.Results, function string, x *results.ExposedBy) prose.Text {
	var one Row
	one.show(r, x)
	if isBase(x) {
		return one.outcomes("before this change", ".")
	}
	// The base gives something other than the program with the old function, or its result is not known.
	return prose.Say("%s:", fact.FunctionName(r, function)).And(one.outcomes("with its old lines", "."))
}

// isBase reports whether the base gives the same result as the program with the old function. x.Mutant may be quoted Go
// source, while x.Base is written by package fmt.
func isBase(x *results.ExposedBy) bool {
	text, err := strconv.Unquote(x.Mutant)
	return x.Base != "" && (x.Mutant == x.Base || err == nil && text == x.Base)
}
