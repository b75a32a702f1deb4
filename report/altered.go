package report

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// maxAltered is how many functions are named whose results the change alters.
const maxAltered = 3

// alteredLine says what the change alters in the results of functions, with an input for each: tests notice that something does, and whoever
// made the change sees by the input whether that is what is meant. It is empty if nothing is known. Nothing is said of functions of which
// a shown finding has what they gave before.
func alteredLine(r *results.Results, shown []Finding) (line prose) {
	told, n := map[string]bool{}, 0
	for _, f := range shown {
		for _, m := range f.all() {
			if x := m.ExposedBy; f.Kind == Bug || isReversal(m) || x != nil && x.Base != "" {
				told[m.Function] = true
			}
		}
	}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		x := m.Evidence.Old
		if x == nil || told[m.Function] || n == maxAltered || !tellsOfChange(x) {
			continue
		}
		told[m.Function] = true
		n++
		var one row
		one.show(r, x)
		if isBase(x) {
			line = line.and(one.outcomes("before this change", "."))
		} else { // the base gives something else than the old function alone, or is not known
			line = line.and(say("%s:", functionName(r, m.Function))).and(one.outcomes("with its old lines", "."))
		}
	}
	if len(line) == 0 {
		return nil
	}
	return say("What this change does to results, and tests notice:").and(line)
}

// isBase reports whether the base gives what the old function gives within the program: what it gives is known as package fmt writes it.
func isBase(x *results.ExposedBy) bool {
	text, err := strconv.Unquote(x.Mutant)
	return x.Base != "" && (x.Mutant == x.Base || err == nil && text == x.Base)
}

// noForm matches a result that has no form as source, among results.
var noForm = regexp.MustCompile(`(^|, )_(,|$)`)

// tellsOfChange reports whether a reader sees by x what a change alters: a call that anybody can write, and two results of which
// nothing is left out.
func tellsOfChange(x *results.ExposedBy) bool {
	whole := func(result string) bool { return !strings.Contains(result, "…") && !noForm.MatchString(result) }
	return !x.AsBefore && !x.Inner && !x.InTest && !x.OnlyErrors && readable(x) && x.Original != x.Mutant && whole(x.Original) && whole(x.Mutant) &&
		tells(x) && !hidden(x) && !differInErrors(x) && !x.OutOfMemory() && !(showsNothing(x.Original) && showsNothing(x.Mutant))
}
