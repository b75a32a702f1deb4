package diffscope

import (
	"maps"
	"slices"
	"strings"
)

const (
	// alikePart is how much of two functions has to be the same, in lines, for one to be the other under a new name.
	alikePart = 0.7
	// alikeLines is how many lines both have to have at least.
	alikeLines = 5
)

// succeed pairs added functions with deleted ones of their package that they are most like, and that are most like them: those
// got another name, and were changed besides. It returns the pairs; what was deleted then was not.
func succeed(deleted, head []*decl) map[*decl]*decl {
	added := slices.DeleteFunc(slices.Clone(head), func(d *decl) bool { return !d.added || d.kind != funcDecl })
	best := func(d *decl, list []*decl) (most *decl) {
		least := alikePart
		for _, other := range list {
			if part := alike(d, other); part >= least {
				most, least = other, part
			}
		}
		return most
	}
	pairs := map[*decl]*decl{}
	for _, d := range added {
		if from := best(d, deleted); from != nil && best(from, added) == d {
			pairs[d] = from
		}
	}
	return pairs
}

// alike is which part of the lines of two functions of a package both have, from 0 to 1.
func alike(a, b *decl) float64 {
	if a.kind != b.kind || a.file.dir() != b.file.dir() || a.file.test() != b.file.test() {
		return 0
	}
	x, y := codeLines(a), codeLines(b)
	if min(len(x), len(y)) < alikeLines {
		return 0
	}
	count := map[string]int{}
	for _, line := range x {
		count[line]++
	}
	common := 0
	for _, line := range y {
		if count[line] > 0 {
			count[line]--
			common++
		}
	}
	return 2 * float64(common) / float64(len(x)+len(y))
}

// codeLines are the lines of a declaration that have more than brackets, without the blanks around them.
func codeLines(d *decl) (lines []string) {
	for _, line := range d.lines() {
		if text := strings.TrimSpace(string(line)); strings.Trim(text, "(){}[],;") != "" {
			lines = append(lines, text)
		}
	}
	return lines
}

// renameChanged takes what succeed found into account: these functions are neither new nor deleted. It returns what stays
// deleted, and the names of all functions that have another one.
func renameChanged(deleted, head []*decl, moved map[*decl]*decl, names func(moved map[*decl]*decl) map[string]string) (stay []*decl, renamed map[string]string) {
	pairs := succeed(deleted, head)
	for d, from := range pairs {
		d.from, d.added = from, false
	}
	stay = slices.DeleteFunc(slices.Clone(deleted), func(d *decl) bool { return slices.Contains(slices.Collect(maps.Values(pairs)), d) })
	maps.Copy(pairs, moved)
	return stay, names(pairs)
}
