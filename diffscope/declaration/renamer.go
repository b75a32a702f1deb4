package declaration

import (
	"go/ast"
	"regexp"
	"sync"
)

// renamer finds what a change only renames. Both names must be unambiguous: the old one does not occur in head, the
// new one does not occur in base (except for members), and unchanged files declare neither.
type renamer struct {
	before, now usage
	still       func() declaredNames
}

func newRenamer(base, head []*File, others func() []*File) *renamer {
	return &renamer{usageOf(base), usageOf(head), sync.OnceValue(func() declaredNames { return declared(others()) })}
}

// isNewName reports whether fresh is without doubt a new name for old.
func (r *renamer) isNewName(old, fresh string) bool {
	return old != fresh && !r.before.foreign[old] && !r.now.foreign[fresh] && r.now.all[old] == 0 && r.before.all[fresh] == 0 && !r.still().all[old] && !r.still().all[fresh]
}

// replaces reports whether fresh is a new name for old and occurs as often as old did.
func (r *renamer) replaces(old, fresh string) bool {
	return r.before.all[old] == r.now.all[fresh] && r.isNewName(old, fresh)
}

// replacesMember is replaces for a field or method. Other types may have had a member of the new name before. But no
// package-level declaration may have either name, since a key of that name could mean it.
func (r *renamer) replacesMember(old, fresh string) bool {
	if r.before.foreign[old] || r.now.foreign[fresh] || r.before.values[old] || r.now.values[fresh] || r.still().values[old] || r.still().values[fresh] {
		return false
	}
	return old != fresh && r.before.members[old]+r.before.members[fresh] == r.now.members[fresh] && r.now.members[old] == 0 && !r.still().members[old]
}

// names returns the new names that follow from the moved declarations, and from fields and methods of changed types.
func (r *renamer) names(moved map[*Decl]*Decl, changed []*Decl) newNames {
	var all, members namePairs
	for d, from := range moved {
		all = append(all, [2]string{from.lastName(), d.lastName()})
		members = append(members, r.memberPairs(from, d)...)
	}
	for _, d := range changed {
		members = append(members, r.memberPairs(d.From, d)...)
	}
	types := map[string]int{} // by old name: how many types rename such a member
	for _, pair := range members {
		types[pair[0]]++
	}
	return newNames{all.unique(r.isNewName), members.unique(func(old, fresh string) bool {
		return types[old] == r.before.declared[old] && r.replacesMember(old, fresh)
	})}
}

// memberPairs returns the fieldPairs of a type; nil if a new name could mean a member promoted from an embedded type,
// or if an old name is exported and the file imports a package that looks at field names: encoders skip unexported
// fields.
func (r *renamer) memberPairs(old, now *Decl) namePairs {
	pairs := fieldPairs(old, now)
	for _, p := range pairs {
		taken := r.before.members[p[1]] > 0 || r.still().members[p[1]]
		if taken && old.embeds() || ast.IsExported(p[0]) && old.File.encodes() {
			return nil
		}
	}
	return pairs
}

// encodes reports whether a file imports a package that may look at the names of fields.
func (f *File) encodes() bool {
	for _, importPath := range f.Imports() {
		if seesFields.MatchString(importPath) {
			return true
		}
	}
	return false
}

// seesFields matches the import paths of packages that may look at the names of fields.
var seesFields = regexp.MustCompile(`^encoding|^reflect$|template|json|yaml|toml|xml|bson|msgpack|mapstructure`)
