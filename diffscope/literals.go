package diffscope

import (
	"bytes"
	"go/ast"
	"strings"
)

// literals are the constants of some files that are literals, by name: to write one for the other changes nothing. Those
// with a type are none, since a literal has the one that its place asks for. A name with two values, as of two packages, has
// "": it says nothing.
type literals map[string]string

func literalsOf(files []*file) literals {
	found := literals{}
	for _, f := range files {
		for _, d := range f.decls {
			if lit, ok := d.constant.(*ast.BasicLit); ok && d.constantType == "" {
				value := tokens(f.slice(lit.Pos(), lit.End()), nil)
				if other, twice := found[d.name]; twice && other != value {
					value = ""
				}
				found[d.name] = value
			}
		}
	}
	return found
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

// same reports whether tokens of the base and of head differ in no more than that one has a literal where the other has a constant.
func (c sameConstants) same(old, now string) bool {
	return c.base.inTokens(old) == c.head.inTokens(now)
}

// asNow returns old lines with those of now in their place where these only have constants for literals, or literals for constants.
func (c sameConstants) asNow(old, now [][]byte) [][]byte {
	if len(c.base)+len(c.head) == 0 {
		return old
	}
	out := append([][]byte(nil), old...)
	for _, e := range diffLines(old, now) {
		if e.oldEnd-e.oldFirst != e.end-e.first {
			continue
		}
		for i := range e.end - e.first {
			was, is := old[e.oldFirst+i], now[e.first+i]
			if !bytes.Equal(was, is) && c.same(tokens(was, nil), tokens(is, nil)) {
				out[e.oldFirst+i] = is
			}
		}
	}
	return out
}
