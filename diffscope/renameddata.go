package diffscope

import (
	"go/ast"
	"strings"
)

// unmoveData pairs added constants, variables and types with deleted ones that differ only in their own name and in
// the names in renamed. It marks the added ones as unchanged, and returns what stays deleted, and the pairs by their
// added one. Several that look the same are paired in order, if both sides have equally many.
func (r *renamer) unmoveData(deleted, head []*decl, renamed otherNames) (stay []*decl, pairs map[*decl]*decl) {
	type look struct {
		folder   string
		test     bool
		kind     declKind
		variable bool
		text     string
	}
	old, fresh := map[look][]*decl{}, map[look][]*decl{}
	for _, d := range deleted {
		if !d.function() {
			key := look{d.file.dir(), d.file.test(), d.kind, d.variable, renamed.inTokens(d.unnamed())}
			old[key] = append(old[key], d)
		}
	}
	for _, d := range head {
		if !d.function() && d.added {
			key := look{d.file.dir(), d.file.test(), d.kind, d.variable, d.unnamed()}
			fresh[key] = append(fresh[key], d)
		}
	}
	pairs, used := map[*decl]*decl{}, map[*decl]bool{}
	for key, list := range fresh {
		from := old[key]
		if len(from) != len(list) {
			continue
		}
		for i, d := range list {
			if r.replaces(from[i].name, d.name) {
				pairs[d], used[from[i]] = from[i], true
				d.added, d.changed = false, false
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
func (d *decl) unnamed() string {
	if d.kind == typeDecl {
		_, text, _ := strings.Cut(d.text, separator)
		return text
	}
	return d.text
}

// fieldPairs returns the old and the new name of each renamed field of a struct, or method of an interface. It
// returns nil if anything else differs.
func fieldPairs(old, now *decl) (pairs namePairs) {
	if old == nil || old.kind != typeDecl {
		return nil
	}
	was, is := old.fieldNames(), now.fieldNames()
	before, after := strings.Split(old.unnamed(), separator), strings.Split(now.unnamed(), separator)
	if len(was) != len(is) || len(before) != len(after) {
		return nil
	}
	for i := range was {
		if was[i] != is[i] {
			pairs = append(pairs, [2]string{was[i], is[i]})
		}
	}
	fresh := pairs.unique(func(string, string) bool { return true })
	for i := range before {
		if before[i] != after[i] && fresh[before[i]] != after[i] {
			return nil
		}
	}
	return pairs
}

// fieldNames returns the names of the fields of a struct type, or of the methods of an interface, in source order.
func (d *decl) fieldNames() (names []string) {
	for _, field := range d.members() {
		for _, id := range field.Names {
			names = append(names, id.Name)
		}
	}
	return names
}

// members returns the fields of a struct type, or the methods of an interface, and what either embeds.
func (d *decl) members() []*ast.Field {
	spec, ok := d.node.(*ast.TypeSpec)
	if !ok {
		return nil
	}
	switch t := spec.Type.(type) {
	case *ast.StructType:
		return t.Fields.List
	case *ast.InterfaceType:
		return t.Methods.List
	}
	return nil
}
