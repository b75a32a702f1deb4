package diffscope

import (
	"go/ast"
	"regexp"
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
	return old != fresh && !r.before.foreign[old] && !r.now.foreign[fresh] && r.now.all[old] == 0 && r.before.all[fresh] == 0 && !r.still().all[old] && !r.still().all[fresh]
}

// replaces reports whether one name came in the place of another everywhere.
func (r *renamer) replaces(old, fresh string) bool {
	return r.before.all[old] == r.now.all[fresh] && r.isNewName(old, fresh)
}

// replacesMember is replaces for a field or method of a type that has the new one in the place of the old one. Other types may have had
// the new name before, but nothing that stands by itself may have either: it could be a key.
func (r *renamer) replacesMember(old, fresh string) bool {
	if r.before.foreign[old] || r.now.foreign[fresh] || r.before.values[old] || r.now.values[fresh] || r.still().values[old] || r.still().values[fresh] {
		return false
	}
	return old != fresh && r.before.members[old]+r.before.members[fresh] == r.now.members[fresh] && r.now.members[old] == 0 && !r.still().members[old]
}

// names are those of what moved has, new ones and old ones, and of the fields and methods of the types among changed.
func (r *renamer) names(moved map[*decl]*decl, changed []*decl) otherNames {
	var all, members namePairs
	for d, from := range moved {
		all = append(all, [2]string{from.lastName(), d.lastName()})
		members = append(members, r.memberPairs(from, d)...)
	}
	for _, d := range changed {
		members = append(members, r.memberPairs(d.from, d)...)
	}
	types := map[string]int{} // that give the name up for another one
	for _, pair := range members {
		types[pair[0]]++
	}
	return otherNames{all.unique(r.isNewName), members.unique(func(old, fresh string) bool {
		return types[old] == r.before.declared[old] && r.replacesMember(old, fresh)
	})}
}

// memberPairs are the fieldPairs of a type whose new names can mean nothing but its own members, which names that it takes from an
// embedded type would, and whose fields nothing but Go sees: encoding a field that is not exported any more gives nothing.
func (r *renamer) memberPairs(old, now *decl) namePairs {
	pairs := fieldPairs(old, now)
	for _, p := range pairs {
		taken := r.before.members[p[1]] > 0 || r.still().members[p[1]]
		if taken && old.embeds() || ast.IsExported(p[0]) && old.file.encodes() {
			return nil
		}
	}
	return pairs
}

// embeds reports whether a type has the members of another one.
func (d *decl) embeds() bool {
	for _, field := range d.members() {
		if len(field.Names) == 0 {
			return true
		}
	}
	return false
}

// encodes reports whether a file imports what may look at the names of fields.
func (f *file) encodes() bool {
	for _, importPath := range f.imports() {
		if seesFields.MatchString(importPath) {
			return true
		}
	}
	return false
}

// seesFields matches the import paths of packages that look at the names of fields.
var seesFields = regexp.MustCompile(`^encoding|^reflect$|template|json|yaml|toml|xml|bson|msgpack|mapstructure`)

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

// usage is how often files have each name.
type usage struct {
	all, members map[string]int  // all of them, whatever they mean, and those that are members
	declared     map[string]int  // fields of structs and methods of interfaces that are declared
	values       map[string]bool // what packages declare
	foreign      map[string]bool // what is selected from a package that none of the files is of
}

func usageOf(files []*file) usage {
	u := usage{map[string]int{}, map[string]int{}, map[string]int{}, map[string]bool{}, map[string]bool{}}
	for _, f := range files {
		members, imports := memberNames(f.syntax), f.imports()
		for _, d := range f.decls {
			u.values[d.name] = true
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Ident:
				u.all[n.Name]++
				if members[n] {
					u.members[n.Name]++
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && imports[x.Name] != "" && !isOf(imports[x.Name], files) {
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

// isOf reports whether an import path may be that of a package that one of files is of.
func isOf(importPath string, files []*file) bool {
	return slices.ContainsFunc(files, func(f *file) bool {
		if f.dir() == "." { // the path of its module is not known here
			return packageName(importPath) == f.syntax.Name.Name && strings.Contains(importPath, ".")
		}
		return strings.HasSuffix("/"+importPath, "/"+f.dir())
	})
}

// declaredNames are the names of functions, types, variables, parameters, fields and methods that files declare; members
// are those of fields and methods, values those of packages.
type declaredNames struct{ all, members, values map[string]bool }

func declared(files []*file) declaredNames {
	found := declaredNames{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	add := func(member bool, ids ...*ast.Ident) {
		for _, id := range ids {
			found.all[id.Name] = true
			found.members[id.Name] = found.members[id.Name] || member
		}
	}
	for _, f := range files {
		for _, d := range f.decls {
			found.values[d.name] = true
		}
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
