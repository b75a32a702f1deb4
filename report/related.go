package report

import (
	"cmp"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// related says which parts are told with which other one, because an edit of one uses what an edit of the other gives: a
// new function, or new data that it sets; or because both go by a new option. A test of either goes through both, as one of a
// new option does through the function that sets it and the one that goes by it. And where tests look at no result, what only
// they run is told together: the tests are what there is to mend.
type related map[part]part

// relatedParts are those of findings about single mutants.
func relatedParts(r *results.Results, all []Finding) related {
	gives, uses, blind := map[string][]part{}, map[string][]part{}, map[string][]part{}
	names := newNamesOf(r)
	for _, f := range all {
		p := partOf(all, f)
		if onlyBlind(f.Mutant) {
			tests := strings.Join(f.Mutant.Evidence.Blind, " ")
			blind[tests] = append(blind[tests], p)
		}
		given, used := names.of(f.Mutant)
		for name := range given {
			gives[name] = append(gives[name], p)
		}
		for name := range used {
			uses[name] = append(uses[name], p)
		}
	}
	parts := related{}
	for _, tests := range slices.Sorted(maps.Keys(blind)) {
		for _, p := range blind[tests][1:] {
			parts.join(blind[tests][0], p)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(uses)) {
		option := ast.IsExported(name) && len(names.data[name]) > 0 // one test that sets it goes through all that goes by it
		if len(gives[name]) > 0 || option {
			for _, p := range slices.Concat(gives[name], uses[name]) {
				parts.join(uses[name][0], p)
			}
		}
	}
	return parts
}

// relatedTo are those of some more findings that are told with one of all, or are about a method of the same name that nothing
// runs either.
func relatedTo(r *results.Results, all, more []Finding) []Finding {
	if len(more) == 0 {
		return nil
	}
	both := slices.Concat(all, more)
	parts, told, methods := relatedParts(r, both), map[part]bool{}, map[string]bool{}
	for _, f := range all {
		told[parts.of(partOf(both, f))] = true
		if f.Kind == NotRun && isExported(f.Mutant.Function) {
			methods[lastPart(f.Mutant.Function)] = true
		}
	}
	return slices.DeleteFunc(more, func(f Finding) bool {
		return !told[parts.of(partOf(both, f))] && !(f.Kind == NotRun && methods[lastPart(f.Mutant.Function)])
	})
}

// join puts two parts together. What runs stands for what does not.
func (r related) join(a, b part) {
	a, b = r.of(a), r.of(b)
	switch {
	case a == b:
	case b.run && !a.run:
		r[a] = b
	default:
		r[b] = a
	}
}

// of is the part with which p is told: p itself, if it has to do with no other one.
func (r related) of(p part) part {
	for next, ok := r[p]; ok; next, ok = r[p] {
		p = next
	}
	return p
}

// newNames are the names that the change brings, or gives to something else, and that code of several functions may use. Lines of
// source do not say more of what they name than its last part: by that they are told apart.
type newNames struct {
	data, functions map[string][]string // IDs, by their last part
	packages        map[string]string   // of functions, by ID
}

func newNamesOf(r *results.Results) newNames {
	n := newNames{map[string][]string{}, map[string][]string{}, map[string]string{}}
	for _, id := range r.AddedData {
		n.data[lastPart(id)] = append(n.data[lastPart(id)], id)
	}
	for _, f := range r.Scope {
		n.packages[f.ID] = f.Package
		name := lastPart(f.Name)
		if f.Reason == results.ReasonAdded && (name == f.Name || !ast.IsExported(name)) { // other types may have such a method
			n.functions[name] = append(n.functions[name], f.ID)
		}
	}
	n.addOlder(r)
	return n
}

// older matches the declaration of a function as it was, which lines of the base need that are put back: the change is one of
// both, such as of a parameter.
var older = regexp.MustCompile(`(?m)^var (\w+) func\(`)

// addOlder adds the functions that the lines of the base call in an older form.
func (n newNames) addOlder(r *results.Results) {
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if m.Needs == nil || m.Status != results.Survived {
			continue
		}
		for _, added := range m.Needs.Added {
			for _, match := range older.FindAllStringSubmatch(added.Text, -1) {
				name, id := match[1], n.packages[m.Function]+"."+match[1]
				if _, inScope := n.packages[id]; inScope && !slices.Contains(n.functions[name], id) {
					n.functions[name] = append(n.functions[name], id)
				}
			}
		}
	}
}

// givesChoice reports whether what m replaces reads data that the change adds and that other packages can set: an option of
// theirs.
func (n newNames) givesChoice(m *results.Mutant) bool {
	for t := range lexemes(m.Original) {
		if t.token == token.IDENT && ast.IsExported(t.text) && len(n.data[t.text]) > 0 {
			return true
		}
	}
	return false
}

// of are the names that the lines of m give, and those that they use.
func (n newNames) of(m *results.Mutant) (gives, uses map[string]bool) {
	gives, uses = map[string]bool{}, map[string]bool{}
	known := func(ids []string) bool {
		return slices.ContainsFunc(ids, func(id string) bool {
			return id != m.Function && (ast.IsExported(lastPart(id)) || strings.HasPrefix(id, n.packages[m.Function]+"."))
		})
	}
	if own := lastPart(m.Function); slices.Contains(n.functions[own], m.Function) {
		gives[own] = true
	}
	data := "" // the token before
	for t := range lexemes(cmp.Or(m.Context, m.Original)) {
		tok, name := t.token, t.text
		if data != "" && sets(tok) {
			gives[data] = true
		}
		data = ""
		switch {
		case tok != token.IDENT:
		case known(n.data[name]):
			data = name
			fallthrough
		case known(n.functions[name]):
			uses[name] = true
		}
	}
	return gives, uses
}

// sets reports whether a token follows the name of what is set.
func sets(tok token.Token) bool {
	return tok == token.ASSIGN || tok == token.COLON || tok == token.INC || tok == token.DEC || tok >= token.ADD_ASSIGN && tok <= token.AND_NOT_ASSIGN
}

func lastPart(id string) string { return id[strings.LastIndexByte(id, '.')+1:] }
