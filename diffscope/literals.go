package diffscope

import (
	"bytes"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// packageKey names a package by its folder; the external test package of a folder is another one.
type packageKey struct {
	dir      string
	external bool
}

func (f *file) packageKey() packageKey {
	return packageKey{f.dir(), f.test() && strings.HasSuffix(f.syntax.Name.Name, "_test")}
}

// literals are the constants of a package that are literals, by name: to write one for the other changes nothing.
type literals map[string]string

// literalsOf are the literals of packages of which files declare some. Those with a type are none, since a literal has the one that its
// place asks for, unless it is the default type of the literal. A name says nothing that the package, other files of it included, declares as
// anything else, or one of these files within a function.
func literalsOf(files []*file, others func() []*file) map[packageKey]literals {
	found := map[packageKey]literals{}
	for _, f := range files {
		for _, d := range f.decls {
			if value := d.literal(); value != "" {
				if found[f.packageKey()] == nil {
					found[f.packageKey()] = literals{}
				}
				found[f.packageKey()][d.name] = value
			}
		}
	}
	if len(found) == 0 {
		return nil // which spares the other files
	}
	for _, f := range slices.Concat(files, others()) {
		constants := found[f.packageKey()]
		for _, d := range f.decls {
			if value, ok := constants[d.name]; ok && d.literal() != value {
				delete(constants, d.name)
			}
		}
	}
	for _, f := range files {
		maps.DeleteFunc(found[f.packageKey()], func(name, _ string) bool { return f.locals()[name] })
	}
	return found
}

// defaultTypes are those of literals (Go specification, Constants).
var defaultTypes = map[token.Token]string{token.INT: "int", token.FLOAT: "float64", token.IMAG: "complex128", token.CHAR: "rune", token.STRING: "string"}

// literal are the tokens of a constant that is a literal without a type, or of its default type; "": it is something else.
func (d *decl) literal() string {
	if lit, ok := d.constant.(*ast.BasicLit); ok && (d.constantType == "" || d.constantType == defaultTypes[lit.Kind]) && d.name != "_" {
		return tokens(d.file.slice(lit.Pos(), lit.End()), nil)
	}
	return ""
}

// locals are the names that functions of a file declare: of parameters, variables, constants, types and labels.
func (f *file) locals() map[string]bool {
	if f.local != nil {
		return f.local
	}
	f.local = map[string]bool{}
	for _, d := range f.decls {
		if d.function() {
			declareLocals(d.node, f.local)
		}
	}
	return f.local
}

// declareLocals adds what functions in n declare to names.
func declareLocals(n ast.Node, names map[string]bool) {
	add := func(list ...ast.Expr) {
		for _, e := range list {
			if id, ok := e.(*ast.Ident); ok {
				names[id.Name] = true
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				add(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				add(n.Key, n.Value)
			}
		case *ast.Field:
			for _, id := range n.Names {
				add(id)
			}
		case *ast.DeclStmt:
			for _, spec := range n.Decl.(*ast.GenDecl).Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						add(id)
					}
				case *ast.TypeSpec:
					add(spec.Name)
				}
			}
		case *ast.LabeledStmt:
			add(n.Label)
		}
		return true
	})
}

// inTokens are tokens with literals in the place of the names of constants.
func (l literals) inTokens(tokens string) string {
	if len(l) == 0 {
		return tokens
	}
	list := strings.Split(tokens, tokenSeparator)
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t
		if value := l[t]; value != "" && !isMember(list, i) {
			out[i] = value
		}
	}
	return strings.Join(out, tokenSeparator)
}

// sameConstants compares lines of the base with those of head, with the literals in the place of the constants of each.
type sameConstants struct{ base, head literals }

// same reports whether tokens of the base, with new names for what the change renames, and of head differ in no more than that one has a
// literal where the other has a constant.
func (c sameConstants) same(old, now string, renamed otherNames) bool {
	return renamed.inTokens(old) == now || renamed.inTokens(c.base.inTokens(old)) == c.head.inTokens(now)
}

// asNow returns old lines with those of now in their place where these only have constants for literals, or literals for constants.
// Where there is a text of several lines it is not known what is within it.
func (c sameConstants) asNow(old, now [][]byte) [][]byte {
	raw := func(line []byte) bool { return bytes.Count(line, []byte("`"))%2 != 0 }
	if len(c.base)+len(c.head) == 0 || slices.ContainsFunc(old, raw) || slices.ContainsFunc(now, raw) {
		return old
	}
	out := append([][]byte(nil), old...)
	for _, e := range diffLines(old, now) {
		if e.oldEnd-e.oldFirst != e.end-e.first {
			continue
		}
		for i := range e.end - e.first {
			was, is := old[e.oldFirst+i], now[e.first+i]
			if !bytes.Equal(was, is) && c.same(tokens(was, nil), tokens(is, nil), otherNames{}) {
				out[e.oldFirst+i] = is
			}
		}
	}
	return out
}
