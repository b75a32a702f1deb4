package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"go/scanner"
	"go/token"
	"iter"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Kind says what a finding is. Kinds are in the order in which findings are
// shown.
type Kind int

// The kinds of findings.
const (
	Bug       Kind = iota // the program fails, and its base does not, as far as is known
	Behaviour             // without a part of the change, the program gives another result for an input
	Gap                   // changed code can be altered, and no test fails
	NotRun                // no test or fuzz target runs a function, or a line, that the change adds
	Note                  // anything else; it has no entry of its own
)

// String returns the name of k in results.json.
func (k Kind) String() string {
	return [...]string{results.FindingBug, results.FindingBehaviour, results.FindingGap, results.FindingNotRun, results.FindingNote}[k]
}

// Finding is one thing worth a look: a crash, or mutants of one function that one more
// test would notice.
type Finding struct {
	Kind   Kind
	Key    string // names the finding over pushes; does not depend on lines
	Crash  *results.Crash
	Old    *results.OldTest     // a deleted test that fails; nil: another kind of finding
	Flaky  []*results.FlakyTest // tests of a package that the change adds, and that fail in some runs; nil: another kind of finding
	Lost   []*results.OldTest   // others that fail in the same package, for the same part of the change as far as is known
	Mutant *results.Mutant      // the one that maintainers are most likely to act on, or that mends the crash; nil: a crash that none mends
	Also   []*results.Mutant    // that are told with it, in that order: see grouped
}

// Findings returns what deserves an entry of its own in a review, most useful
// first: crashes that the base does not have, as far as is known, then surviving mutants
// that maintainers tend to act on, those of a function together, what is evident before the
// rest. The first of these is confirmed by a rebuild.
//
// That they are few is what made mutants in code review bearable at Google
// (Petrović, Ivanković et al.: Practical Mutation Testing at Scale, TSE 2021,
// sections 3 and 6); which ones is decided by ranking.
func Findings(r *results.Results) []Finding { return findings(r, newRanking(r), nil) }

// findings are those of Findings, none of which is about a mutant first that has a dismissed key.
func findings(r *results.Results, rank ranking, dismissed map[string]bool) []Finding {
	found := slices.DeleteFunc(slices.Concat(crashes(r), oldTests(r), flakyTests(r)), func(f Finding) bool { return f.Kind == Note })
	return append(found, mutants(r, rank, func(m *results.Mutant) bool {
		return m.Verified && !(len(dismissed) > 0 && dismissed[mutantKey(m)])
	})...)
}

// Candidates returns the surviving mutants that Findings would return if all
// of them were verified, in the same order. Whoever verifies mutants does it
// in this order.
func Candidates(r *results.Results) []*results.Mutant {
	var candidates []*results.Mutant
	for _, f := range mutants(r, newRanking(r), func(*results.Mutant) bool { return true }) {
		candidates = append(candidates, f.Mutant)
	}
	return candidates
}

// Witnesses returns the surviving mutants of which n findings show an input, if the first mutants
// of all were verified, in the order in which they are shown.
func Witnesses(r *results.Results, n int) (list []*results.Mutant) {
	found := mutants(r, newRanking(r), func(*results.Mutant) bool { return true })
	for _, f := range found[:min(len(found), n)] {
		// Edits that one call shows now may each have a smaller one, and then a row.
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

func crashes(r *results.Results) []Finding {
	var found []Finding
	seen := map[string]bool{}
	for i := range r.Crashes {
		f := crashFinding(r, &r.Crashes[i])
		if !seen[f.Key] {
			seen[f.Key] = true
			found = append(found, f)
		}
	}
	unknown := func(f Finding) bool { return !f.brought() }
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), compareBool(unknown(a), unknown(b)))
	})
	return found
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

// crashFinding is a bug if the change brought the crash. If nobody knows whether it did, it is one where
// there is no base, and in a function that the change is about.
func crashFinding(r *results.Results, c *results.Crash) Finding {
	f := Finding{Kind: Note, Key: crashKey(c), Crash: c, Mutant: byID(r, c.MendedBy)}
	culprit, _ := culpritOf(r, c)
	if f.brought() || c.Introduced != results.IntroducedNo && (r.Revisions.Base == "" || culprit != nil) {
		f.Kind = Bug
	}
	return f
}

// oldTests returns a finding for each test that fails as it was before the change, and one for those together that
// the change deletes, or breaks, where they may have one cause.
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

// packageOf is the import path of a test's package.
func packageOf(test string) string { return strings.TrimSuffix(test, "."+local(test)) }

