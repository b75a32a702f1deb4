package diffscope

import (
	"go/ast"
	"slices"
)

// addedData returns the package variables and struct fields that head declares and the base does not, sorted, as
// import/path.variable and import/path.Type.Field.
func (f *finder) addedData(head []*file) (names []string) {
	for _, file := range head {
		if file.test() || f.leaveOut(file) != "" {
			continue
		}
		for _, d := range file.decls {
			for _, name := range d.addedData() {
				names = append(names, f.packages[f.folder(file)].ImportPath+"."+name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// addedData returns the added variable or fields of one declaration, as "variable" or "Type.Field".
func (d *decl) addedData() (names []string) {
	switch {
	case d.kind == valueDecl && d.added && d.constant == nil:
		return []string{d.name}
	case d.kind == typeDecl && d.changed:
		var old []string
		if d.from != nil {
			old = d.from.fields()
		}
		for _, name := range d.fields() {
			if !slices.Contains(old, name) {
				names = append(names, d.name+"."+name)
			}
		}
	}
	return names
}

// fields returns the names of the fields of a struct type, without embedded and blank fields; nil for anything else.
func (d *decl) fields() (names []string) {
	spec, ok := d.node.(*ast.TypeSpec)
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
