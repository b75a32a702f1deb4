package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Kind says what a finding is. Findings are shown in the order of their kinds.
type Kind int

// The kinds of findings.
const (
	Bug       Kind = iota // the program, or a test, fails because of the change, as far as is known
	Behaviour             // with a part of the change undone, the program gives another result for an input
	Gap                   // changed code can be altered, and no test fails
	NotRun                // no test or fuzz target runs code that the change adds or alters
	Note                  // anything else; it has no entry of its own
)

// String returns the name of k in results.json.
func (k Kind) String() string {
	return [...]string{results.FindingBug, results.FindingBehaviour, results.FindingGap, results.FindingNotRun, results.FindingNote}[k]
}

// Finding is one thing worth a look. It is a crash if Crash is set, a failing test if Old is, and flaky tests if Flaky
// is. Otherwise it is a group of survivors that one more test would notice.
type Finding struct {
	Kind   Kind
	Key    string // names the finding across pushes; does not depend on line numbers
	Crash  *results.Crash
	Old    *results.OldTest     // a test that fails in the form it had before the change; nil: another kind of finding
	Flaky  []*results.FlakyTest // tests of a package that the change adds and that fail in some runs; nil: another kind
	Lost   []*results.OldTest   // further tests like Old, in the same package, that seem to fail for the same reason
	Mutant *results.Mutant      // the mutant most likely to be acted on, or one that mends the failure; nil: none does
	Also   []*results.Mutant    // further mutants, in the order in which they are shown; see grouped
	Fix    bool                 // Mutant undoes what a fix does to a function, and no test shows what it fixes
}

// Findings returns what deserves an entry of its own in a review, most useful first. Crashes and failing tests that the
// change seems to bring come before groups of survivors that maintainers tend to act on. The first mutant of each group
// is confirmed by a rebuild.
//
// That findings are few is what made mutants in code review bearable at Google (Petrović, Ivanković et al.: Practical
// Mutation Testing at Scale, TSE 2021, sections 3 and 6). ranking decides which survivors are among them.
func Findings(r *results.Results) []Finding { return findings(r, newRanking(r), nil) }

// findings does the work of Findings. No mutant with a dismissed key is the first of a finding about mutants, and no test
// with such a key is part of a finding.
func findings(r *results.Results, rank ranking, dismissed map[string]bool) []Finding {
	found := slices.DeleteFunc(failures(r, dismissed), func(f Finding) bool { return f.Kind == Note })
	return append(found, mutants(r, rank, func(m *results.Mutant) bool {
		return m.Verified && !(len(dismissed) > 0 && dismissed[mutantKey(m)])
	})...)
}

// Candidates returns the first mutant of every finding about mutants that Findings would return if all survivors were
// verified, in the same order.
func Candidates(r *results.Results) []*results.Mutant {
	var candidates []*results.Mutant
	for _, f := range mutants(r, newRanking(r), func(*results.Mutant) bool { return true }) {
		candidates = append(candidates, f.Mutant)
	}
	return candidates
}

// Witnesses returns the survivors whose inputs the first n findings about mutants show, in the order in which they are
// shown. It assumes that the first mutant of each finding is verified.
func Witnesses(r *results.Results, n int) (list []*results.Mutant) {
	found := mutants(r, newRanking(r), func(*results.Mutant) bool { return true })
	for _, f := range found[:min(len(found), n)] {
		// Edits that share a call are one row. Each may get a smaller call later, and then a row of its own.
		lists := [][]*results.Mutant{f.all(), f.distinct().all()}
		if f.Kind == NotRun {
			lists = [][]*results.Mutant{{f.Mutant}, ways(f.all())}
		}
		for _, all := range lists {
			for _, m := range all[:min(len(all), maxRows)] {
				if m.Exposed() && !slices.Contains(list, m) {
					list = append(list, m)
				}
			}
		}
	}
	return list
}

// failures returns the findings about crashes and about tests, the latter without the tests with dismissed keys.
func failures(r *results.Results, dismissed map[string]bool) []Finding {
	tests := slices.Concat(oldTests(r), flakyTests(r))
	if len(dismissed) > 0 {
		for i := range tests {
			tests[i].leaveOut(dismissed)
		}
		tests = slices.DeleteFunc(tests, func(f Finding) bool { return len(f.testKeys()) == 0 })
	}
	return append(crashes(r), tests...)
}