// byID returns a mutant; nil: there is none of that ID.
func byID(r *results.Results, id string) *results.Mutant {
	i := slices.IndexFunc(r.Mutants, func(m results.Mutant) bool { return id != "" && m.ID == id })
	if i < 0 {
		return nil
	}
	return &r.Mutants[i]
}

// brought reports whether the change brought a crash: the base does not have it, or it is gone
// with a part of the change undone.
func (f Finding) brought() bool {
	return f.Crash != nil && (f.Crash.Introduced == results.IntroducedYes || f.Crash.Introduced == results.IntroducedUnknown && f.Mutant != nil)
}

// mending are the IDs of the mutants that mend a crash: they are part of that finding.
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

// withBugs are the functions with a bug, by ID: what mends it alters them, so that what else there is to say of them can wait.
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

// mutantFinding is the finding about m, for a reason.
func mutantFinding(m *results.Mutant, why reason) Finding {
	kind := Gap
	switch {
	case m.Stage == results.NotReached || why == newUnrun || why == newLine || why == simple:
		kind = NotRun
	case isReversal(m) && witness(m) != nil && !m.ExposedBy.AsBefore && !m.ExposedBy.NotOnBase && !hidden(m.ExposedBy):
		kind = Behaviour
	}
	return Finding{Kind: kind, Key: mutantKey(m), Mutant: m}
}

func isReversal(m *results.Mutant) bool {
	return m.Category == results.CategoryReversal || m.Evidence.Changed != ""
}

// mutants returns the findings about survivors, ordered and grouped. Their first mutants
// are those that eligible accepts.
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
			compareBool(accepts(b.Mutant), accepts(a.Mutant)), cmp.Compare(clearness(b), clearness(a)), compareBool(passesNil(a.Mutant), passesNil(b.Mutant)), compareBool(showsAfterwards(a.Mutant), showsAfterwards(b.Mutant)), byPlace(a.Mutant, b.Mutant))
	})
	found := grouped(r, withoutRepeats(all), eligible)
	found = rank.unrunAsOne(found, eligible)
	for i := range found {
		f := &found[i]
		f.widen(eligible)
		if f.illustrate(eligible) {
			f.Kind = mutantFinding(f.Mutant, rank.reason(f.Mutant)).Kind
		}
		if f.Kind != NotRun && rank.changed(f.Mutant) { // beside what is about the change, the rest of a function would only make it longer
			f.Also = slices.DeleteFunc(f.Also, func(m *results.Mutant) bool { return !rank.changed(m) })
		}
		if list := untaken(r, *f); len(list) > 0 { // in the order of the title
			f.Also = slices.Concat(list[1:], slices.DeleteFunc(f.Also, func(m *results.Mutant) bool { return slices.Contains(list, m) }))
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(compareBool(!a.evident(), !b.evident()), cmp.Compare(a.Kind, b.Kind))
	})
	return found
}

// widen has f, a gap whose first edit alters a part of a condition that holds in no test, begin with the edit that leaves out all that is
// done under it, if there is one that may be the first: that part does not matter before the whole does.
func (f *Finding) widen(eligible func(*results.Mutant) bool) {
	i := slices.IndexFunc(f.Also, func(m *results.Mutant) bool { return neverTrue(m) && inCondition(f.Mutant, m) && eligible(m) })
	if f.Kind != Gap || i < 0 {
		return
	}
	first := f.Also[i]
	f.Also = slices.Insert(slices.Delete(slices.Clone(f.Also), i, i+1), 0, f.Mutant)
	f.Mutant, f.Key = first, mutantKey(first)
}

// illustrate has f, a gap whose first edit no input shows, begin with the first edit of that function that one shows, if there is one that may be
// the first: it says what follows. It reports whether it did.
func (f *Finding) illustrate(eligible func(*results.Mutant) bool) bool {
	if f.Kind != Gap || example(f.Mutant) != nil || unseen(f.Mutant) != "" {
		return false
	}
	i := slices.IndexFunc(f.Also, func(m *results.Mutant) bool {
		return m.Function == f.Mutant.Function && example(m) != nil && !unrun(m) && eligible(m)
	})
	if i < 0 {
		return false
	}
	first := f.Also[i]
	f.Also = slices.Insert(slices.Delete(slices.Clone(f.Also), i, i+1), 0, f.Mutant)
	f.Mutant, f.Key = first, mutantKey(first)
	return true
}

