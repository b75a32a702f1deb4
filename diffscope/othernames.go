package diffscope

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// otherNames maps old names to new ones for what a change only renames.
type otherNames struct {
	all     map[string]string // of package-level declarations and methods, wherever the identifier stands
	members map[string]string // of fields and methods, where they are selected from something or are keys
}

// of returns the new name of an identifier; "" if it has none. member says that it is selected or a key.
func (o otherNames) of(name string, member bool) string {
	if fresh := o.members[name]; member && fresh != "" {
		return fresh
	}
	return o.all[name]
}

// explain reports whether there are pairs, and all of them are new names of members.
func (o otherNames) explain(pairs namePairs) bool {
	return len(pairs) > 0 && !slices.ContainsFunc(pairs, func(p [2]string) bool { return o.members[p[0]] != p[1] })
}

// empty reports whether nothing has another name.
func (o otherNames) empty() bool { return len(o.all)+len(o.members) == 0 }

// renamer finds what a change only renames. Both names must be unambiguous: the old one does not occur in head, the
// new one does not occur in base (except for members), and unchanged files declare neither.
type renamer struct {
	before, now usage
	still       func() declaredNames
}

func newRenamer(base, head []*file, others func() []*file) *renamer {
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
func (r *renamer) names(moved map[*decl]*decl, changed []*decl) otherNames {
	var all, members namePairs
	for d, from := range moved {
		all = append(all, [2]string{from.lastName(), d.lastName()})
		members = append(members, r.memberPairs(from, d)...)
	}
	for _, d := range changed {
		members = append(members, r.memberPairs(d.from, d)...)
	}
	types := map[string]int{} // by old name: how many types rename such a member
	for _, pair := range members {
		types[pair[0]]++
	}
	return otherNames{all.unique(r.isNewName), members.unique(func(old, fresh string) bool {
		return types[old] == r.before.declared[old] && r.replacesMember(old, fresh)
	})}
}

// memberPairs returns the fieldPairs of a type; nil if a new name could mean a member promoted from an embedded type,
// or if an old name is exported and the file imports a package that looks at field names: encoders skip unexported
// fields.
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

// embeds reports whether a type embeds another one.
func (d *decl) embeds() bool {
	for _, field := range d.members() {
		if len(field.Names) == 0 {
			return true
		}
	}
	return false
}

// encodes reports whether a file imports a package that may look at the names of fields.
func (f *file) encodes() bool {
	for _, importPath := range f.imports() {
		if seesFields.MatchString(importPath) {
			return true
		}
	}
	return false
}

// seesFields matches the import paths of packages that may look at the names of fields.
var seesFields = regexp.MustCompile(`^encoding|^reflect$|template|json|yaml|toml|xml|bson|msgpack|mapstructure`)

// namePairs are pairs of an old and a new name.
type namePairs [][2]string

// unique maps old names to new ones, for pairs that satisfy is and whose names occur in no other pair.
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

// lastName returns the name of a declaration without its receiver type.
func (d *decl) lastName() string { return d.name[strings.LastIndex(d.name, ".")+1:] }

// usage counts the names in some files.
type usage struct {
	all, members map[string]int  // identifiers, whatever they mean; those that are members
	declared     map[string]int  // declared fields of structs and methods of interfaces
	values       map[string]bool // names of package-level declarations
	foreign      map[string]bool // names selected from packages that none of the files belongs to
}

func usageOf(files []*file) usage {
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
func isOf(importPath string, files []*file) bool {
	return slices.ContainsFunc(files, func(f *file) bool {
		if f.dir() == "." { // its import path is not known here
			return packageName(importPath) == f.syntax.Name.Name && strings.Contains(importPath, ".")
		}
		return strings.HasSuffix("/"+importPath, "/"+f.dir())
	})
}

// declaredNames are the names that files declare: all of them, those of fields and methods, and those at package
// level. Names declared with := are not among them.
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

// inTokens returns tokens with the new names in place of the old ones.
func (o otherNames) inTokens(tokens string) string {
	if o.empty() {
		return tokens
	}
	old := strings.Split(tokens, separator)
	list := slices.Clone(old)
	for i, token := range old {
		if o.all[token] == "" && o.members[token] == "" {
			continue
		}
		if fresh := o.of(token, isMember(old, i)); fresh != "" {
			list[i] = fresh
		}
	}
	return strings.Join(list, separator)
}

// isMember reports whether a token is selected from something, or looks like a key of a composite literal.
func isMember(tokens []string, i int) bool {
	switch {
	case i == 0:
		return false
	case tokens[i-1] == ".":
		return true
	}
	return i+1 < len(tokens) && tokens[i+1] == ":" && (tokens[i-1] == "{" || tokens[i-1] == "," && !inCase(tokens[:i]))
}

// inCase reports whether a list of tokens ends within the list of a case.
func inCase(tokens []string) bool {
	depth := 0
	for _, token := range slices.Backward(tokens) {
		switch token {
		case ")", "]", "}":
			depth++
		case "(", "[", "{":
			if depth--; depth < 0 {
				return false
			}
		case "case":
			if depth == 0 {
				return true
			}
		}
	}
	return false
}