// leaveOut removes the tests with dismissed keys from f, a finding about tests.
func (f *Finding) leaveOut(dismissed map[string]bool) {
	if f.Old != nil {
		left := slices.DeleteFunc(f.tests(), func(t *results.OldTest) bool { return dismissed[oldKey(t)] })
		f.Old, f.Lost = nil, nil
		if len(left) > 0 {
			f.Old, f.Lost = left[0], left[1:]
		}
	}
	f.Flaky = slices.DeleteFunc(f.Flaky, func(t *results.FlakyTest) bool { return dismissed[flakyKey(t)] })
	if keys := f.testKeys(); len(keys) > 0 {
		f.Key = keys[0]
	}
}

// tests returns Old and Lost.
func (f Finding) tests() []*results.OldTest {
	if f.Old == nil {
		return nil
	}
	return append([]*results.OldTest{f.Old}, f.Lost...)
}

// testKeys returns a key for each test that f is about. The first of them names f, unless f was shown before.
func (f Finding) testKeys() (keys []string) {
	for _, t := range f.tests() {
		keys = append(keys, oldKey(t))
	}
	for _, t := range f.Flaky {
		keys = append(keys, flakyKey(t))
	}
	return keys
}

// crashes returns the findings about crashes: bugs first, and of these those that the change brought. Of findings with
// the same key it returns the first in this order.
func crashes(r *results.Results) []Finding {
	var found []Finding
	for i := range r.Crashes {
		found = append(found, crashFinding(r, &r.Crashes[i]))
	}
	unknown := func(f Finding) bool { return !f.brought() }
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), compareBool(unknown(a), unknown(b)))
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(found, func(f Finding) bool {
		repeats := seen[f.Key]
		seen[f.Key] = true
		return repeats
	})
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// crashFinding returns the finding about c. It is a bug if the change brought the crash. If that is not known, it is a
// bug if there is no base, or if the stack names a function in scope.
func crashFinding(r *results.Results, c *results.Crash) Finding {
	f := Finding{Kind: Note, Key: crashKey(c), Crash: c, Mutant: byID(r, c.MendedBy)}
	culprit, _ := culpritOf(r, c)
	if f.brought() || c.Introduced != results.IntroducedNo && (r.Revisions.Base == "" || culprit != nil) {
		f.Kind = Bug
	}
	return f
}

// oldTests returns the findings about tests that fail in the form they had before the change. Lost tests of a package
// share a finding if they may have one cause.
func oldTests(r *results.Results) (found []Finding) {
	for i := range r.OldTests {
		t := &r.OldTests[i]
		f := Finding{Kind: Note, Key: oldKey(t), Old: t, Mutant: byID(r, t.MendedBy)}
		if t.Lost() {
			f.Kind = Bug
			together := func(o Finding) bool {
				return o.Kind == Bug && o.Old.Change == t.Change && o.Old.MendedBy == t.MendedBy && packageOf(o.Old.Test) == packageOf(t.Test)
			}
			if first := slices.IndexFunc(found, together); first >= 0 {
				found[first].Lost = append(found[first].Lost, t)
				continue
			}
		}
		found = append(found, f)
	}
	return found
}

func oldKey(t *results.OldTest) string { return hash("old test", t.Test) }

// packageOf returns the import path of a test's package.
func packageOf(test string) string { return strings.TrimSuffix(test, "."+local(test)) }

// byID returns the mutant with an ID; nil: there is none.
func byID(r *results.Results, id string) *results.Mutant {
	i := slices.IndexFunc(r.Mutants, func(m results.Mutant) bool { return id != "" && m.ID == id })
	if i < 0 {
		return nil
	}
	return &r.Mutants[i]
}

// brought reports whether the change brought a crash: the base does not have it, or that is not known and undoing a
// part of the change mends it.
func (f Finding) brought() bool {
	return f.Crash != nil && (f.Crash.Introduced == results.IntroducedYes || f.Crash.Introduced == results.IntroducedUnknown && f.Mutant != nil)
}

// mending returns the IDs of the mutants that mend a crash or a lost test: they are part of that finding.
func mending(r *results.Results) map[string]bool {
	ids := map[string]bool{}
	for i := range r.Crashes {
		ids[r.Crashes[i].MendedBy] = true
	}
	for i := range r.OldTests {
		if r.OldTests[i].Lost() {
			ids[r.OldTests[i].MendedBy] = true
		}
	}
	return ids
}

