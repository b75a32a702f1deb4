package diffscope

// declKey identifies a declaration across revisions.
type declKey struct {
	dir, pkg string // folder and package name
	kind     declKind
	name     string
}

func (d *decl) key() declKey {
	return declKey{dir: d.file.dir(), pkg: d.file.syntax.Name.Name, kind: d.kind, name: d.name}
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
	take := func(d *decl, sameFile bool) bool {
		for i, o := range old[d.key()] {
			if o != nil && o.text == d.text && (!sameFile || o.file.name == d.file.name) {
				old[d.key()][i] = nil
				return true
			}
		}
		return false
	}
	var rest []*decl
	// A name may be declared once for each platform, so the same file has
	// the first claim.
	for _, f := range head {
		for _, d := range f.decls {
			if !take(d, true) {
				rest = append(rest, d)
			}
		}
	}
	current := map[declKey]bool{}
	for _, d := range rest {
		if !take(d, false) {
			d.changed = true
			current[d.key()] = true
			d.added = !declared(old[d.key()])
		}
	}
	deleted = gone(base, old, current)
	return unmove(deleted, rest)
}

// declared reports whether any declaration of a key is left.
func declared(decls []*decl) bool {
	for _, d := range decls {
		if d != nil {
			return true
		}
	}
	return false
}

// gone returns the declarations left in old whose key head does not have.
func gone(base []*file, old map[declKey][]*decl, current map[declKey]bool) []*decl {
	left := map[*decl]bool{}
	for key, decls := range old {
		for _, d := range decls {
			left[d] = d != nil && !current[key]
		}
	}
	var deleted []*decl
	for _, f := range base {
		for _, d := range f.decls {
			if left[d] {
				deleted = append(deleted, d)
			}
		}
	}
	return deleted
}

// unmove pairs added functions with deleted ones of the same shape, each at
// most once, and takes the mark from them. It returns what stays deleted, and
// the pairs.
func unmove(deleted, head []*decl) (stay []*decl, moved map[*decl]*decl) {
	byShape := map[string][]*decl{}
	for _, d := range deleted {
		if d.function() {
			byShape[d.shape] = append(byShape[d.shape], d)
		}
	}
	moved = map[*decl]*decl{}
	used := map[*decl]bool{}
	for _, d := range head {
		from := byShape[d.shape]
		if !d.added || !d.function() || len(from) == 0 || from[0].kind != d.kind {
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
