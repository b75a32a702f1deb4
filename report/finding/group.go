package finding

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// grouped puts findings about single mutants together. All code that nothing runs is one group. Any other group is
// about one function, including its branches that never run, or about several functions. Functions share a group if
// they are related, if they are altered in the same way, or if the same call shows the same effect of both edits. The
// first mutant of a group is the first that eligible accepts.
func grouped(r *results.Results, all []Finding, eligible func(*results.Mutant) bool) (groups []Finding) {
	of, has := traitsOf(r, all)
	at, known := map[subject]int{}, map[string]bool{}
	var openers []trait // of the first finding of each group
	for i, f := range all {
		if _, ok := at[of[i].subject]; ok {
			continue
		}
		n := slices.IndexFunc(openers, func(o trait) bool {
			return of[i].run && o.run && (has[trait{subject: o.subject, edit: of[i].edit}] || has[trait{subject: of[i].subject, edit: o.edit}] ||
				of[i].input != "" && has[trait{subject: o.subject, input: of[i].input}])
		})
		if n < 0 {
			if !eligible(f.Mutant) || known[f.Key] {
				continue
			}
			n, known[f.Key] = len(groups), true
			groups, openers = append(groups, f), append(openers, of[i])
		}
		at[of[i].subject] = n
	}
	for i, f := range all {
		if n, ok := at[of[i].subject]; ok && groups[n].Mutant != f.Mutant {
			groups[n].Also = append(groups[n].Also, f.Mutant)
		}
	}
	return groups
}

// trait is what a finding is about, and by what it may match others: its edit, and the call that shows it ("" if none).
type trait struct {
	subject
	edit, input string
}

// traitsOf returns the trait of each finding. has holds every pair of a subject and an edit, and of a subject and a call.
func traitsOf(r *results.Results, all []Finding) (of []trait, has map[trait]bool) {
	has = map[trait]bool{}
	subjects := relatedSubjects(r, all)
	for _, f := range all {
		t := trait{subjects.of(subjectOf(all, f)), editKey(f.Mutant), inputKey(f.Mutant)}
		if !t.run {
			t.subject = subject{}
		}
		of = append(of, t)
		has[trait{subject: t.subject, edit: t.edit}] = true
		if t.input != "" {
			has[trait{subject: t.subject, input: t.input}] = true
		}
	}
	return of, has
}

// subject is what a finding is about: a function, or the code of it that nothing runs. In traits, all code that nothing
// runs is one subject, without a function.
type subject struct {
	function string
	run      bool
}

// subjectOf returns the subject that f is about. all are the findings about single mutants, f among them.
func subjectOf(all []Finding, f Finding) subject {
	return subject{f.Mutant.Function, f.Kind != NotRun || leftOut(all, f)}
}

// leftOut reports whether f is about code that nothing runs because a condition never holds, and a finding in all is
// about that condition: f belongs to it.
func leftOut(all []Finding, f Finding) bool {
	return slices.ContainsFunc(all, func(g Finding) bool { return g.Kind != NotRun && inBranch(f.Mutant, g.Mutant) })
}

// inBranch reports whether m is in the branch that the mutant left leaves out.
func inBranch(m, left *results.Mutant) bool {
	if m.File != left.File || m.Offset < left.EndOffset {
		return false
	}
	c := left.Evidence.Never
	return m.EndOffset <= left.Evidence.BranchEnd || c != nil &&
		(c.StartLine <= m.Line && m.EndLine <= c.EndLine || c.StartLine == m.Line+1 && m.EndLine == c.EndLine+1) // or m is all of it, with its braces
}

// withoutRepeats returns all without findings that another one covers. Where a change of a function's behaviour is
// known, or a fix of it that no test shows, code of the function that nothing runs is left out. Where code that nothing
// runs is shown, the condition above it, its operands, and the undone part of the change around it are left out.
func (k ranking) withoutRepeats(all []Finding) []Finding {
	altered, unrun := map[string]bool{}, map[string]bool{}
	for _, f := range all {
		altered[f.Mutant.Function] = altered[f.Mutant.Function] || f.Kind == Behaviour || k.reason(f.Mutant) == unproved
		unrun[f.Mutant.Function] = unrun[f.Mutant.Function] || f.Kind == NotRun && !leftOut(all, f)
	}
	repeats := func(f Finding) bool {
		switch function := f.Mutant.Function; {
		case altered[function]:
			return f.Kind == NotRun
		case f.Kind != Gap:
			return false
		}
		return (f.Never() != nil || k.decidesUnrun(f.Mutant)) && unrun[f.Mutant.Function] || edit.IsReversal(f.Mutant) && slices.ContainsFunc(all, f.spans)
	}
	return slices.DeleteFunc(slices.Clone(all), repeats) // repeats looks at all of them
}

// spans reports whether g is about code that nothing runs within what f undoes.
func (f Finding) spans(g Finding) bool {
	return g.Kind == NotRun && g.Mutant.File == f.Mutant.File && f.Mutant.Offset <= g.Mutant.Offset && g.Mutant.EndOffset <= f.Mutant.EndOffset
}