// withBugs returns the IDs of the functions in which a bug crashes, or in which a mutant mends it. Mending the bug
// alters these functions, so other findings about them can wait.
func withBugs(r *results.Results) map[string]bool {
	ids := map[string]bool{}
	for _, f := range crashes(r) {
		if f.Kind != Bug {
			continue
		}
		if culprit, _ := culpritOf(r, f.Crash); culprit != nil {
			ids[culprit.ID] = true
		}
		if f.Mutant != nil {
			ids[f.Mutant.Function] = true
		}
	}
	return ids
}

// mutantFinding returns the finding about m alone. why is the reason to show m.
func mutantFinding(m *results.Mutant, why reason) Finding {
	kind := Gap
	switch {
	case m.Stage == results.NotReached || why == newUnrun || why == newLine || why == simple:
		kind = NotRun
	case edit.IsReversal(m) && witness(m) != nil && !m.ExposedBy.AsBefore && !m.ExposedBy.NotOnBase && !hidden(m.ExposedBy):
		kind = Behaviour
	}
	return Finding{Kind: kind, Key: mutantKey(m), Mutant: m}
}

// mutants returns the findings about survivors, grouped and ordered. Each begins with a mutant that eligible accepts.
func mutants(r *results.Results, rank ranking, eligible func(*results.Mutant) bool) []Finding {
	mends, broken := mending(r), withBugs(r)
	worth := map[*results.Mutant]int{}
	var all, simplest []Finding
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if m.Status != results.Survived || mends[m.ID] || broken[m.Function] {
			continue
		}
		why := rank.reason(m)
		if worth[m] = why.worth; why.worth >= worthShown {
			all = append(all, mutantFinding(m, why))
		} else if why == simple {
			simplest = append(simplest, mutantFinding(m, why))
		}
	}
	all = append(all, relatedTo(r, all, simplest)...)
	// A change of behaviour that callers can see says more than any edit of the same function.
	leads := func(f Finding) bool { return f.Kind == Behaviour && worth[f.Mutant] >= twoValues.worth }
	clearness := func(f Finding) int { // only the first mutant of a group gets a test
		if f.Kind != NotRun {
			return 0
		}
		return clarity(f.Mutant)
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(compareBool(leads(b), leads(a)), cmp.Compare(worth[b.Mutant], worth[a.Mutant]), cmp.Compare(a.Kind, b.Kind),
			compareBool(accepts(b.Mutant), accepts(a.Mutant)), cmp.Compare(clearness(b), clearness(a)), compareBool(passesNil(a.Mutant), passesNil(b.Mutant)), compareBool(showsAfterwards(a.Mutant), showsAfterwards(b.Mutant)),
			compareBool(onlyByNew(b.Mutant), onlyByNew(a.Mutant)), byPlace(a.Mutant, b.Mutant))
	})
	found := grouped(r, withoutRepeats(all), eligible)
	found = rank.fixAsOne(r, rank.unrunAsOne(found, eligible))
	for i := range found {
		f := &found[i]
		f.widen(eligible)
		if f.illustrate(eligible) || f.undo(eligible) {
			f.Kind = mutantFinding(f.Mutant, rank.reason(f.Mutant)).Kind
		}
		if f.Kind != NotRun && rank.changed(f.Mutant) { // the rest of the function would only make it longer
			f.Also = slices.DeleteFunc(f.Also, func(m *results.Mutant) bool { return !rank.changed(m) })
		}
		if list := untaken(r, *f); len(list) > 0 { // in the order in which the title has them
			f.Also = slices.Concat(list[1:], slices.DeleteFunc(f.Also, func(m *results.Mutant) bool { return slices.Contains(list, m) }))
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(compareBool(!a.evident(), !b.evident()), cmp.Compare(a.Kind, b.Kind))
	})
	return found
}

// widen makes f, a gap, begin with the mutant that disables a whole condition, if its first mutant alters only a part
// of that condition. No test makes the condition true, so its parts do not matter before the whole does.
func (f *Finding) widen(eligible func(*results.Mutant) bool) {
	i := slices.IndexFunc(f.Also, func(m *results.Mutant) bool { return neverTrue(m) && inCondition(f.Mutant, m) && eligible(m) })
	if f.Kind == Gap && i >= 0 {
		f.beginWith(i)
	}
}

// beginWith makes Also[i] the first mutant of f.
func (f *Finding) beginWith(i int) {
	first := f.Also[i]
	f.Also = slices.Insert(slices.Delete(slices.Clone(f.Also), i, i+1), 0, f.Mutant)
	f.Mutant, f.Key = first, mutantKey(first)
}

