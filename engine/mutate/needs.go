package mutate

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

const (
	maxLocals = 16 << 10  // bytes of the declarations that old lines bring with them
	maxReach  = 256 << 10 // bytes from an import that old lines need to their end: results have the source between
)

// needs is what old lines need that the head of the change does not have: packages, and declarations of the package, with
// what these need in turn. What is declared within the function hides nothing, because the names are new there; so the
// mutant stays one edit of one file, and all other code is what it was.
type needs struct {
	*site
	old     bool              // all lines of the body are old, so that what it names is as it was
	hidden  map[string]bool   // names of the function's parameters, results and receiver
	imports map[string]string // paths by name
	seen    map[string]bool   // names of declarations
	size    int

	early, heads, late []string // types and constants; functions without bodies; values of variables and functions
}

// needsOf is what a body with old lines needs. It is not ok where there is no way to provide that. Imported are the packages that can be
// imported, as of the function.
func (s *site) needsOf(body string, old bool, imported map[string]string) (n *needs, ok bool) {
	n = &needs{site: s, old: old, hidden: s.parameters(), imports: map[string]string{}, seen: map[string]bool{}}
	return n, n.of(body, imported, nil)
}

// aliased is a body all of whose lines are old with other names for packages whose names mean another package now, as rand does where
// crypto/rand has taken the place of math/rand, and what can be imported by which name then.
func (s *site) aliased(body string) (text string, imported map[string]string) {
	const head = alone + "func _()"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", head+body, 0)
	if err != nil {
		return body, s.Imported
	}
	imported = maps.Clone(s.Imported)
	text = body
	for _, id := range slices.Backward(file.Unresolved) {
		importPath := s.Imported[id.Name]
		if now := s.importedAs(id.Name); importPath == "" || now == "" || now == importPath {
			continue
		}
		alias := aliasOf(importPath, id.Name)
		for strings.Contains(string(s.Source)+body, alias) {
			alias += "_"
		}
		at := fset.PositionFor(id.Pos(), false).Offset - len(head)
		text, imported[alias] = text[:at]+alias+text[at+len(id.Name):], importPath
	}
	return text, imported
}

// aliasOf is the name that people give to a package if its own is taken: mathrand for math/rand.
func aliasOf(importPath, name string) string {
	letters := func(r rune) rune {
		if r < 'a' || r > 'z' {
			return -1
		}
		return r
	}
	return cmp.Or(strings.Map(letters, path.Base(path.Dir(importPath))), "old") + name
}

// importedAs is the path of the package that the file imports by a name; "" if there is none.
func (s *site) importedAs(name string) string {
	for _, spec := range s.Syntax.Imports {
		if pkg := s.Info.PkgNameOf(spec); pkg != nil && pkg.Name() == name {
			return pkg.Imported().Path()
		}
	}
	return ""
}

// of adds what the statements of a body need. Hidden names mean something else outside the function.
func (n *needs) of(body string, imports map[string]string, hidden map[string]bool) bool {
	free, selected := freeNames(body)
	for _, name := range free {
		if hidden[name] {
			return false
		}
		if n.hidden[name] || n.seen[name] || n.known(name) {
			continue
		}
		switch g, gone := n.Gone[name]; {
		case gone:
			if !n.declare(name, g) {
				return false
			}
		case imports[name] != "" && selected[name]:
			if n.imports[name] != "" && n.imports[name] != imports[name] {
				return false
			}
			n.imports[name] = imports[name]
		}
	}
	return true
}

// known reports whether a name that is not declared in the function means what it did.
func (n *needs) known(name string) bool {
	if n.importedAs(name) != "" {
		return true
	}
	if _, gone := n.Gone[name]; gone && n.old {
		return false
	}
	return n.Pkg.Scope().Lookup(name) != nil || types.Universe.Lookup(name) != nil
}

