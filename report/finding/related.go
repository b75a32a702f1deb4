package finding

import (
	"cmp"
	"go/ast"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// related maps subjects to the subject that they are told with. Subjects belong together if a mutant in one uses what a
// mutant in the other provides (a new function, or new data that it sets), or if both depend on a new option. A test of
// one subject then exercises both: a test of a new option goes through the function that sets it and the functions that
// read it. Subjects that only the same tests run also belong together if these tests check nothing: the tests need fixing.
type related map[subject]subject

// relatedSubjects returns the relations between the subjects of findings about single mutants.
func relatedSubjects(r *results.Results, all []Finding) related {
	gives, uses, blind := map[string][]subject{}, map[string][]subject{}, map[string][]subject{}
	names := newNamesOf(r)
	for _, f := range all {
		p := subjectOf(all, f)
		if fact.OnlyBlind(f.Mutant) {
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
	subjects := related{}
	for _, tests := range slices.Sorted(maps.Keys(blind)) {
		for _, p := range blind[tests][1:] {
			subjects.join(blind[tests][0], p)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(uses)) {
		option := ast.IsExported(name) && len(names.data[name]) > 0 // a test that sets it goes through all its readers
		if len(gives[name]) > 0 || option {
			for _, p := range slices.Concat(gives[name], uses[name]) {
				subjects.join(uses[name][0], p)
			}
		}
	}
	return subjects
}

// relatedTo returns those of more that are told with one of all. That includes unrun methods with the name of an
// exported unrun method in all.
func relatedTo(r *results.Results, all, more []Finding) []Finding {
	if len(more) == 0 {
		return nil
	}
	both := slices.Concat(all, more)
	subjects, told, methods := relatedSubjects(r, both), map[subject]bool{}, map[string]bool{}
	for _, f := range all {
		told[subjects.of(subjectOf(both, f))] = true
		if f.Kind == NotRun && isExported(f.Mutant.Function) {
			methods[lastPart(f.Mutant.Function)] = true
		}
	}
	return slices.DeleteFunc(more, func(f Finding) bool {
		return !told[subjects.of(subjectOf(both, f))] && !(f.Kind == NotRun && methods[lastPart(f.Mutant.Function)])
	})
}

// join joins two subjects. A subject that runs represents one that does not.
func (r related) join(a, b subject) {
	a, b = r.of(a), r.of(b)
	switch {
	case a == b:
	case b.run && !a.run:
		r[a] = b
	default:
		r[b] = a
	}
}

// of returns the subject that represents p: p itself if it is not related to any other.
func (r related) of(p subject) subject {
	for next, ok := r[p]; ok; next, ok = r[p] {
		p = next
	}
	return p
}

// newNames are the names that the change adds, or gives a new meaning, and that several functions may use. Source lines
// only show the last part of an ID, so names are looked up by that.
type newNames struct {
	data, functions map[string][]string // IDs by their last part
	packages        map[string]string   // packages of functions, by ID
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

// older matches the old form of a function that restored base lines need. Such a change is to both the function and its
// callers, for example to a parameter.
var older = regexp.MustCompile(`(?m)^var (\w+) func\(`)

// addOlder adds the functions that restored base lines call in an older form.
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

// givesChoice reports whether the code that m replaces reads new data that other packages can set, such as an option.
func (n newNames) givesChoice(m *results.Mutant) bool {
	for t := range edit.Lexemes(m.Original) {
		if t.Token == token.IDENT && ast.IsExported(t.Text) && len(n.data[t.Text]) > 0 {
			return true
		}
	}
	return false
}

// of returns the names that the lines of m provide, and those that they use.
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
	data := "" // the previous token, if it names new data
	for t := range edit.Lexemes(cmp.Or(m.Context, m.Original)) {
		tok, name := t.Token, t.Text
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

// sets reports whether a token after a name means that the name is set.
func sets(tok token.Token) bool {
	return tok == token.ASSIGN || tok == token.COLON || tok == token.INC || tok == token.DEC || tok >= token.ADD_ASSIGN && tok <= token.AND_NOT_ASSIGN
}

func lastPart(id string) string { return id[strings.LastIndexByte(id, '.')+1:] }