// illustrate makes f, a gap, begin with a mutant of the same function that an input shows, if no input shows its first
// one: the input says what follows from the edit. It reports whether it did so.
func (f *Finding) illustrate(eligible func(*results.Mutant) bool) bool {
	if f.Kind != Gap || f.Fix || example(f.Mutant) != nil || unseen(f.Mutant) != "" {
		return false
	}
	i := slices.IndexFunc(f.Also, func(m *results.Mutant) bool {
		return m.Function == f.Mutant.Function && example(m) != nil && !unrun(m) && eligible(m)
	})
	if i >= 0 {
		f.beginWith(i)
	}
	return i >= 0
}

// maxUndone is how many lines the undone part of a change may have to come before edits within it.
const maxUndone = 3

// undo makes f, a gap that no input shows, begin with the undone part of the change around its first edit, if that part
// is short: an author sees at once that no test asks for what he added. It reports whether it did so.
func (f *Finding) undo(eligible func(*results.Mutant) bool) bool {
	if f.Kind != Gap || f.Fix || edit.IsReversal(f.Mutant) || example(f.Mutant) != nil || unseen(f.Mutant) != "" {
		return false
	}
	i := slices.IndexFunc(f.Also, func(m *results.Mutant) bool {
		return edit.IsReversal(m) && !m.Evidence.Whole && m.Function == f.Mutant.Function && // of the whole wholeUndone tells
			m.File == f.Mutant.File && m.Offset <= f.Mutant.Offset && f.Mutant.EndOffset <= m.EndOffset && edit.Of(m).Size() <= maxUndone && !unrun(m) && eligible(m)
	})
	if i >= 0 {
		f.beginWith(i)
	}
	return i >= 0
}

// accepts reports whether m undoes a part of the change that makes the program accept what it refused before. Such a
// change of behaviour may do harm.
func accepts(m *results.Mutant) bool {
	x := witness(m)
	return edit.IsReversal(m) && x != nil && x.Ends == "" && (x.Errors == results.ErrorInMutant || x.Original == "true" && x.Mutant == "false")
}

// showsAfterwards reports whether the input calls the mutated function only for its effect, and a later call shows the
// difference. Such an input says less about what the code is for.
func showsAfterwards(m *results.Mutant) bool {
	x := witness(m)
	if x == nil || len(x.Setup) == 0 {
		return false
	}
	call := m.Function[strings.LastIndexByte(m.Function, '.')+1:] + "("
	return !strings.Contains(x.Call, call) && slices.ContainsFunc(x.Setup, func(before string) bool {
		return strings.Contains(before, call) && !strings.Contains(before, " := ")
	})
}

// onlyByNew reports whether all tests that run m are tests which the change adds or alters: they are about this code.
func onlyByNew(m *results.Mutant) bool {
	return m.Evidence.Tests > 0 && m.Evidence.Tests == len(m.Evidence.ByChange)
}

// evident reports whether f shows by itself what it is worth. It does if a program or test fails, if nothing runs the
// code, or if a test that comes with the change runs the first edit and misses it. It also does if one of its rows has
// an input that callers of the package can pass, or a call that a test makes of an exported function. Otherwise the
// reader has to find out whether callers can ever see the difference.
func (f Finding) evident() bool {
	if !f.aboutMutants() || f.Kind == NotRun || f.Fix || len(f.Mutant.Evidence.ByChange) > 0 {
		return true
	}
	all := f.all()
	return slices.ContainsFunc(all[:min(len(all), maxRows)], func(m *results.Mutant) bool {
		x := example(m)
		return x != nil && !x.Inner && (!x.InTest || isExported(m.Function))
	})
}

// withoutRepeats returns all without findings that another one covers. Where a change of a function's behaviour is
// known, code of the function that nothing runs is left out. Where code that nothing runs is shown, the condition above
// it and the undone part of the change around it are left out.
func withoutRepeats(all []Finding) []Finding {
	altered, unrun := map[string]bool{}, map[string]bool{}
	for _, f := range all {
		altered[f.Mutant.Function] = altered[f.Mutant.Function] || f.Kind == Behaviour
		unrun[f.Mutant.Function] = unrun[f.Mutant.Function] || f.Kind == NotRun && !leftOut(all, f)
	}
	repeats := func(f Finding) bool {
		switch function := f.Mutant.Function; {
		case altered[function]:
			return f.Kind == NotRun
		case f.Kind != Gap:
			return false
		}
		return f.never() != nil && unrun[f.Mutant.Function] || edit.IsReversal(f.Mutant) && slices.ContainsFunc(all, f.spans)
	}
	return slices.DeleteFunc(slices.Clone(all), repeats) // repeats looks at all of them
}

