package declaration

import (
	"go/ast"
	"slices"
	"strings"
)

// usage counts the names in some files.
type usage struct {
	all, members map[string]int  // identifiers, whatever they mean; those that are members
	declared     map[string]int  // declared fields of structs and methods of interfaces
	values       map[string]bool // names of package-level declarations
	foreign      map[string]bool // names selected from packages that none of the files belongs to
}

func usageOf(files []*File) usage {
	u := usage{map[string]int{}, map[string]int{}, map[string]int{}, map[string]bool{}, map[string]bool{}}
	own := map[string]bool{} // import paths of packages that may be those of the files
	isOwn := func(importPath string) bool {
		is, known := own[importPath]
		if !known {
			is = isOf(importPath, files)
			own[importPath] = is
		}
		return is
	}
	for _, f := range files {
		members, imports := memberNames(f.Syntax), f.Imports()
		for _, d := range f.Decls {
			u.values[d.Name] = true
		}
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				u.all[n.Name]++
				if members[n] {
					u.members[n.Name]++
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && imports[x.Name] != "" && !isOwn(imports[x.Name]) {
					u.foreign[n.Sel.Name] = true
				}
			case *ast.StructType:
				u.declare(n.Fields)
			case *ast.InterfaceType:
				u.declare(n.Methods)
			}
			return true
		})
	}
	return u
}

func (u usage) declare(list *ast.FieldList) {
	for _, field := range list.List {
		for _, id := range field.Names {
			u.declared[id.Name]++
		}
	}
}

// isOf reports whether an import path may be that of a package that one of files belongs to.
func isOf(importPath string, files []*File) bool {
	return slices.ContainsFunc(files, func(f *File) bool {
		if f.Dir() == "." { // its import path is not known here
			return packageName(importPath) == f.Syntax.Name.Name && strings.Contains(importPath, ".")
		}
		return strings.HasSuffix("/"+importPath, "/"+f.Dir())
	})
}

// declaredNames are the names that files declare: all of them, those of fields and methods, and those at package
// level. Names declared with := are not among them.
type declaredNames struct{ all, members, values map[string]bool }

func declared(files []*File) declaredNames {
	found := declaredNames{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	add := func(member bool, ids ...*ast.Ident) {
		for _, id := range ids {
			found.all[id.Name] = true
			found.members[id.Name] = found.members[id.Name] || member
		}
	}
	for _, f := range files {
		for _, d := range f.Decls {
			found.values[d.Name] = true
		}
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				add(n.Recv != nil, n.Name)
			case *ast.TypeSpec:
				add(false, n.Name)
			case *ast.ValueSpec:
				add(false, n.Names...)
			case *ast.StructType:
				addFields(n.Fields, add)
			case *ast.InterfaceType:
				addFields(n.Methods, add)
			case *ast.Field:
				add(false, n.Names...)
			}
			return true
		})
	}
	return found
}

// addFields adds the names of fields or methods.
func addFields(list *ast.FieldList, add func(member bool, ids ...*ast.Ident)) {
	for _, f := range list.List {
		add(true, f.Names...)
	}
}

// memberNames returns the identifiers of node that are selected from something, name fields or methods, or are keys.
func memberNames(node ast.Node) map[*ast.Ident]bool {
	members := fixedNames(node)
	ast.Inspect(node, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncDecl); ok && f.Recv != nil {
			members[f.Name] = true
		}
		return true
	})
	return members
}
