package diffscope

import (
	"cmp"
	"go/ast"
	"maps"
	"strings"
)

// otherNames are the new names of functions that were moved, by the old ones, where there is no doubt about what is meant by either:
// the new one means nothing in base, the old one nothing in head, and others declare neither.
func otherNames(base, head []*file, others func() []*file, moved map[*decl]*decl) map[string]string {
	names, all := map[string]string{}, map[[2]string]bool{}
	count := map[string]int{} // of pairs, by either name
	for d, from := range moved {
		pair := [2]string{from.lastName(), d.lastName()}
		if pair[0] == pair[1] || all[pair] {
			continue
		}
		all[pair], names[pair[0]] = true, pair[1]
		count[pair[0]]++
		count[pair[1]]++
	}
	if len(names) == 0 {
		return nil
	}
	before, now, still := identifiers(base), identifiers(head), declared(others())
	maps.DeleteFunc(names, func(old, fresh string) bool {
		return count[old] > 1 || count[fresh] > 1 || now[old] || before[fresh] || still[old] || still[fresh]
	})
	return names
}

// lastName is the name of a declaration without that of its type.
func (d *decl) lastName() string { return d.name[strings.LastIndex(d.name, ".")+1:] }

// identifiers are all names in some files, whatever they mean.
func identifiers(files []*file) map[string]bool {
	found := map[string]bool{}
	for _, f := range files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				found[id.Name] = true
			}
			return true
		})
	}
	return found
}

// declared are the names of functions, types, variables, parameters, fields and methods that files declare.
func declared(files []*file) map[string]bool {
	found := map[string]bool{}
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			found[id.Name] = true
		}
	}
	for _, f := range files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				add(n.Name)
			case *ast.TypeSpec:
				add(n.Name)
			case *ast.ValueSpec:
				add(n.Names...)
			case *ast.Field:
				add(n.Names...)
			}
			return true
		})
	}
	return found
}

// withNames are tokens with other names for some identifiers.
func withNames(tokens string, names map[string]string) string {
	if len(names) == 0 {
		return tokens
	}
	list := strings.Split(tokens, tokenSeparator)
	for i, t := range list {
		list[i] = cmp.Or(names[t], t)
	}
	return strings.Join(list, tokenSeparator)
}
