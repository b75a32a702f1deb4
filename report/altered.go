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
// made the change sees by the input whether that is what is meant, the more so where it is unlike those of the tests. It is empty if nothing is
// known. Nothing is said of functions of which a shown finding has what they gave before.
func alteredLine(r *results.Results, shown []Finding) (line prose) {
	told := map[string]bool{}
	for _, f := range shown {
		for _, m := range f.all() {
			if x := m.ExposedBy; f.Kind == Bug || isReversal(m) || x != nil && x.Base != "" {
				told[m.Function] = true
			}
		}
	}
	n := 0
	for _, part := range []struct {
		unlike bool
		intro  prose
	}{
		{true, say("What this change does to results, for inputs unlike those of the tests:")},
		{false, say("What this change does to results, and tests notice:")},
	} {
		var list prose
		for i := range r.Mutants {
			m := &r.Mutants[i]
			x := m.Evidence.Old
			if x == nil || x.Unlike != part.unlike || told[m.Function] || n == maxAltered || !tellsOfChange(x) {
				continue
			}
			told[m.Function] = true
			n++
			list = list.and(beforeAndAfter(r, m.Function, x))
		}
		if len(list) > 0 {
			line = line.and(part.intro).and(list)
		}
	}
	return line
}

// beforeAndAfter says what a call of a function gives now, and gave before.
func beforeAndAfter(r *results.Results, function string, x *results.ExposedBy) prose {
	var one row
	one.show(r, x)
	if isBase(x) {
		return one.outcomes("before this change", ".")
	}
	// The base gives something else than the old function alone, or is not known.
	return say("%s:", functionName(r, function)).and(one.outcomes("with its old lines", "."))
}

// isBase reports whether the base gives what the old function gives within the program: what it gives is known as package fmt writes it.
func isBase(x *results.ExposedBy) bool {
	text, err := strconv.Unquote(x.Mutant)
	return x.Base != "" && (x.Mutant == x.Base || err == nil && text == x.Base)
}

// noForm matches a result that has no form as source, among results.
var noForm = regexp.MustCompile(`(^|, )_(,|$)`)

// tellsOfChange reports whether a reader sees by x what a change alters: a call that anybody can read and write, and two results of which
// nothing is left out.
func tellsOfChange(x *results.ExposedBy) bool {
	whole := func(result string) bool { return !strings.Contains(result, "…") && !noForm.MatchString(result) }
	return !x.AsBefore && !x.Inner && !x.InTest && !x.OnlyErrors && readable(x) && !escapes(x) && x.Original != x.Mutant && whole(x.Original) && whole(x.Mutant) &&
		tells(x) && !onlyRounding(x) && !hidden(x) && !differInErrors(x) && !x.OutOfMemory() && !(showsNothing(x.Original) && showsNothing(x.Mutant))
}
