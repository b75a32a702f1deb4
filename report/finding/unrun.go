package finding

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// unrunAsOne merges the findings about code that nothing runs into one, at the place of the first. Gaps about code that
// does not run join it, and so do edits of other findings in functions where nothing runs any edit of that finding. Functions
// of one statement say nothing by themselves: if all of those functions are such, they only join what there is. eligible
// says which mutants may come first.
func (k ranking) unrunAsOne(found []Finding, eligible func(*results.Mutant) bool) (list []Finding) {
	notRun := functionsNotRun(found)
	isMissed := func(f Finding) bool {
		return f.Kind == NotRun || f.Kind == Gap && (k.nothingRuns(f) || notRun[f.Mutant.Function] && !slices.ContainsFunc(f.All(), runsSomehow))
	}
	begins := func(f Finding) bool { // f, or what apart splits off from it, may be a finding by itself
		_, missed := apart(f)
		return isMissed(f) || slices.ContainsFunc(missed, eligible) && !every(missed, k.oneStatement)
	}
	if !slices.ContainsFunc(found, begins) {
		return found
	}
	first, more := -1, []*results.Mutant(nil)
	unrun := func(f Finding) {
		if f.Kind = NotRun; first < 0 {
			first = len(list)
			list = append(list, f)
			return
		}
		list[first].Also = append(list[first].Also, f.All()...)
	}
	for _, f := range found {
		if isMissed(f) {
			unrun(f)
			continue
		}
		ran, missed := apart(f)
		list = append(list, ran)
		if i := slices.IndexFunc(missed, eligible); i >= 0 {
			unrun(Finding{Key: mutantKey(missed[i]), Mutant: missed[i], Also: slices.Delete(slices.Clone(missed), i, i+1)})
		} else {
			more = append(more, missed...)
		}
	}
	list[first].Also = append(list[first].Also, more...)
	return list
}

// every reports whether is holds for all mutants of list.
func every(list []*results.Mutant, is func(*results.Mutant) bool) bool {
	return !slices.ContainsFunc(list, func(m *results.Mutant) bool { return !is(m) })
}

// functionsNotRun returns the IDs of the functions that findings of kind NotRun are about.
func functionsNotRun(found []Finding) map[string]bool {
	functions := map[string]bool{}
	for _, f := range found {
		if f.Kind == NotRun {
			for _, m := range f.All() {
				functions[m.Function] = true
			}
		}
	}
	return functions
}

// runsSomehow reports whether something runs the code of m, or may run it without being seen (Evidence.Program).
func runsSomehow(m *results.Mutant) bool { return !fact.Unrun(m) || m.Evidence.Program }

// apart splits off the edits of f that are in functions where nothing runs any edit of f.
func apart(f Finding) (ran Finding, missed []*results.Mutant) {
	runsIn := map[string]bool{f.Mutant.Function: true}
	for _, m := range f.All() {
		runsIn[m.Function] = runsIn[m.Function] || runsSomehow(m)
	}
	isMissed := func(m *results.Mutant) bool { return !runsIn[m.Function] }
	for _, m := range f.Also {
		if isMissed(m) {
			missed = append(missed, m)
		}
	}
	f.Also = slices.DeleteFunc(slices.Clone(f.Also), isMissed)
	return f, missed
}

// nothingRuns reports whether all edits of f are in functions that nothing runs, or in branches that no run takes. At
// least one function has to be such. That no test is for the code then says more than any edit.
func (k ranking) nothingRuns(f Finding) bool {
	whole := false
	for _, m := range f.All() {
		whole = whole || !k.ran[m.Function]
		if m.Evidence.Program || !fact.Unrun(m) && (m.Evidence.Never == nil || fact.Unseen(m) == "") {
			return false
		}
	}
	return whole
}

// Ways returns the mutants of code that nothing runs whose inputs say what the code is for, those of what the change alters
// before what it leaves as it was. First come those whose tests take different ways through it. Each function begins with its clearest input, preferably one that shows several
// functions. Then comes an input for each other return statement and each other result, which may be zero.
func Ways(list []*results.Mutant) []*results.Mutant {
	list = slices.DeleteFunc(slices.Clone(list), func(m *results.Mutant) bool { return !fact.Usable(m) })
	direct := map[string]bool{}
	for _, m := range list {
		direct[m.Function] = direct[m.Function] || !showsAfterwards(m)
	}
	list = slices.DeleteFunc(list, func(m *results.Mutant) bool { return direct[m.Function] && showsAfterwards(m) })
	wide := functionsShown(list)
	slices.SortStableFunc(list, func(a, b *results.Mutant) int {
		return cmp.Or(compareBool(a.Evidence.Beside, b.Evidence.Beside), cmp.Compare(fact.Clarity(b), fact.Clarity(a)), cmp.Compare(wide[fact.Statements(b.ExposedBy)], wide[fact.Statements(a.ExposedBy)]), compareBool(altersReturn(b), altersReturn(a)), compareBool(fact.Escapes(a.ExposedBy), fact.Escapes(b.ExposedBy)))
	})
	var first, more, rest []*results.Mutant
	for _, m := range list {
		chosen := slices.DeleteFunc(slices.Concat(first, more), func(o *results.Mutant) bool { return o.Function != m.Function })
		another := func(is func(o *results.Mutant) bool) bool { return !slices.ContainsFunc(chosen, is) }
		switch {
		case len(chosen) == 0 && fact.Illustrates(m):
			first = append(first, m)
		case len(chosen) == 0:
		case altersReturn(m) && another(func(o *results.Mutant) bool { return o.Line == m.Line }),
			another(func(o *results.Mutant) bool { return o.ExposedBy.Original == m.ExposedBy.Original }):
			more = append(more, m)
		case fact.Illustrates(m):
			rest = append(rest, m)
		}
	}
	return slices.Concat(first, more, rest)
}