// spans reports whether g is about code that nothing runs within what f undoes.
func (f Finding) spans(g Finding) bool {
	return g.Kind == NotRun && g.Mutant.File == f.Mutant.File && f.Mutant.Offset <= g.Mutant.Offset && g.Mutant.EndOffset <= f.Mutant.EndOffset
}

// unrunAsOne merges the findings about code that nothing runs into one, at the place of the first. Gaps about code that
// does not run join it, and so do the edits that apart splits off. eligible says which mutants may come first.
func (k ranking) unrunAsOne(found []Finding, eligible func(*results.Mutant) bool) (list []Finding) {
	notRun := functionsNotRun(found)
	isMissed := func(f Finding) bool {
		return f.Kind == NotRun || f.Kind == Gap && (k.nothingRuns(f) || notRun[f.Mutant.Function] && !slices.ContainsFunc(f.all(), runsSomehow))
	}
	first := -1
	unrun := func(f Finding) {
		if f.Kind = NotRun; first < 0 {
			first = len(list)
			list = append(list, f)
			return
		}
		list[first].Also = append(list[first].Also, f.all()...)
	}
	for _, f := range found {
		if isMissed(f) {
			unrun(f)
			continue
		}
		ran, missed := k.apart(f, eligible)
		list = append(list, ran)
		if missed.Mutant != nil {
			unrun(missed)
		}
	}
	return list
}

// functionsNotRun returns the IDs of the functions that findings of kind NotRun are about.
func functionsNotRun(found []Finding) map[string]bool {
	functions := map[string]bool{}
	for _, f := range found {
		if f.Kind == NotRun {
			for _, m := range f.all() {
				functions[m.Function] = true
			}
		}
	}
	return functions
}

// runsSomehow reports whether something runs the code of m, or may run it without being seen (Evidence.Program).
func runsSomehow(m *results.Mutant) bool { return !unrun(m) || m.Evidence.Program }

// apart splits off the edits of f that are in functions where nothing runs any edit of f. missed is the finding about
// them. It has no mutant if none of them is eligible to come first, or if all their functions have only one statement:
// these say nothing by themselves.
func (k ranking) apart(f Finding, eligible func(*results.Mutant) bool) (ran, missed Finding) {
	runsIn := map[string]bool{f.Mutant.Function: true}
	for _, m := range f.all() {
		runsIn[m.Function] = runsIn[m.Function] || !unrun(m) || m.Evidence.Program
	}
	isMissed := func(m *results.Mutant) bool { return !runsIn[m.Function] }
	first := slices.IndexFunc(f.Also, func(m *results.Mutant) bool { return isMissed(m) && eligible(m) })
	if first < 0 || !slices.ContainsFunc(f.Also, func(m *results.Mutant) bool { return isMissed(m) && !k.oneStatement(m) }) {
		return f, Finding{}
	}
	missed = Finding{Kind: NotRun, Key: mutantKey(f.Also[first]), Mutant: f.Also[first]}
	for i, m := range f.Also {
		if isMissed(m) && i != first {
			missed.Also = append(missed.Also, m)
		}
	}
	f.Also = slices.DeleteFunc(slices.Clone(f.Also), isMissed)
	return f, missed
}

// nothingRuns reports whether all edits of f are in functions that nothing runs, or in branches that no run takes. At
// least one function has to be such. That no test is for the code then says more than any edit.
func (k ranking) nothingRuns(f Finding) bool {
	whole := false
	for _, m := range f.all() {
		whole = whole || !k.ran[m.Function]
		if m.Evidence.Program || !unrun(m) && (m.Evidence.Never == nil || unseen(m) == "") {
			return false
		}
	}
	return whole
}

