package diffscope

import (
	"maps"
	"slices"
)

// declKey identifies a declaration across revisions.
type declKey struct {
	packageKey // by folder, so that renaming a package changes no key
	kind       declKind
	name       string
}

func (d *decl) key() declKey {
	return declKey{d.file.packageKey(), d.kind, d.name}
}

// compare marks the declarations of head that differ from the base. A declaration is unchanged if one of these holds:
//   - The base declares the same tokens under the same name, in the same file or in another file of the package.
//   - It only moved or got another name: the base has the same under a name that head lacks.
//   - It differs only in new names of other declarations and of members, or in constants that replace equal literals
//     (or the reverse).
//
// A function that resembles one whose name head lacks counts as that one, renamed and changed.
//
// compare returns as deleted, in source order, what the base has and head lacks. moved maps each moved or renamed
// declaration to its old one. others returns the unchanged files of head's packages.
func compare(base, head []*file, others func() []*file) (deleted []*decl, moved map[*decl]*decl) {
	old := map[declKey][]*decl{}
	for _, f := range base {
		for _, d := range f.decls {
			old[d.key()] = append(old[d.key()], d)
		}
	}
	rest := unchanged(old, head)
	current := map[declKey]bool{}
	taken := map[*decl]bool{}
	for _, d := range rest {
		d.changed = true
		d.from = predecessor(old[d.key()], d, taken)
		taken[d.from] = true
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

// compareWith marks d as unchanged if it differs from its old version only in new names and in constants for
// literals. Otherwise it records both in d.
func (d *decl) compareWith(renamed otherNames, constants sameConstants) {
	if d.text != d.from.text && (constants.same(d.from.text, d.text, renamed) || renamed.explain(fieldPairs(d.from, d))) {
		d.changed, d.from = false, nil
		return
	}
	d.renamed, d.constants = renamed, constants
}

// unmoveAll repeats unmove and unmoveData until neither finds another pair: the names in each new pair may explain
// the changes of more declarations. It also returns these names.
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

// predecessor returns which of the old declarations d was; nil if there are none. It prefers one in the same file, and
// of several init functions there the first that is not taken. What was in a test file is none of code that is not.
func predecessor(old []*decl, d *decl, taken map[*decl]bool) *decl {
	old = slices.DeleteFunc(slices.Clone(old), func(o *decl) bool { return o.file.test() && !d.file.test() })
	sameFile := func(o *decl) bool { return o.file.name == d.file.name }
	if i := slices.IndexFunc(old, func(o *decl) bool { return sameFile(o) && !taken[o] }); i >= 0 {
		return old[i]
	}
	if i := slices.IndexFunc(old, sameFile); i >= 0 {
		return old[i]
	}
	if len(old) > 0 {
		return old[0]
	}
	return nil
}

// unchanged removes from old each declaration that head has with the same tokens, and returns the other declarations
// of head. A name may be declared once per platform, in several files. So the same file is matched first, and an old
// declaration whose own file still declares the name is not matched with another file.
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
	return take(all, func(d, from *decl) bool {
		return !still[declIn{from.key(), from.file.name}] && (d.file.test() || !from.file.test())
	})
}

// unmove pairs added functions with deleted ones of the same shape, after applying the new names in renamed. It uses
// each function at most once and marks the added ones as unchanged. It returns the functions that stay deleted, and
// the pairs by their added one.
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
		// What was in a test file counts as new where it is part of the program.
		if !d.added || d.shape == "" || len(from) == 0 || from[0].kind != d.kind || from[0].file.test() && !d.file.test() {
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
