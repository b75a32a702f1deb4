package declaration

import (
	"maps"
	"slices"
)

// declKey identifies a declaration across revisions.
type declKey struct {
	packageKey // by folder, so that renaming a package changes no key
	kind       Kind
	name       string
}

func (d *Decl) key() declKey {
	return declKey{d.File.packageKey(), d.Kind, d.Name}
}

// Comparison is what differs between base and head besides the declarations that head has, which are marked.
type Comparison struct {
	Deleted []*Decl         // what the base has and head lacks, in source order
	Moved   map[*Decl]*Decl // the old one of each declaration that was only moved or renamed
	Gone    []Gone          // what lines of the base may need and head lacks, or has otherwise
}

// Compare marks the declarations of head that differ from the base. A declaration is unchanged if one of these holds:
//   - The base declares the same tokens under the same name, in the same file or in another file of the package.
//   - It only moved or got another name: the base has the same under a name that head lacks.
//   - It differs only in new names of other declarations and of members, or in constants that replace equal literals
//     (or the reverse).
//
// A function that resembles one whose name head lacks counts as that one, renamed and changed.
//
// others returns the unchanged files of head's packages. Compare calls it only if it needs them.
func Compare(base, head []*File, others func() []*File) Comparison {
	old := map[declKey][]*Decl{}
	for _, f := range base {
		for _, d := range f.Decls {
			old[d.key()] = append(old[d.key()], d)
		}
	}
	rest := unchanged(old, head)
	current := map[declKey]bool{}
	taken := map[*Decl]bool{}
	for _, d := range rest {
		d.Changed = true
		d.From = predecessor(old[d.key()], d, taken)
		taken[d.From] = true
		d.Added = d.From == nil
		current[d.key()] = true
	}
	var deleted []*Decl
	for _, f := range base {
		for _, d := range f.Decls {
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
		if d.From != nil {
			d.compareWith(renamed, sameConstants{before[d.From.File.packageKey()], now[d.File.packageKey()]})
		}
	}
	return Comparison{deleted, moved, gone(base, head)}
}

// unchanged removes from old each declaration that head has with the same tokens, and returns the other declarations
// of head. A name may be declared once per platform, in several files. So the same file is matched first, and an old
// declaration whose own file still declares the name is not matched with another file.
func unchanged(old map[declKey][]*Decl, head []*File) []*Decl {
	type declIn struct {
		key  declKey
		file string
	}
	still := map[declIn]bool{}
	for _, f := range head {
		for _, d := range f.Decls {
			still[declIn{d.key(), f.Name}] = true
		}
	}
	take := func(decls []*Decl, free func(d, from *Decl) bool) (rest []*Decl) {
		for _, d := range decls {
			i := slices.IndexFunc(old[d.key()], func(o *Decl) bool { return o.text == d.text && o.variable == d.variable && free(d, o) })
			if i < 0 {
				rest = append(rest, d)
				continue
			}
			old[d.key()] = slices.Delete(old[d.key()], i, i+1)
		}
		return rest
	}
	var all []*Decl
	for _, f := range head {
		all = append(all, f.Decls...)
	}
	all = take(all, func(d, from *Decl) bool { return from.File.Name == d.File.Name })
	return take(all, func(d, from *Decl) bool {
		return !still[declIn{from.key(), from.File.Name}] && (d.File.IsTest() || !from.File.IsTest())
	})
}

// predecessor returns which of the old declarations d was; nil if there are none. It prefers one in the same file, and
// of several init functions there the first that is not taken. What was in a test file is none of code that is not.
func predecessor(old []*Decl, d *Decl, taken map[*Decl]bool) *Decl {
	old = slices.DeleteFunc(slices.Clone(old), func(o *Decl) bool { return o.File.IsTest() && !d.File.IsTest() })
	sameFile := func(o *Decl) bool { return o.File.Name == d.File.Name }
	if i := slices.IndexFunc(old, func(o *Decl) bool { return sameFile(o) && !taken[o] }); i >= 0 {
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

// compareWith marks d as unchanged if it differs from its old version only in new names and in constants for
// literals. Otherwise it records both in d.
func (d *Decl) compareWith(renamed newNames, constants sameConstants) {
	if d.text != d.From.text && (constants.same(d.From.text, d.text, renamed) || renamed.explain(fieldPairs(d.From, d))) {
		d.Changed, d.From = false, nil
		return
	}
	d.renamed, d.constants = renamed, constants
}
