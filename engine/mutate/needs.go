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
	maxLocals = 16 << 10  // bytes of declarations that are added for old lines
	maxReach  = 256 << 10 // bytes from the first need to the end of the old lines: the results hold the source between
)

// needs is what old lines depend on and head lacks: imports, and declarations of the package with what these depend on
// in turn. The declarations are made inside the function, under names that are new there, so they hide nothing. The
// mutant thus stays an edit of one file, and all other code is unchanged.
type needs struct {
	*site
	body    string            // with the old lines
	old     bool              // all lines of the body are old, so names mean what they meant at the base
	hidden  map[string]bool   // names of the function's receiver, type parameters, parameters and results
	imports map[string]string // import paths by name
	seen    map[string]bool   // names of the declarations added so far
	size    int               // bytes of these declarations

	// early has types and constants, heads variables for functions, late variables and the values of heads.
	early, heads, late []string
}

// needsOf returns what a body with old lines depends on. It is not ok if that cannot be provided. imported holds the
// packages that can be imported, as in Function.Imported.
func (s *site) needsOf(body string, old bool, imported map[string]string) (n *needs, ok bool) {
	n = &needs{site: s, body: body, old: old, hidden: s.parameters(), imports: map[string]string{}, seen: map[string]bool{}}
	return n, n.of(body, imported, nil)
}

// aliased renames packages in a body that consists of old lines only. If a package name means another package at head,
// as rand does after crypto/rand has replaced math/rand, the old package gets an alias. imported is Function.Imported
// with these aliases.
func (s *site) aliased(body string) (text string, imported map[string]string) {
	const head = alone + "func _()"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", head+body, 0)
	if err != nil {
		return body, s.Imported
	}
	imported = maps.Clone(s.Imported)
	text = body
	// The parser resolves the right side of an assignment before the left one.
	unresolved := slices.SortedFunc(slices.Values(file.Unresolved), func(a, b *ast.Ident) int { return cmp.Compare(a.Pos(), b.Pos()) })
	for _, id := range slices.Backward(unresolved) {
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

// aliasOf returns the usual name for a package whose own name is taken: mathrand for math/rand.
func aliasOf(importPath, name string) string {
	letters := func(r rune) rune {
		if r < 'a' || r > 'z' {
			return -1
		}
		return r
	}
	return cmp.Or(strings.Map(letters, path.Base(path.Dir(importPath))), "old") + name
}

// importedAs returns the path of the package that the file imports under a name; "" if there is none.
func (s *site) importedAs(name string) string {
	for _, spec := range s.Syntax.Imports {
		if pkg := s.Info.PkgNameOf(spec); pkg != nil && pkg.Name() == name {
			return pkg.Imported().Path()
		}
	}
	return ""
}

// of adds what the statements of a body depend on and reports whether it can be provided. hidden has names that mean
// something else inside the function than where the body comes from.
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

// known reports whether a name that is not declared in the function still has its meaning, so that nothing is needed.
func (n *needs) known(name string) bool {
	if n.importedAs(name) != "" {
		return true
	}
	if _, gone := n.Gone[name]; gone && n.old {
		return false
	}
	return n.Pkg.Scope().Lookup(name) != nil || types.Universe.Lookup(name) != nil
}

// declare adds a declaration after those that it depends on, and reports whether it can.
func (n *needs) declare(name string, g Gone) bool {
	n.seen[name] = true
	text := g.statement(name)
	if n.size += len(text); n.size > maxLocals || g.Kind == token.TYPE && n.hasMethods(name) || g.Kind == token.VAR && n.changes(name, g) {
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

// changes reports whether the old code may change a variable of the base. Declared in the function, it would begin anew
// with every call.
func (n *needs) changes(name string, g Gone) bool {
	fixed := slices.ContainsFunc([]string{"errors.New(", "fmt.Errorf(", "regexp.MustCompile("}, func(maker string) bool { return strings.HasPrefix(g.Value, maker) })
	if changesVariable(n.body, name, !fixed) {
		return true
	}
	for _, other := range n.Gone {
		if other.Kind == token.FUNC && changesVariable(other.Value, name, !fixed) {
			return true
		}
	}
	return false
}

// changesVariable reports whether a body assigns to a variable, or to a part of it, takes its address, or, if methods is
// set, calls a method of it.
func changesVariable(body, name string, methods bool) (found bool) {
	file, err := parser.ParseFile(token.NewFileSet(), "", alone+"func _()"+body, 0)
	if err != nil {
		return true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return rootName(e) == name })
		case *ast.IncDecStmt:
			found = found || rootName(n.X) == name
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && rootName(n.X) == name
		case *ast.CallExpr:
			sel, ok := n.Fun.(*ast.SelectorExpr)
			found = found || methods && ok && rootName(sel.X) == name
		}
		return !found
	})
	return found
}

// rootName returns the name of the variable that e is, or is a part of: "x" for "x.f[i]"; "" if there is none.
func rootName(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x.Name
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return ""
		}
	}
}

// hasMethods reports whether a type of the base has methods. Types declared in functions cannot have any.
func (n *needs) hasMethods(name string) bool {
	for other := range n.Gone {
		if strings.HasPrefix(other, name+".") {
			return true
		}
	}
	return false
}

// statement returns the statement that declares g in a function. For a function, it assigns the value to the variable.
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

// parameters returns the names that the function's receiver, type parameters, parameters and results have.
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

// freeNames returns the names that a body uses and does not declare, in order, and which of them it selects from: "x"
// in "x.Y".
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

// give adds the needs to a mutant: imports after the existing ones, declarations at the beginning of the body. It is
// not ok if the mutant is too far from them.
func (n *needs) give(m *Mutant) (ok bool) {
	m.Needs = n.specs()
	if locals := n.locals(); locals != "" {
		begin := n.offset(n.Decl.Body.Lbrace) + 1
		if m.Offset < begin { // the mutant replaces the opening brace, too, because the body has a single line
			m.Offset, m.Column = m.Offset+1, m.Column+1
			m.Original, m.Replacement = m.Original[1:], m.Replacement[1:]
		}
		m.Needs = append(m.Needs, Need{begin, "\n" + locals})
	}
	return len(m.Needs) == 0 || m.EndOffset-m.Needs[0].Offset <= maxReach
}

// locals returns the declarations as statements.
func (n *needs) locals() string { return strings.Join(slices.Concat(n.early, n.heads, n.late), "") }

// specs returns the imports, sorted by their text.
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
		// On the existing line, so that the lines after it keep their numbers.
		list = append(list, Need{n.offset(at), ";import " + spec})
	}
	slices.SortFunc(list, func(a, b Need) int { return cmp.Compare(a.Text, b.Text) })
	return list
}
