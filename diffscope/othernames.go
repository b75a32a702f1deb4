package diffscope

import (
	"go/ast"
	"slices"
	"strings"
	"sync"
)

// otherNames are the new names of what a change only renames, by the old ones.
type otherNames struct {
	all     map[string]string // of functions, methods, types, constants and variables of packages, wherever they stand
	members map[string]string // of fields and methods of types, where they are selected from something, or are keys
}

// of is the new name of an identifier; "": it has none.
func (o otherNames) of(name string, member bool) string {
	if fresh := o.members[name]; member && fresh != "" {
		return fresh
	}
	return o.all[name]
}

// explain reports whether these are new names of members, all of them.
func (o otherNames) explain(pairs namePairs) bool {
	return len(pairs) > 0 && !slices.ContainsFunc(pairs, func(p [2]string) bool { return o.members[p[0]] != p[1] })
}

// empty reports whether nothing has another name.
func (o otherNames) empty() bool { return len(o.all)+len(o.members) == 0 }

// renamer finds what a change only renames. There has to be no doubt about what is meant by a name: the old one means nothing in
// head, and but for fields and methods the new one nothing in base, and files that are as they were declare neither.
type renamer struct {
	before, now usage
	still       func() declaredNames
}

func newRenamer(base, head []*file, others func() []*file) *renamer {
	return &renamer{usageOf(base), usageOf(head), sync.OnceValue(func() declaredNames { return declared(others()) })}
}

// isNewName reports whether one name came in the place of another.
func (r *renamer) isNewName(old, fresh string) bool {
	return old != fresh && r.now.all[old] == 0 && r.before.all[fresh] == 0 && !r.still().all[old] && !r.still().all[fresh]
}

// replaces reports whether one name came in the place of another everywhere.
func (r *renamer) replaces(old, fresh string) bool {
	return r.before.all[old] == r.now.all[fresh] && r.isNewName(old, fresh)
}

// replacesMember is replaces for a field or method of a type that has the new one in the place of the old one. Other types may have had
// the new name before, and it may mean something else by itself.
func (r *renamer) replacesMember(old, fresh string) bool {
	return old != fresh && r.before.members[old]+r.before.members[fresh] == r.now.members[fresh] && r.now.members[old] == 0 && !r.still().members[old]
}

// names are those of what moved has, new ones and old ones, and of the fields and methods of the types among changed.
func (r *renamer) names(moved map[*decl]*decl, changed []*decl) otherNames {
	var all, members namePairs
	for d, from := range moved {
		all = append(all, [2]string{from.lastName(), d.lastName()})
	}
	for _, d := range changed {
		members = append(members, fieldPairs(d.from, d)...)
	}
	for d, from := range moved {
		members = append(members, fieldPairs(from, d)...)
	}
	return otherNames{all.unique(r.isNewName), members.unique(r.replacesMember)}
}

// namePairs are old and new names.
type namePairs [][2]string

// unique are the new names by the old ones where neither is in pairs with others, and is holds.
func (p namePairs) unique(is func(old, fresh string) bool) map[string]string {
	count := map[string]int{} // of different pairs, by either name
	seen := map[[2]string]bool{}
	for _, pair := range p {
		if !seen[pair] && pair[0] != pair[1] {
			seen[pair] = true
			count[pair[0]]++
			count[pair[1]]++
		}
	}
	names := map[string]string{}
	for pair := range seen {
		if count[pair[0]] == 1 && count[pair[1]] == 1 && is(pair[0], pair[1]) {
			names[pair[0]] = pair[1]
		}
	}
	return names
}

// lastName is the name of a declaration without that of its type.
func (d *decl) lastName() string { return d.name[strings.LastIndex(d.name, ".")+1:] }

// usage is how often files have each name: all of them, whatever they mean, and those that are members.
type usage struct{ all, members map[string]int }

func usageOf(files []*file) usage {
	u := usage{map[string]int{}, map[string]int{}}
	for _, f := range files {
		members := memberNames(f.syntax)
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				u.all[id.Name]++
				if members[id] {
					u.members[id.Name]++
				}
			}
			return true
		})
	}
	return u
}

// declaredNames are the names of functions, types, variables, parameters, fields and methods that files declare; members
// are those of fields and methods.
type declaredNames struct{ all, members map[string]bool }

func declared(files []*file) declaredNames {
	found := declaredNames{map[string]bool{}, map[string]bool{}}
	add := func(member bool, ids ...*ast.Ident) {
		for _, id := range ids {
			found.all[id.Name] = true
			found.members[id.Name] = found.members[id.Name] || member
		}
	}
	for _, f := range files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
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

// memberNames are the identifiers of node that are selected from something, fields, methods, and keys.
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

// inTokens are tokens with other names for some identifiers.
func (o otherNames) inTokens(tokens string) string {
	if o.empty() {
		return tokens
	}
	old := strings.Split(tokens, tokenSeparator)
	list := slices.Clone(old)
	for i := range old {
		if fresh := o.of(old[i], isMember(old, i)); fresh != "" {
			list[i] = fresh
		}
	}
	return strings.Join(list, tokenSeparator)
}

// isMember reports whether a token is selected from something, or a key.
func isMember(tokens []string, i int) bool {
	if i == 0 {
		return false
	}
	return tokens[i-1] == "." || i+1 < len(tokens) && tokens[i+1] == ":" && (tokens[i-1] == "{" || tokens[i-1] == ",")
}
