package diffscope

import (
	"slices"
	"strings"
)

// declKey identifies a declaration across revisions.
type declKey struct {
	dir      string
	external bool // of package x_test; a package that was renamed keeps its declarations
	kind     declKind
	name     string
}

func (d *decl) key() declKey {
	external := d.file.test() && strings.HasSuffix(d.file.syntax.Name.Name, "_test")
	return declKey{dir: d.file.dir(), external: external, kind: d.kind, name: d.name}
}

// compare marks the declarations of head that base does not have as they are.
// A declaration is unchanged if its tokens are found under its own name, in
// the same file or another of the package, and a function also if its code is
// found under a name that head no longer has: it was moved or renamed. What
// base has and head lacks is returned as deleted, in source order, and moved
// maps what was moved to where it came from.
func compare(base, head []*file) (deleted []*decl, moved map[*decl]*decl) {
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
	return unmove(deleted, rest)
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
			i := slices.IndexFunc(old[d.key()], func(o *decl) bool { return o.text == d.text && free(d, o) })
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

// unmove pairs added functions with deleted ones of the same shape, each at
// most once, and takes the mark from them. It returns what stays deleted, and
// the pairs.
func unmove(deleted, head []*decl) (stay []*decl, moved map[*decl]*decl) {
	byShape := map[string][]*decl{}
	for _, d := range deleted {
		if d.shape != "" {
			byShape[d.shape] = append(byShape[d.shape], d)
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
