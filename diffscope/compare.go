package diffscope

import (
	"maps"
	"slices"
)

// declKey identifies a declaration across revisions.
type declKey struct {
	packageKey // a package that was renamed keeps its declarations
	kind       declKind
	name       string
}

func (d *decl) key() declKey {
	return declKey{d.file.packageKey(), d.kind, d.name}
}

// compare marks the declarations of head that base does not have as they are.
// A declaration is unchanged if its tokens are found under its own name, in
// the same file or another of the package, and a function also if its code is
// found under a name that head no longer has: it was moved or renamed. Other
// declarations may then have the new name where they had the old one. A function that is much like one whose name
// head no longer has is that one, renamed and changed. What base has and head lacks is returned as deleted, in source order, and moved
// maps what was moved to where it came from. others are the files of head's packages
// that are as they were.
func compare(base, head []*file, others func() []*file) (deleted []*decl, moved map[*decl]*decl) {
	old := map[declKey][]*decl{}
	for _, f := range base {
		for _, d := range f.decls {
			old[d.key()] = append(old[d.key()], d)
		}
	}
	rest := unchanged(old, head)
	current := map[declKey]bool{}
	for _, d := range rest {
		d.changed = true
		d.from = predecessor(old[d.key()], d)
		d.added = d.from == nil
		current[d.key()] = true
	}
	for _, f := range base {
		for _, d := range f.decls {
			if !current[d.key()] && slices.Contains(old[d.key()], d) {
				deleted = append(deleted, d)
			}
		}
	}
	r := newRenamer(base, head, others)
	deleted, moved, renamed := r.unmoveAll(deleted, rest)
	if stay, pairs := renameChanged(deleted, rest); len(pairs) > 0 {
		deleted = stay
		maps.Copy(pairs, moved)
		renamed = r.names(pairs, rest)
	}
	before, now := literalsOf(base, others), literalsOf(head, others)
	for _, d := range rest {
		if d.from != nil {
			d.compareWith(renamed, sameConstants{before[d.from.file.packageKey()], now[d.file.packageKey()]})
		}
	}
	return deleted, moved
}

// compareWith takes the mark from d if it only has new names where it had the old ones, and constants for the same literals.
func (d *decl) compareWith(renamed otherNames, constants sameConstants) {
	if d.text != d.from.text && (constants.same(d.from.text, d.text, renamed) || renamed.explain(fieldPairs(d.from, d))) {
		d.changed, d.from = false, nil
		return
	}
	d.renamed, d.constants = renamed, constants
}

// unmoveAll is unmove and unmoveData, repeated as long as other names explain the change of more declarations.
// It returns these names, too.
func (r *renamer) unmoveAll(deleted, rest []*decl) (stay []*decl, moved map[*decl]*decl, renamed otherNames) {
	stay, moved = deleted, map[*decl]*decl{}
	renamed = r.names(moved, rest)
	for {
		var functions, data map[*decl]*decl
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

// predecessor returns which of some declarations d was, if any: that of the
// same file before others.
func predecessor(old []*decl, d *decl) *decl {
	if i := slices.IndexFunc(old, func(o *decl) bool { return o.file.name == d.file.name }); i >= 0 {
		return old[i]
	}
	if len(old) > 0 {
		return old[0]
	}
	return nil
}

// unchanged takes from old what head has with the same tokens, and returns
// the rest of head. A name may be declared once for each platform: the same
// file has the first claim, and what its file still declares at head was not
// moved to another.
func unchanged(old map[declKey][]*decl, head []*file) []*decl {
	type declIn struct {
		key  declKey
		file string
	}
	still := map[declIn]bool{}
	for _, f := range head {
		for _, d := range f.decls {
			still[declIn{d.key(), f.name}] = true
		}
	}
	take := func(decls []*decl, free func(d, from *decl) bool) (rest []*decl) {
		for _, d := range decls {
			i := slices.IndexFunc(old[d.key()], func(o *decl) bool { return o.text == d.text && o.variable == d.variable && free(d, o) })
			if i < 0 {
				rest = append(rest, d)
				continue
			}
			old[d.key()] = slices.Delete(old[d.key()], i, i+1)
		}
		return rest
	}
	var all []*decl
	for _, f := range head {
		all = append(all, f.decls...)
	}
	all = take(all, func(d, from *decl) bool { return from.file.name == d.file.name })
	return take(all, func(d, from *decl) bool { return !still[declIn{from.key(), from.file.name}] })
}

// unmove pairs added functions with deleted ones of the same shape, but for the new
// names of others, each at most once, and takes the mark from them. It returns what
// stays deleted, and the pairs.
func unmove(deleted, head []*decl, renamed otherNames) (stay []*decl, moved map[*decl]*decl) {
	byShape := map[string][]*decl{}
	for _, d := range deleted {
		if d.shape != "" {
			shape := renamed.inTokens(d.shape)
			byShape[shape] = append(byShape[shape], d)
		}
	}
	moved = map[*decl]*decl{}
	used := map[*decl]bool{}
	for _, d := range head {
		from := byShape[d.shape]
		if !d.added || d.shape == "" || len(from) == 0 || from[0].kind != d.kind {
			continue
		}
		moved[d], byShape[d.shape] = from[0], from[1:]
		used[from[0]] = true
		d.added, d.changed = false, false
	}
	for _, d := range deleted {
		if !used[d] {
			stay = append(stay, d)
		}
	}
	return stay, moved
}
