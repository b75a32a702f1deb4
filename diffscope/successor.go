package diffscope

import (
	"slices"
	"strings"
)

const (
	// alikePart is the share of lines that two functions must have in common for one to be the other, renamed.
	alikePart = 0.7
	// alikeLines is the least number of lines that each of them must have.
	alikeLines = 5
)

// renameChanged finds functions that were renamed and changed: they are neither new nor deleted. It returns what
// stays deleted, and the pairs by their added one.
func renameChanged(deleted, head []*decl) (stay []*decl, pairs map[*decl]*decl) {
	added := slices.DeleteFunc(slices.Clone(head), func(d *decl) bool { return !d.added || d.kind != funcDecl })
	pairs = successors(added, deleted)
	renamed := map[*decl]bool{}
	for d, from := range pairs {
		d.from, d.added, renamed[from] = from, false, true
	}
	return slices.DeleteFunc(slices.Clone(deleted), func(d *decl) bool { return renamed[d] }), pairs
}

// successors pairs an added with a deleted function of the same folder if each is the one most like the other.
func successors(added, deleted []*decl) map[*decl]*decl {
	type match struct {
		with *decl
		part float64
	}
	if len(added) == 0 || len(deleted) == 0 {
		return nil
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

// sameFolder reports whether two declarations have the same kind and folder, and are both in test files or both not.
func sameFolder(a, b *decl) bool {
	return a.kind == b.kind && a.file.dir() == b.file.dir() && a.file.test() == b.file.test()
}

// code counts the lines of a function, and how often it has each.
type code struct {
	lines int
	count map[string]int
}

// codes returns the code of each declaration, without blanks around lines and without lines that have only brackets.
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

// alike returns the share of lines that two functions have in common, from 0 to 1. It returns 0 if one is too short,
// or if their lengths alone rule out alikePart.
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
