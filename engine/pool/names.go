package pool

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

// maxNames bounds an expression that selects tests by their names, in bytes: Linux bounds an argument at 128 KiB.
const maxNames = 100_000

// anchor returns the expression that matches some tests of pkg, as [worker.Anchor] does. If that is too long, it has
// of the name of each test only what tells it from those of other tests of the package.
func (r *Runner) anchor(pkg string, names []string) string {
	expression := worker.Anchor(names...)
	if len(expression) <= maxNames {
		return expression
	}
	others := maps.Clone(r.declaredIn(pkg))
	var tests, subtests []string
	for _, name := range names {
		if strings.Contains(name, "/") {
			subtests = append(subtests, name)
		} else {
			tests = append(tests, name)
			delete(others, name)
		}
	}
	var alternatives []string
	if len(tests) > 0 {
		alternatives = append(alternatives, "^"+telling(tests, slices.Collect(maps.Keys(others))))
	}
	if len(subtests) > 0 {
		alternatives = append(alternatives, worker.Anchor(subtests...))
	}
	return strings.Join(alternatives, "|")
}

// telling returns an expression for the beginnings of names that matches tests and none of others.
func telling(tests, others []string) string {
	if len(others) == 0 {
		return ""
	}
	otherRests := byLetter(others)
	var alternatives []string
	rests := byLetter(tests)
	for _, letter := range slices.Sorted(maps.Keys(rests)) {
		if letter == "" {
			alternatives = append(alternatives, "$")
		} else {
			alternatives = append(alternatives, regexp.QuoteMeta(letter)+telling(rests[letter], otherRests[letter]))
		}
	}
	if len(alternatives) == 1 {
		return alternatives[0]
	}
	return "(" + strings.Join(alternatives, "|") + ")"
}

// byLetter returns what follows the first letters of names; of an empty name, nothing follows none.
func byLetter(names []string) map[string][]string {
	rests := map[string][]string{}
	for _, name := range names {
		_, size := utf8.DecodeRuneInString(name)
		rests[name[:size]] = append(rests[name[:size]], name[size:])
	}
	return rests
}