// accepts reports whether m undoes a part of the change by which something is accepted that was refused before: of two changes of behaviour
// that is the one that may do harm.
func accepts(m *results.Mutant) bool {
	x := witness(m)
	return isReversal(m) && x != nil && x.Ends == "" && (x.Errors == results.ErrorInMutant || x.Original == "true" && x.Mutant == "false")
}

// showsAfterwards reports whether what m alters gives the same as before, and only another call after that shows a difference: that says
// less of what the code is for.
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

// evident reports whether f shows by itself what it is worth: the program fails, an input shows a row of it that callers of the package can
// pass, or a test of a function that they can call, nothing runs it, or a test that comes with the change runs it and misses its first edit.
// Otherwise whoever reads it has to find out whether callers can ever see it.
func (f Finding) evident() bool {
	if !f.aboutMutants() || f.Kind == NotRun || len(f.Mutant.Evidence.ByChange) > 0 {
		return true
	}
	all := f.all()
	return slices.ContainsFunc(all[:min(len(all), maxRows)], func(m *results.Mutant) bool {
		x := example(m)
		return x != nil && !x.Inner && (!x.InTest || isExported(m.Function))
	})
}

// withoutRepeats leaves out what another finding shows: that nothing runs a function, where a change of its behaviour is known; and of
// lines that nothing runs, the condition above them and the part of the change that they are in.
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
		return f.never() != nil && unrun[f.Mutant.Function] || isReversal(f.Mutant) && slices.ContainsFunc(all, f.spans)
	}
	return slices.DeleteFunc(slices.Clone(all), repeats) // which looks at all of them
}

// spans reports whether g is about code that nothing runs and that is within what f undoes.
func (f Finding) spans(g Finding) bool {
	return g.Kind == NotRun && g.Mutant.File == f.Mutant.File && f.Mutant.Offset <= g.Mutant.Offset && g.Mutant.EndOffset <= f.Mutant.EndOffset
}

// unrunAsOne are findings of which those about what nothing runs are told as one, where the first of them is: with the functions that are
// told with one that runs, but of which f has no edit that runs, and with other edits of code of theirs that nothing runs. The first mutant of that
// is one that eligible accepts.
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

// functionsNotRun are the functions of which findings say that nothing runs them, or some lines of theirs.
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

// runsSomehow reports whether something runs the code of m, or a program may that tests start.
func runsSomehow(m *results.Mutant) bool { return !unrun(m) || m.Evidence.Program }

// apart takes the edits of functions apart of which nothing runs any edit of f. There is no second finding, which has no mutant then, where none
// of them is eligible as the first, or all are of functions of one statement, which say nothing by themselves.
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

// nothingRuns reports whether all that f is about is functions that nothing runs, and branches of others that no run takes: that no test is
// for it says more than any edit.
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

