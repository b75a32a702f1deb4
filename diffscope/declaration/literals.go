package declaration

import (
	"bytes"
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/sourcediff"
	"github.com/mutantfuzz/mutantfuzz/internal/locals"
)

// literals maps the constants of a package that are defined as literals to these. Writing one for the other changes
// nothing.
type literals map[string]string

// literalsOf returns the literals of the packages that files declare constants in. A constant with a declared type
// does not count, unless it is the literal's default type: a literal takes the type that its place asks for. Nor does
// a name that any file of the package declares as something else, or that one of files declares within a function.
func literalsOf(files []*File, others func() []*File) map[packageKey]literals {
	found := map[packageKey]literals{}
	for _, f := range files {
		for _, d := range f.Decls {
			if value := d.literal(); value != "" {
				if found[f.packageKey()] == nil {
					found[f.packageKey()] = literals{}
				}
				found[f.packageKey()][d.Name] = value
			}
		}
	}
	if len(found) == 0 {
		return nil // without loading the other files
	}
	for _, f := range slices.Concat(files, others()) {
		constants := found[f.packageKey()]
		for _, d := range f.Decls {
			if value, ok := constants[d.Name]; ok && d.literal() != value {
				delete(constants, d.Name)
			}
		}
	}
	for _, f := range files {
		maps.DeleteFunc(found[f.packageKey()], func(name, _ string) bool { return f.locals()[name] })
	}
	return found
}

// defaultTypes are the default types of literals (Go specification, Constants).
var defaultTypes = map[token.Token]string{token.INT: "int", token.FLOAT: "float64", token.IMAG: "complex128", token.CHAR: "rune", token.STRING: "string"}

// literal returns the tokens of a constant that is a literal without a type or of its default type; "" for anything
// else.
func (d *Decl) literal() string {
	if lit, ok := d.Constant.(*ast.BasicLit); ok && (d.constantType == "" || d.constantType == defaultTypes[lit.Kind]) && d.Name != "_" {
		return sourcediff.Tokens(d.File.slice(lit.Pos(), lit.End()), nil)
	}
	return ""
}

// locals returns the names that functions of the file declare. It looks for them once.
func (f *File) locals() map[string]bool {
	if f.local != nil {
		return f.local
	}
	f.local = map[string]bool{}
	for _, d := range f.Decls {
		if d.IsFunction() {
			maps.Copy(f.local, locals.In(d.Node))
		}
	}
	return f.local
}

// inTokens returns tokens with each constant's name replaced by its literal.
func (l literals) inTokens(tokens string) string {
	if len(l) == 0 {
		return tokens
	}
	list := strings.Split(tokens, separator)
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t
		if value := l[t]; value != "" && !isMember(list, i) {
			out[i] = value
		}
	}
	return strings.Join(out, separator)
}

// sameConstants compares lines of the base with those of head, with the constants of each side replaced by literals.
type sameConstants struct{ base, head literals }

// same reports whether the tokens old of the base and now of head are equal after applying the new names to old, or
// if one has a literal where the other has a constant.
func (c sameConstants) same(old, now string, renamed newNames) bool {
	return renamed.inTokens(old) == now || renamed.inTokens(c.base.inTokens(old)) == c.head.inTokens(now)
}

// asNow returns old, but with the lines of now that only write constants for literals, or literals for constants. If
// a raw string may span lines, it returns old as it is, since the content of a line is then unclear.
func (c sameConstants) asNow(old, now [][]byte) [][]byte {
	raw := func(line []byte) bool { return bytes.Count(line, []byte("`"))%2 != 0 }
	if len(c.base)+len(c.head) == 0 || slices.ContainsFunc(old, raw) || slices.ContainsFunc(now, raw) {
		return old
	}
	out := append([][]byte(nil), old...)
	for _, e := range sourcediff.Lines(old, now) {
		if e.OldEnd-e.OldFirst != e.End-e.First {
			continue
		}
		for i := range e.End - e.First {
			was, is := old[e.OldFirst+i], now[e.First+i]
			if !bytes.Equal(was, is) && c.same(sourcediff.Tokens(was, nil), sourcediff.Tokens(is, nil), newNames{}) {
				out[e.OldFirst+i] = is
			}
		}
	}
	return out
}