// declare adds a declaration, after those that it needs itself.
func (n *needs) declare(name string, g Gone) bool {
	n.seen[name] = true
	text := g.statement(name)
	if n.size += len(text); n.size > maxLocals || g.Kind == token.TYPE && n.hasMethods(name) {
		return false
	}
	if g.Kind == token.FUNC {
		n.heads = append(n.heads, "var "+name+" func"+g.Type+"\n")
		text = "var " + name + " func" + g.Type + "\n" + text
	}
	if !n.of("{\n"+text+"}", g.Imported, n.hidden) {
		return false
	}
	switch g.Kind {
	case token.FUNC, token.VAR:
		n.late = append(n.late, g.statement(name)+"_ = "+name+"\n")
	default:
		n.early = append(n.early, text)
	}
	return true
}

// hasMethods reports whether a type of the base has methods, which types within functions cannot have.
func (n *needs) hasMethods(name string) bool {
	for other := range n.Gone {
		if strings.HasPrefix(other, name+".") {
			return true
		}
	}
	return false
}

// statement declares g within a function; of a function it gives the variable its value.
func (g Gone) statement(name string) string {
	switch g.Kind {
	case token.FUNC:
		return name + " = func" + g.Type + " " + g.Value + "\n"
	case token.TYPE:
		return "type " + name + " " + g.Value + "\n"
	}
	text := g.Kind.String() + " " + name
	if g.Type != "" {
		text += " " + g.Type
	}
	if g.Value != "" {
		text += " = " + g.Value
	}
	return text + "\n"
}

// parameters are the names that the function's declaration gives to something.
func (s *site) parameters() map[string]bool {
	names := map[string]bool{}
	for _, list := range []*ast.FieldList{s.Decl.Recv, s.Decl.Type.TypeParams, s.Decl.Type.Params, s.Decl.Type.Results} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, id := range field.Names {
				names[id.Name] = true
			}
		}
	}
	return names
}

// freeNames are the names in a body that are not declared in it, in order, and which of them something is selected from.
func freeNames(body string) (names []string, selected map[string]bool) {
	file, err := parser.ParseFile(token.NewFileSet(), "", alone+"func _()"+body, 0)
	if err != nil {
		return nil, nil
	}
	selected = map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && slices.Contains(file.Unresolved, id) {
				selected[id.Name] = true
			}
		}
		return true
	})
	for _, id := range file.Unresolved {
		if !slices.Contains(names, id.Name) {
			names = append(names, id.Name)
		}
	}
	return names, selected
}

// give adds all that to a mutant: imports behind those that there are, the rest in the beginning of the body. It is not
// ok where the mutant is too far from there.
func (n *needs) give(m *Mutant) (ok bool) {
	m.Needs = n.specs()
	if locals := n.locals(); locals != "" {
		begin := n.offset(n.Decl.Body.Lbrace) + 1
		if m.Offset < begin { // the body has a single line
			m.Offset, m.Column = m.Offset+1, m.Column+1
			m.Original, m.Replacement = m.Original[1:], m.Replacement[1:]
		}
		m.Needs = append(m.Needs, Need{begin, "\n" + locals})
	}
	return len(m.Needs) == 0 || m.EndOffset-m.Needs[0].Offset <= maxReach
}

// locals are the declarations, as statements.
func (n *needs) locals() string { return strings.Join(slices.Concat(n.early, n.heads, n.late), "") }

// specs are the imports.
func (n *needs) specs() (list []Need) {
	at := n.Syntax.Name.End()
	for _, d := range n.Syntax.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			at = g.End()
		}
	}
	for name, importPath := range n.imports {
		spec := strconv.Quote(importPath)
		if name != path.Base(importPath) {
			spec = name + " " + spec
		}
		// On the line that is there, so that all others keep their numbers.
		list = append(list, Need{n.offset(at), ";import " + spec})
	}
	slices.SortFunc(list, func(a, b Need) int { return cmp.Compare(a.Text, b.Text) })
	return list
}
