package report

import (
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
		n++
		now, gave := difference(x.Original, x.Mutant)
		if call := callOf(x.Setup, x.Call); x.Base != "" && strings.Contains(unquoted(x.Mutant), unquoted(x.Base)) {
			line = line.and(say("%s gives %s; before this change, it gave %s.", call, now, gave))
		} else { // the base gives something else than the old function alone, or is not known
			line = line.and(say("%s gives %s; with the old lines of %s, %s.", call, now, functionName(r, m.Function), gave))
		}
	}
	if len(line) == 0 {
		return nil
	}
	return say("What this change does to results, and tests notice:").and(line)
}

// unquoted are results as package fmt writes them, about: the base's are known in that form.
func unquoted(values string) string {
	if text, err := strconv.Unquote(values); err == nil {
		return text
	}
	return strings.ReplaceAll(values, `"`, "")
}

// tellsOfChange reports whether a reader sees by x what a change alters: a call that anybody can write, and two results of which
// nothing is left out.
func tellsOfChange(x *results.ExposedBy) bool {
	whole := func(result string) bool {
		return result != "" && !strings.Contains(result, "…") && !strings.Contains(result, "_")
	}
	return !x.AsBefore && readable(x) && whole(x.Original) && whole(x.Mutant) && tells(x) && !hidden(x) && !differInErrors(x) && !x.OutOfMemory() && !(showsNothing(x.Original) && showsNothing(x.Mutant))
}
