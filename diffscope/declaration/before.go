package declaration

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/sourcediff"
	"github.com/mutantfuzz/mutantfuzz/internal/locals"
)

// Before returns the lines of d in the base, adapted to head where that does not change what they do: variables,
// parameters and what the change only renames have their new names, and constants and equal literals stand as in d.
func (d *Decl) Before() [][]byte { return d.constants.asNow(d.withNewNames(), d.Lines()) }

// withNewNames returns the lines of d in the base with the new names.
func (d *Decl) withNewNames() [][]byte {
	old := d.From.Lines()
	was, ok := d.From.Node.(*ast.FuncDecl)
	now, is := d.Node.(*ast.FuncDecl)
	if !ok || !is {
		return old
	}
	names := renames(identifierPairs(old, d.Lines()), variables(was), variables(now))
	if len(names) == 0 && d.renamed.empty() {
		return old
	}
	isVariable, isMember := variableNames(was), memberNames(was)
	return d.From.withNames(func(id *ast.Ident) string {
		if isVariable[id] && names[id.Name] != "" {
			return names[id.Name]
		}
		return d.renamed.of(id.Name, isMember[id])
	})
}

// withNames returns the lines of d with name(id) in place of each identifier; "" keeps the identifier.
func (d *Decl) withNames(name func(*ast.Ident) string) [][]byte {
	var ids []*ast.Ident
	ast.Inspect(d.Node, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && name(id) != "" {
			ids = append(ids, id)
		}
		return true
	})
	slices.SortFunc(ids, func(a, b *ast.Ident) int { return cmp.Compare(a.Pos(), b.Pos()) })
	var src bytes.Buffer
	end := 0
	for _, id := range ids {
		at := d.File.fset.PositionFor(id.Pos(), false).Offset
		src.Write(d.File.Src[end:at])
		src.WriteString(name(id))
		end = at + len(id.Name)
	}
	src.Write(d.File.Src[end:])
	return wholeLines(slices.Collect(bytes.Lines(src.Bytes())), d.First, d.Last)
}

// identifierPairs returns the old and the new identifier wherever lines differ only in identifiers.
func identifierPairs(old, now [][]byte) (pairs [][2]string) {
	for _, e := range sourcediff.Lines(old, now) {
		if e.OldEnd-e.OldFirst != e.End-e.First {
			continue
		}
		for i := range e.End - e.First {
			was, is := splitTokens(old[e.OldFirst+i]), splitTokens(now[e.First+i])
			if len(was) != len(is) {
				continue
			}
			var found [][2]string
			for j := range was {
				if was[j] != is[j] {
					found = append(found, [2]string{was[j], is[j]})
				}
			}
			if !slices.ContainsFunc(found, func(p [2]string) bool { return !token.IsIdentifier(p[0]) || !token.IsIdentifier(p[1]) }) {
				pairs = append(pairs, found...)
			}
		}
	}
	return pairs
}

// splitTokens returns the tokens of a line.
func splitTokens(line []byte) []string { return strings.Split(sourcediff.Tokens(line, nil), separator) }

// renames returns the pairs that only rename a variable: the old name is gone, the new one is new, and neither is in
// other pairs.
func renames(pairs [][2]string, old, now variableSet) map[string]string {
	to, from := map[string]string{}, map[string]string{}
	bad := map[string]bool{}
	for _, p := range pairs {
		if p[0] == "_" || p[1] == "_" || !old.declared[p[0]] || now.all[p[0]] || !now.declared[p[1]] || old.all[p[1]] ||
			to[p[0]] != "" && to[p[0]] != p[1] || from[p[1]] != "" && from[p[1]] != p[0] {
			bad[p[0]], bad[from[p[1]]] = true, true
			continue
		}
		to[p[0]], from[p[1]] = p[1], p[0]
	}
	for name := range bad {
		delete(to, name)
	}
	return to
}

// variableSet holds the names in a function.
type variableSet struct {
	declared map[string]bool // names that it declares
	all      map[string]bool // names of all identifiers that may be variables
}

// variables returns the variableSet of f.
func variables(f *ast.FuncDecl) variableSet {
	n := variableSet{declared: locals.In(f), all: map[string]bool{}}
	for id := range variableNames(f) {
		n.all[id.Name] = true
	}
	return n
}

// variableNames returns the identifiers of f that may name variables: not its own name, selected names, fields or
// keys.
func variableNames(f *ast.FuncDecl) map[*ast.Ident]bool {
	fixed, found := fixedNames(f), map[*ast.Ident]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id != f.Name && !fixed[id] {
			found[id] = true
		}
		return true
	})
	return found
}
