package declaration

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
func renameChanged(deleted, head []*Decl) (stay []*Decl, pairs map[*Decl]*Decl) {
	added := slices.DeleteFunc(slices.Clone(head), func(d *Decl) bool { return !d.Added || d.Kind != Func })
	pairs = successors(added, deleted)
	renamed := map[*Decl]bool{}
	for d, from := range pairs {
		d.From, d.Added, renamed[from] = from, false, true
	}
	return slices.DeleteFunc(slices.Clone(deleted), func(d *Decl) bool { return renamed[d] }), pairs
}

// successors pairs an added with a deleted function of the same folder if each is the one most like the other.
func successors(added, deleted []*Decl) map[*Decl]*Decl {
	type match struct {
		with *Decl
		part float64
	}
	if len(added) == 0 || len(deleted) == 0 {
		return nil
	}
	best := map[*Decl]match{}
	better := func(d, with *Decl, part float64) {
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
	pairs := map[*Decl]*Decl{}
	for _, d := range added {
		if from := best[d].with; from != nil && best[from].with == d {
			pairs[d] = from
		}
	}
	return pairs
}

// sameFolder reports whether two declarations have the same kind and folder, and are both in test files or both not.
func sameFolder(a, b *Decl) bool {
	return a.Kind == b.Kind && a.File.Dir() == b.File.Dir() && a.File.IsTest() == b.File.IsTest()
}

// code counts the lines of a function, and how often it has each.
type code struct {
	lines int
	count map[string]int
}

// codes returns the code of each declaration, without blanks around lines and without lines that have only brackets.
func codes(decls []*Decl) (list []code) {
	for _, d := range decls {
		c := code{count: map[string]int{}}
		for _, line := range d.Lines() {
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
