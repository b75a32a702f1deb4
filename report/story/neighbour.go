package story

import (
	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// noticedBeside names a test that notices an edit like one of f at another place: it is where a case for f belongs. It is
// empty if none does.
func noticedBeside(r *results.Results, f finding.Finding) prose.Text {
	for _, m := range f.All()[:min(1+len(f.Also), finding.MaxRows)] {
		if o := finding.Neighbour(r, m); o != nil {
			return prose.Say("%s", fact.Local(fact.Parent(o.KilledBy.Name))).And(beside(r, f.Mutant, o)).Plus(": a case for this one may belong there.")
		}
	}
	return nil
}

// beside says that a test fails with o, an edit like m.
func beside(r *results.Results, m, o *results.Mutant) prose.Text {
	where := prose.Say("line " + prose.Exact(edit.FirstLine(o)))
	if o.Function != m.Function {
		where = where.And(prose.Say("in %s", fact.FunctionName(r, o.Function)))
	}
	switch {
	case edit.IsReversal(o):
		return prose.Say("fails if the same change is undone in").And(where)
	case o.Evidence.Case != "":
		return prose.Say("fails without the code of %s", prose.Shorten(edit.OnOneLine(o.Evidence.Case), maxInHeadline)).And(prose.Say("in")).And(where)
	}
	return prose.Say("fails with such an edit in").And(where)
}

// unrunTwins names the functions in which nothing runs a part of the change that has the shape of what f undoes; empty:
// there are none.
func unrunTwins(r *results.Results, f finding.Finding) prose.Text {
	shapes, known := map[string]bool{}, map[string]bool{}
	for _, m := range f.All() {
		shapes[edit.Shape(m)], known[m.Function] = true, true
	}
	var names []prose.Text
	var by string
	for i := range r.Mutants {
		m := &r.Mutants[i]
		shape := edit.Shape(m)
		if m.Status != results.Survived || !fact.Unrun(m) || known[m.Function] || shape == "" || !shapes[shape] {
			continue
		}
		known[m.Function], by = true, UnrunBy(m)
		names = append(names, prose.Say("%s", fact.FunctionName(r, m.Function)))
	}
	if len(names) == 0 {
		return nil
	}
	return prose.Say(capital(by) + " the same change to").And(prose.ListOf(names[:min(len(names), maxUnrun)], len(names), "function", "functions")).Plus(".")
}
