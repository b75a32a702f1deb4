package declaration

import (
	"go/ast"
	"slices"
	"strings"
)

// members returns the fields of a struct type, or the methods of an interface, and what either embeds.
func (d *Decl) members() []*ast.Field {
	spec, ok := d.Node.(*ast.TypeSpec)
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

// embeds reports whether a type embeds another one.
func (d *Decl) embeds() bool {
	for _, field := range d.members() {
		if len(field.Names) == 0 {
			return true
		}
	}
	return false
}

// fieldNames returns the names of the fields of a struct type, or of the methods of an interface, in source order.
func (d *Decl) fieldNames() (names []string) {
	for _, field := range d.members() {
		for _, id := range field.Names {
			names = append(names, id.Name)
		}
	}
	return names
}

// fieldPairs returns the old and the new name of each renamed field of a struct, or method of an interface. It
// returns nil if anything else differs.
func fieldPairs(old, now *Decl) (pairs namePairs) {
	if old == nil || old.Kind != Type {
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

// AddedData returns the added variable or fields of one declaration, as "variable" or "Type.Field".
func (d *Decl) AddedData() (names []string) {
	switch {
	case d.Kind == Value && d.Added && d.Constant == nil:
		return []string{d.Name}
	case d.Kind == Type && d.Changed:
		var old []string
		if d.From != nil {
			old = d.From.fields()
		}
		for _, name := range d.fields() {
			if !slices.Contains(old, name) {
				names = append(names, d.Name+"."+name)
			}
		}
	}
	return names
}

// fields returns the names of the fields of a struct type, without embedded and blank fields; nil for anything else.
func (d *Decl) fields() (names []string) {
	spec, ok := d.Node.(*ast.TypeSpec)
	if !ok {
		return nil
	}
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	for _, field := range structure.Fields.List {
		for _, id := range field.Names {
			if id.Name != "_" {
				names = append(names, id.Name)
			}
		}
	}
	return names
}
