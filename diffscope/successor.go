package diffscope

import (
	"slices"
	"strings"
)

const (
	// alikePart is how much of two functions has to be the same, in lines, for one to be the other under a new name.
	alikePart = 0.7
	// alikeLines is how many lines both have to have at least.
	alikeLines = 5
)

// renameChanged finds functions that got another name, and were changed besides: these are neither new nor deleted. It returns what
// stays deleted, and what each of them was.
func renameChanged(deleted, head []*decl) (stay []*decl, pairs map[*decl]*decl) {
	added := slices.DeleteFunc(slices.Clone(head), func(d *decl) bool { return !d.added || d.kind != funcDecl })
	pairs = successors(added, deleted)
	renamed := map[*decl]bool{}
	for d, from := range pairs {
		d.from, d.added, renamed[from] = from, false, true
	}
	return slices.DeleteFunc(slices.Clone(deleted), func(d *decl) bool { return renamed[d] }), pairs
}

// successors pairs added functions with deleted ones of their package that they are most like, and that are most like them.
func successors(added, deleted []*decl) map[*decl]*decl {
	type match struct {
		with *decl
		part float64
	}
	best := map[*decl]match{}
	better := func(d, with *decl, part float64) {
		if part >= alikePart && part > best[d].part {
			best[d] = match{with, part}
		}
	}
	old := codes(deleted)
	for i, now := range codes(added) {
		for j, was := range old {
			if sameFolder(added[i], deleted[j]) {
				part := alike(was, now)
				better(added[i], deleted[j], part)
				better(deleted[j], added[i], part)
			}
		}
	}
	pairs := map[*decl]*decl{}
	for _, d := range added {
		if from := best[d].with; from != nil && best[from].with == d {
			pairs[d] = from
		}
	}
	return pairs
}

// sameFolder reports whether two declarations are of the same kind, and of the same folder, both in tests or neither.
func sameFolder(a, b *decl) bool {
	return a.kind == b.kind && a.file.dir() == b.file.dir() && a.file.test() == b.file.test()
}

// code is the lines of a function, with how often it has each.
type code struct {
	lines int
	count map[string]int
}

// codes are those of declarations, without lines that have nothing but brackets, and without the blanks around the others.
func codes(decls []*decl) (list []code) {
	for _, d := range decls {
		c := code{count: map[string]int{}}
		for _, line := range d.lines() {
			if text := strings.TrimSpace(string(line)); strings.Trim(text, "(){}[],;") != "" {
				c.lines++
				c.count[text]++
			}
		}
		list = append(list, c)
	}
	return list
}

// alike is which part of the lines of two functions both have, from 0 to 1; 0 if that is less than alikePart because of their length
// alone, or one is too short.
func alike(a, b code) float64 {
	shorter, all := min(a.lines, b.lines), float64(a.lines+b.lines)
	if shorter < alikeLines || 2*float64(shorter) < alikePart*all {
		return 0
	}
	common := 0
	for line, n := range a.count {
		common += min(n, b.count[line])
	}
	return 2 * float64(common) / all
}