// grouped puts findings about single mutants together. All code that nothing runs is one group. Any other group is
// about one function, including its branches that never run, or about several functions. Functions share a group if
// they are related, if they are altered in the same way, or if the same call shows the same effect of both edits. The
// first mutant of a group is the first that eligible accepts.
func grouped(r *results.Results, all []Finding, eligible func(*results.Mutant) bool) (groups []Finding) {
	of, has := traitsOf(r, all)
	at, known := map[part]int{}, map[string]bool{}
	var openers []trait // of the first finding of each group
	for i, f := range all {
		if _, ok := at[of[i].part]; ok || !eligible(f.Mutant) || known[f.Key] {
			continue
		}
		n := slices.IndexFunc(openers, func(o trait) bool {
			return of[i].run && o.run && (has[trait{part: o.part, edit: of[i].edit}] || has[trait{part: of[i].part, edit: o.edit}] ||
				of[i].input != "" && has[trait{part: o.part, input: of[i].input}])
		})
		if n < 0 {
			n, known[f.Key] = len(groups), true
			groups, openers = append(groups, f), append(openers, of[i])
		}
		at[of[i].part] = n
	}
	for i, f := range all {
		if n, ok := at[of[i].part]; ok && groups[n].Mutant != f.Mutant {
			groups[n].Also = append(groups[n].Also, f.Mutant)
		}
	}
	return groups
}

// trait is what a finding is about, and by what it may match others: its edit, and the call that shows it ("" if none).
type trait struct {
	part
	edit, input string
}

// traitsOf returns the trait of each finding. has holds every pair of a part and an edit, and of a part and a call.
func traitsOf(r *results.Results, all []Finding) (of []trait, has map[trait]bool) {
	has = map[trait]bool{}
	parts := relatedParts(r, all)
	for _, f := range all {
		t := trait{parts.of(partOf(all, f)), editKey(f.Mutant), inputKey(f.Mutant)}
		if !t.run {
			t.part = part{}
		}
		of = append(of, t)
		has[trait{part: t.part, edit: t.edit}] = true
		if t.input != "" {
			has[trait{part: t.part, input: t.input}] = true
		}
	}
	return of, has
}

// part is what a finding is about: a function, or the code of it that nothing runs. In traits, all code that nothing
// runs is one part, without a function.
type part struct {
	function string
	run      bool
}

// partOf returns the part that f is about. all are the findings about single mutants, f among them.
func partOf(all []Finding, f Finding) part {
	return part{f.Mutant.Function, f.Kind != NotRun || leftOut(all, f)}
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

// inputKey names the call that exposes m and its results with and without m. It is "" if the call cannot be written.
func inputKey(m *results.Mutant) string {
	if m.ExposedBy == nil || m.ExposedBy.Call == "" {
		return ""
	}
	x := m.ExposedBy
	return hash(append(slices.Clone(x.Setup), x.Call, x.Original, x.Mutant)...)
}

// editKey names the lines that m alters and what becomes of them, without regard to place and layout.
func editKey(m *results.Mutant) string {
	if other := wraps(m); other != "" {
		return "wraps " + other
	}
	return edit.Key(m)
}

// sibling returns the name of a function in which tests notice a part of the change that has the shape of what m undoes;
// "": there is none.
func sibling(r *results.Results, m *results.Mutant) string {
	shape := edit.Shape(m)
	i := slices.IndexFunc(r.Mutants, func(o results.Mutant) bool {
		return shape != "" && o.Status == results.Killed && o.Function != m.Function && edit.Shape(&o) == shape
	})
	if i < 0 {
		return ""
	}
	return functionName(r, r.Mutants[i].Function)
}

// aboutMutants reports whether f is about mutants that survive, not about what fails.
func (f Finding) aboutMutants() bool { return f.Crash == nil && f.Old == nil && f.Flaky == nil }

// all returns the mutants of f, the first one first.
func (f Finding) all() []*results.Mutant {
	if f.Mutant == nil {
		return nil
	}
	return append([]*results.Mutant{f.Mutant}, f.Also...)
}

func byPlace(a, b *results.Mutant) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.ID, b.ID),
	)
}

// mutantKey names a mutant by function, operator and source, without layout and comments.
func mutantKey(m *results.Mutant) string {
	return hash("mutant", m.Function, m.Operator, edit.Tokens(m.Original), edit.Tokens(m.Replacement))
}

// crashKey names a crash by harness, kind and first line of the message. Digits do not count: they vary with the input.
func crashKey(c *results.Crash) string {
	first, _, _ := strings.Cut(c.Message, "\n")
	letters := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, first)
	return hash("crash", c.Harness, c.Kind, letters)
}

// hash returns 16 hexadecimal digits that name the parts.
func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