// grouped puts findings about single mutants together: those of code that nothing runs, and of
// others those of one function, with branches of it that they leave out, of functions of which one uses what another one
// gives, and of functions that are altered in the same way, or to the same effect on
// one call. The first mutant of a group is the first that eligible accepts.
func grouped(r *results.Results, all []Finding, eligible func(*results.Mutant) bool) (groups []Finding) {
	of, has := traitsOf(r, all)
	at, known := map[part]int{}, map[string]bool{}
	var openers []trait // of the first of each group
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

// trait is what a finding is about, and what others may have in common with it: the edit, and the call that shows it, if
// there is one.
type trait struct {
	part
	edit, input string
}

// traitsOf are those of findings, and which edits, and which calls, each part has.
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

// part is what a finding is about: a function, or what of it nothing runs; all that nothing runs has no function.
type part struct {
	function string
	run      bool
}

// partOf is the part that f, one of some findings about single mutants, is about.
func partOf(all []Finding, f Finding) part {
	return part{f.Mutant.Function, f.Kind != NotRun || leftOut(all, f)}
}

// leftOut reports whether f is about code that nothing runs because a condition never holds: it is found
// with that condition.
func leftOut(all []Finding, f Finding) bool {
	return slices.ContainsFunc(all, func(g Finding) bool { return g.Kind != NotRun && inBranch(f.Mutant, g.Mutant) })
}

// inBranch reports whether m is in the branch that a mutant leaves out.
func inBranch(m, left *results.Mutant) bool {
	if m.File != left.File || m.Offset < left.EndOffset {
		return false
	}
	c := left.Evidence.Never
	return m.EndOffset <= left.Evidence.BranchEnd || c != nil &&
		(c.StartLine <= m.Line && m.EndLine <= c.EndLine || c.StartLine == m.Line+1 && m.EndLine == c.EndLine+1) // or all of it, with its braces
}

// inputKey names the call that exposes m and what it gives with and without; "": there is none that can be written.
func inputKey(m *results.Mutant) string {
	if m.ExposedBy == nil || m.ExposedBy.Call == "" {
		return ""
	}
	x := m.ExposedBy
	return hash(append(slices.Clone(x.Setup), x.Call, x.Original, x.Mutant)...)
}

// longEnough is the number of tokens from which on two edits are the same if they differ in names and
// literals only, as those of a function for texts and of its twin for bytes.
const longEnough = 16

// editKey names the lines that m alters and what becomes of them, wherever they are and however they are laid out.
func editKey(m *results.Mutant) string {
	if other := wraps(m); other != "" {
		return "wraps " + other
	}
	if guard := guardOf(m); guard != "" {
		return "guard " + selector.ReplaceAllString(tokens(guard), "_ .")
	}
	var lines, shapes []string
	size := 0
	c := changeOf(m)
	for _, line := range diffOf(c.before, c.after, tokens) {
		if line.sign != ' ' {
			lines = append(lines, string(line.sign)+tokens(line.text))
			shape, n := tokenShape(line.text)
			shapes = append(shapes, string(line.sign)+shape)
			size += n
		}
	}
	switch {
	case size >= longEnough:
		lines = shapes
	case m.Operator == "statement-deletion": // variables have other names in other functions
		return selector.ReplaceAllString(strings.Join(lines, "\n"), "_ .")
	}
	return strings.Join(lines, "\n")
}

// selector matches, among tokens, what a field or a method is selected of: receivers have other names in other methods.
var selector = regexp.MustCompile(`\b\w+ \.`)

// guardOf is the condition of a branch that m leaves out, or that it undoes where that is all that this part of the change
// adds; "": it does nothing of the kind.
func guardOf(m *results.Mutant) string {
	if !isReversal(m) {
		if effective(m) == "false" && m.Evidence.Branch != "" {
			return m.Original
		}
		return ""
	}
	var lines []string
	for _, line := range changeOf(m).lines(math.MaxInt) {
		switch code := strings.TrimSpace(line[1:]); {
		case line[0] == '+' && code != "":
			return ""
		case line[0] == '-' && code != "":
			lines = append(lines, code)
		}
	}
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "if ") || !strings.HasSuffix(lines[0], " {") || lines[2] != "}" {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(lines[0], "if "), " {")
}

// tokenShape are the tokens of a line without the names and literals, and their number.
func tokenShape(line string) (shape string, n int) {
	var all []string
	for t := range lexemes(line) {
		if t.token.IsLiteral() {
			t.token = token.IDENT
		}
		all = append(all, t.token.String())
	}
	return strings.Join(all, " "), len(all)
}

// aboutMutants reports whether f is about mutants that survive, not about what fails.
func (f Finding) aboutMutants() bool { return f.Crash == nil && f.Old == nil && f.Flaky == nil }

// all are the mutants of f, the first one first.
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

// mutantKey names a mutant by function, operator and source without layout and
// comments.
func mutantKey(m *results.Mutant) string {
	return hash("mutant", m.Function, m.Operator, tokens(m.Original), tokens(m.Replacement))
}

// crashKey names a crash by harness, kind and message. Numbers in the message
// do not count: they vary with the input.
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

// tokens returns the Go tokens of src, separated by spaces.
func tokens(src string) string {
	var all []string
	for t := range lexemes(src) {
		all = append(all, t.String())
	}
	return strings.Join(all, " ")
}

// lexeme is a Go token in source, with its text where that differs, and the number of the line that it begins in, from 1.
type lexeme struct {
	token token.Token
	text  string
	line  int
}

// String is the token as it is written.
func (l lexeme) String() string { return cmp.Or(l.text, l.token.String()) }

// lexemes are the Go tokens of src but for the semicolons that the ends of lines stand for.
func lexemes(src string) iter.Seq[lexeme] {
	return func(yield func(lexeme) bool) {
		var s scanner.Scanner
		file := token.NewFileSet().AddFile("", -1, len(src))
		s.Init(file, []byte(src), func(token.Position, string) {}, 0)
		for pos, tok, text := s.Scan(); tok != token.EOF; pos, tok, text = s.Scan() {
			if layout := tok == token.SEMICOLON && text == "\n"; !layout && !yield(lexeme{tok, text, file.Line(pos)}) {
				return
			}
		}
	}
}
