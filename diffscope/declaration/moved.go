package declaration

import (
	"maps"
	"strings"
)

// unmoveAll repeats unmove and unmoveData until neither finds another pair: the names in each new pair may explain
// the changes of more declarations. It also returns these names.
func (r *renamer) unmoveAll(deleted, rest []*Decl) (stay []*Decl, moved map[*Decl]*Decl, renamed newNames) {
	stay, moved = deleted, map[*Decl]*Decl{}
	renamed = r.names(moved, rest)
	for {
		var functions, data map[*Decl]*Decl
		stay, functions = unmove(stay, rest, renamed)
		stay, data = r.unmoveData(stay, rest, renamed)
		if len(functions)+len(data) == 0 {
			return stay, moved, renamed
		}
		maps.Copy(moved, functions)
		maps.Copy(moved, data)
		renamed = r.names(moved, rest)
	}
}

// unmove pairs added functions with deleted ones of the same shape, after applying the new names in renamed. It uses
// each function at most once and marks the added ones as unchanged. It returns the functions that stay deleted, and
// the pairs by their added one.
func unmove(deleted, head []*Decl, renamed newNames) (stay []*Decl, moved map[*Decl]*Decl) {
	byShape := map[string][]*Decl{}
	for _, d := range deleted {
		if d.shape != "" {
			shape := renamed.inTokens(d.shape)
			byShape[shape] = append(byShape[shape], d)
		}
	}
	moved = map[*Decl]*Decl{}
	used := map[*Decl]bool{}
	for _, d := range head {
		from := byShape[d.shape]
		// What was in a test file counts as new where it is part of the program.
		if !d.Added || d.shape == "" || len(from) == 0 || from[0].Kind != d.Kind || from[0].File.IsTest() && !d.File.IsTest() {
			continue
		}
		moved[d], byShape[d.shape] = from[0], from[1:]
		used[from[0]] = true
		d.Added, d.Changed = false, false
	}
	for _, d := range deleted {
		if !used[d] {
			stay = append(stay, d)
		}
	}
	return stay, moved
}

// unmoveData pairs added constants, variables and types with deleted ones that differ only in their own name and in
// the names in renamed. It marks the added ones as unchanged, and returns what stays deleted, and the pairs by their
// added one. Several that look the same are paired in order, if both sides have equally many.
func (r *renamer) unmoveData(deleted, head []*Decl, renamed newNames) (stay []*Decl, pairs map[*Decl]*Decl) {
	type look struct {
		folder   string
		test     bool
		kind     Kind
		variable bool
		text     string
	}
	old, fresh := map[look][]*Decl{}, map[look][]*Decl{}
	for _, d := range deleted {
		if !d.IsFunction() {
			key := look{d.File.Dir(), d.File.IsTest(), d.Kind, d.variable, renamed.inTokens(d.unnamed())}
			old[key] = append(old[key], d)
		}
	}
	for _, d := range head {
		if !d.IsFunction() && d.Added {
			key := look{d.File.Dir(), d.File.IsTest(), d.Kind, d.variable, d.unnamed()}
			fresh[key] = append(fresh[key], d)
		}
	}
	pairs, used := map[*Decl]*Decl{}, map[*Decl]bool{}
	for key, list := range fresh {
		from := old[key]
		if len(from) != len(list) {
			continue
		}
		for i, d := range list {
			if r.replaces(from[i].Name, d.Name) {
				pairs[d], used[from[i]] = from[i], true
				d.Added, d.Changed = false, false
			}
		}
	}
	for _, d := range deleted {
		if !used[d] {
			stay = append(stay, d)
		}
	}
	return stay, pairs
}

// unnamed returns the tokens of a constant, variable or type without its own name.
func (d *Decl) unnamed() string {
	if d.Kind == Type {
		_, text, _ := strings.Cut(d.text, separator)
		return text
	}
	return d.text
}