// functionsShown returns, for the statements of each input, of how many functions the input exposes mutants of list.
func functionsShown(list []*results.Mutant) map[string]int {
	seen, wide := map[string]bool{}, map[string]int{}
	for _, m := range list {
		input := fact.Statements(m.ExposedBy)
		if key := input + "\x00" + m.Function; !seen[key] {
			seen[key] = true
			wide[input]++
		}
	}
	return wide
}

// altersReturn reports whether m alters a return statement.
func altersReturn(m *results.Mutant) bool {
	return strings.HasPrefix(strings.TrimSpace(m.Original), "return")
}

// UnrunPart is what a finding about code that nothing runs says of one function.
type UnrunPart struct {
	Name     string            // of the function
	Mutants  []*results.Mutant // of the function; at least one
	Runs     bool              // something runs a part of it
	Uncalled bool              // nothing calls it, not even a test
	Code     []results.Code    // if Runs, or the change only alters the function, the code that nothing runs; empty: its text is not known
}

// UnrunParts returns the functions that f is about: first those that nothing runs at all, last those of which the code
// that nothing runs is known.
func (f Finding) UnrunParts(r *results.Results) (parts []UnrunPart) {
	at := map[string]int{}
	for _, m := range f.All() {
		if !fact.Unrun(m) && m.Evidence.Never == nil { // it is told with code that does not run, and runs itself
			continue
		}
		i, ok := at[m.Function]
		if !ok {
			i = len(parts)
			at[m.Function] = i
			uncalled := slices.ContainsFunc(r.Scope, func(s results.Function) bool { return s.ID == m.Function && s.Uncalled })
			parts = append(parts, UnrunPart{Name: fact.FunctionName(r, m.Function), Uncalled: uncalled})
		}
		parts[i].Mutants = append(parts[i].Mutants, m)
	}
	for i := range parts {
		p := &parts[i]
		id := p.Mutants[0].Function
		p.Runs = slices.ContainsFunc(r.Mutants, func(m results.Mutant) bool { return m.Function == id && fact.Runs(&m) })
		altered := slices.ContainsFunc(r.Scope, func(s results.Function) bool { return s.ID == id && s.Reason == results.ReasonChanged })
		if p.Runs || altered { // else it would be all of a new function
			p.Code = unrunCode(r, p.Mutants[0])
		}
		if p.Runs && len(p.Code) == 0 {
			p.Code = codeOf(p.Mutants)
		}
	}
	slices.SortStableFunc(parts, func(a, b UnrunPart) int {
		return cmp.Or(compareBool(a.Runs, b.Runs), compareBool(len(a.Code) > 0, len(b.Code) > 0))
	})
	return parts
}

// maxIndent bounds the indentation of the code that is shown: results are not trusted.
const maxIndent = 20

// codeOf returns the code that nothing runs and that mutants are about, if nothing else says which it is: the branch
// that is never taken, or the lines of the only mutant, if they are several. Otherwise it returns nil.
func codeOf(list []*results.Mutant) []results.Code {
	m := list[0]
	switch {
	case m.Evidence.Never != nil:
		return []results.Code{*m.Evidence.Never}
	case len(list) > 1 || edit.IsReversal(m) || !strings.Contains(m.Original, "\n"):
		return nil
	case isBlock(m): // without its braces
		inner := strings.TrimRight(strings.TrimSuffix(strings.TrimPrefix(m.Original, "{\n"), "}"), " \t\n")
		return []results.Code{{StartLine: m.Line + 1, EndLine: m.Line + 1 + strings.Count(inner, "\n"), Source: inner}}
	}
	indent := strings.Repeat("\t", min(max(m.Column-1, 0), maxIndent)) // Original begins after it
	return []results.Code{{StartLine: m.Line, EndLine: m.EndLine, Under: m.Evidence.Case, Source: indent + m.Original}}
}

// unrunCode returns the code of the function of m that nothing runs, without code that only fails.
func unrunCode(r *results.Results, m *results.Mutant) []results.Code {
	i := slices.IndexFunc(r.Scope, func(f results.Function) bool { // several init functions have one ID
		return f.ID == m.Function && f.File == m.File && f.StartLine <= m.Line && m.Line <= f.EndLine
	})
	if i < 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Scope[i].Unrun), func(c results.Code) bool { return failsOnly(c.Source) || givesUp(c) || recovers(c) })
}

// Never returns the code that would run if the condition that f is about had the value that it never has. It returns
// nil if that code is not known, or if f has more edits.
func (f Finding) Never() *results.Code {
	if len(f.Also) > 0 || fact.Unseen(f.Mutant) == "" {
		return nil
	}
	return f.Mutant.Evidence.Never
}

// decidesUnrun reports whether m alters a condition of which no test takes one branch, and is not seen to alter any state: a
// test of that branch may notice it.
func (k ranking) decidesUnrun(m *results.Mutant) bool {
	if m.Stage != results.Reached || fact.Example(m) != nil || edit.IsReversal(m) {
		return false
	}
	head, _, _ := strings.Cut(strings.TrimSpace(m.Context), "\n")
	head, isHead := strings.CutSuffix(head, " {")
	return isHead && slices.ContainsFunc(k.unrun[m.Function+m.File], func(c results.Code) bool {
		return m.Line < c.StartLine && strings.TrimSuffix(c.Under, " … else") == head
	})
}
