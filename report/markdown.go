package report

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Options shape the Markdown. The zero value is fine.
type Options struct {
	MaxFindings int        // findings with an entry of their own, up to the constant MaxFindings; 0: as the options of the run say, else DefaultMaxFindings
	Limit       int        // bytes of the whole text, from 2,000; 0: DefaultLimit
	Selection   *Selection // what to show; nil: what a first review would
	// Whole adds what a review leaves out: counts, by function, too, fuzz targets to start
	// from, and notes on the run.
	Whole bool
}

// detail is how much of the folded parts is shown.
type detail int

const (
	everything    detail = iota
	noSkeletons          // without the source of skeletons and without notes
	noFolded             // and without the list of other survivors
	noTests              // and without tests and stacks
	headlinesOnly        // titles and diffs alone
)

// Markdown returns the body of the review of r. Where it would exceed the
// limit, details are left out, then findings from the end, and it says so.
func Markdown(r *results.Results, o Options) string {
	if o.Limit <= 0 {
		o.Limit = DefaultLimit
	}
	s := o.Selection
	if s == nil {
		first := Select(r, nil, o.MaxFindings)
		s = &first
	}
	m := markdown{results: r, selection: s, whole: o.Whole}
	for _, f := range s.Open {
		m.stories = append(m.stories, storyOf(r, f))
	}
	for d := everything; d < headlinesOnly; d++ {
		if body := m.render(len(s.Open), d); len(body) <= o.Limit {
			return body
		}
	}
	for n := len(s.Open); n > 0; n-- {
		if body := m.render(n, headlinesOnly); len(body) <= o.Limit {
			return body
		}
	}
	short := *s
	short.Closed = nil
	m.selection = &short
	return m.render(0, headlinesOnly)
}

// render returns the review with the first n open findings.
func (m *markdown) render(n int, d detail) string {
	m.Reset()
	m.detail = d
	m.head()
	for i, s := range m.stories[:n] {
		m.finding(i+1, s)
	}
	m.closed()
	m.agreements()
	m.altered()
	m.onBase()
	m.folded()
	m.corpus()
	if m.whole {
		m.counts()
		m.skeletons()
		m.notes()
	}
	m.foot()
	if more := len(m.stories) - n; more > 0 {
		m.paragraph(plural(more, "more finding", "more findings") + " and all details are left out here to stay within the size limit of a review; results.json in the artifact has them.")
	} else if d > everything {
		m.paragraph("Details are left out here to stay within the size limit of a review; results.json in the artifact has them.")
	}
	return strings.TrimRight(m.String(), "\n") + "\n"
}

// markdown is a review being written. Every method ends what it writes with an
// empty line, so that the next one starts a new block.
type markdown struct {
	strings.Builder
	results   *results.Results
	selection *Selection
	stories   []story // of the open findings
	whole     bool
	detail    detail
}

func (m *markdown) paragraph(text string) { m.WriteString(text + "\n\n") }

// fold writes a block that opens on a click. The summary is HTML.
func (m *markdown) fold(summary string, body func()) {
	// Markdown is read within <details> only after an empty line.
	m.WriteString("<details><summary>" + summary + "</summary>\n\n")
	body()
	m.WriteString("</details>\n\n")
}

// source writes Go source, shortened.
func (m *markdown) source(src string) {
	m.WriteString(fence("go", shortenLines(visibleSource(src), maxSourceLines)) + "\n")
}

func (m *markdown) head() {
	m.paragraph("### mutantfuzz: " + headline(m.results, m.selection).markdown())
	if v := verdict(m.results); v != "" {
		m.paragraph("**" + v + "**")
	}
}

func (m *markdown) finding(number int, s story) {
	m.paragraph("**" + plain(number) + ". " + s.label + "**: " + s.title.markdown() + s.at())
	if len(s.mends) > 0 {
		m.paragraph(s.claim.and(s.mends).markdown())
	}
	if len(s.change) > 0 {
		m.WriteString(fence("diff", strings.Join(s.change, "\n")) + "\n")
	}
	if m.detail >= headlinesOnly {
		return
	}
	if len(s.mends) == 0 {
		m.paragraph(s.claim.markdown())
	}
	m.rows(s)
	m.paragraph(s.witness.and(s.ask).markdown())
	switch {
	case s.test != "" && m.detail < noTests:
		m.fold(s.about.html(), func() {
			m.paragraph("It asserts what the program does now; if the other result is meant, change the expectation.")
			m.source(s.test)
		})
	case s.stack != "":
		m.paragraph(s.next.markdown())
	}
	if s.stack != "" && m.detail < noTests {
		m.fold("Stack", func() { m.WriteString(fence("", s.stack) + "\n") })
	}
}

// at is the place of a finding as the end of its first line.
func (s story) at() string {
	if s.place == "" {
		return ""
	}
	return " · " + code(s.place)
}

// rows writes a table of the edits of a finding.
func (m *markdown) rows(s story) {
	if len(s.rows) == 0 {
		return
	}
	inputs := slices.ContainsFunc(s.rows, func(one row) bool { return one.input != "" })
	if inputs {
		m.WriteString("| line | edit | input | now | with the edit |\n|---|---|---|---|---|\n")
	} else {
		m.WriteString("| line | edit |\n|---|---|\n")
	}
	for _, one := range s.rows {
		m.WriteString("| " + cell(one.place) + " | " + one.edit.cells() + " |")
		for _, value := range []string{one.input, one.now, one.with} {
			if inputs && value == "" {
				m.WriteString(" – |")
			} else if inputs {
				m.WriteString(" " + cell(value) + " |")
			}
		}
		m.WriteString("\n")
	}
	m.WriteString("\n")
	if s.more > 0 {
		m.paragraph("The same holds for " + plural(s.more, "more edit", "more edits") + " of this function; results.json has them.")
	}
}

// foot says what was run, and how to be left alone.
func (m *markdown) foot() {
	if m.detail < headlinesOnly {
		m.paragraph("<sub>" + scope(m.results) + " · " + effort(m.results) + " · not useful? " + code("//mutantfuzz:ignore reason") + " in the line above it</sub>")
	}
}

// closed lists what earlier pushes showed and this one does not.
func (m *markdown) closed() {
	if len(m.selection.Closed) == 0 {
		return
	}
	for _, c := range m.selection.Closed {
		switch where := code(c.Where); c.Fate {
		case NotJudged:
			m.WriteString("- " + where + " not judged this time\n")
		default:
			m.WriteString("- ~~" + where + "~~ " + fateWords(c.Fate) + "\n")
		}
	}
	m.WriteString("\n")
}

func fateWords(f Fate) string {
	switch f {
	case Noticed:
		return "now noticed"
	case Suppressed:
		return "set aside"
	case Older:
		return "the base fails, too"
	case Harmless:
		return "makes no difference"
	default:
		return "no longer there"
	}
}

// agreements says which changed functions do what they did before.
func (m *markdown) agreements() {
	if m.detail >= headlinesOnly {
		return
	}
	for _, line := range agreementLines(m.results) {
		m.paragraph(line.markdown())
	}
}

// altered names the tests that fail as they were before the change altered them.
func (m *markdown) altered() {
	list := alteredTests(m.results)
	if len(list) == 0 || m.detail >= headlinesOnly {
		return
	}
	m.fold(plural(len(list), "altered test fails", "altered tests fail")+" in the old form", func() {
		for _, line := range list[:min(len(list), maxFolded)] {
			m.WriteString("- " + line.markdown() + "\n")
		}
		m.WriteString("\n")
	})
}

// alteredTests are lines about tests that fail as they were before the change altered them.
func alteredTests(r *results.Results) (lines []prose) {
	for i := range r.OldTests {
		if t := &r.OldTests[i]; t.Change == results.TestAltered {
			line := say("%s", local(t.Test))
			if message := firstLine(t.Message); message != "" {
				line = append(line, say(": %s", message)...)
			}
			lines = append(lines, line)
		}
	}
	return lines
}

// onBase says what fails on the base, too.
func (m *markdown) onBase() {
	older := m.selection.OnBase
	if len(older) == 0 || m.detail >= headlinesOnly {
		return
	}
	m.fold(plural(len(older), "failure", "failures")+" that the base has, too", func() {
		for _, f := range older[:min(len(older), maxFolded)] {
			m.WriteString("- " + olderLine(m.results, f).markdown() + "\n")
		}
		m.WriteString("\n")
	})
}

// olderLine describes a failure that the base has, too.
func olderLine(r *results.Results, f Finding) prose {
	return say("%s "+crashVerb(f.Crash.Kind)+": %s", culprit(r, f.Crash), firstLine(f.Crash.Message))
}

// folded lists the other survivors, one line of source each.
func (m *markdown) folded() {
	rest := m.selection.Folded
	if len(rest) == 0 {
		if m.selection.Elsewhere > 0 {
			m.paragraph(elsewhere(m.selection))
		}
		return
	}
	if m.detail >= noFolded {
		m.paragraph(foldedTitle(m.selection) + ", in the artifact.")
		return
	}
	m.fold(foldedTitle(m.selection), func() {
		groups := byLine(rest)
		for _, g := range groups[:min(len(groups), maxFolded)] {
			m.WriteString("- " + foldedLine(g).markdown() + "\n")
		}
		if more := len(groups) - maxFolded; more > 0 {
			m.WriteString("- … and on " + plural(more, "more line", "more lines") + "; results.json has them\n")
		}
		if m.selection.Elsewhere > 0 {
			m.WriteString("- " + elsewhere(m.selection) + "\n")
		}
		m.WriteString("\n")
		if slices.ContainsFunc(rest, func(one *results.Mutant) bool { return !one.Verified }) {
			m.paragraph("They were judged together in one test binary, and not once more by themselves.")
		}
	})
}

// elsewhere counts the survivors that nobody is asked to look at.
func elsewhere(s *Selection) string {
	return plural(s.Elsewhere, "edit", "edits") + " of lines that the change does not touch; results.json has them"
}

// foldedTitle counts the other survivors.
func foldedTitle(s *Selection) string {
	edits := plural(len(s.Folded), "edit", "edits")
	if len(s.Open) > 0 {
		edits = plural(len(s.Folded), "more edit", "more edits")
	}
	return edits + " of changed lines that no test notices"
}

// byLine groups mutants, ordered by place, by file and line.
func byLine(mutants []*results.Mutant) [][]*results.Mutant {
	var groups [][]*results.Mutant
	for i, m := range mutants {
		if i > 0 && mutants[i-1].File == m.File && mutants[i-1].Line == m.Line {
			groups[len(groups)-1] = append(groups[len(groups)-1], m)
		} else {
			groups = append(groups, []*results.Mutant{m})
		}
	}
	return groups
}

// foldedLine describes the survivors of one line by the first of them.
func foldedLine(group []*results.Mutant) prose {
	m := group[0]
	line := say("%s", place(m)).and(summary(m))
	var remarks []string
	if m.Stage == results.NotReached {
		remarks = append(remarks, "nothing runs it")
	}
	if more := len(group) - 1; more > 0 {
		remarks = append(remarks, plain(more)+" more on this line")
	}
	if len(remarks) > 0 {
		line = line.and(say("(" + strings.Join(remarks, "; ") + ")"))
	}
	return line
}

// corpus names a few of the new entries and says where all of them are.
func (m *markdown) corpus() {
	all := m.results.Corpus.New
	if len(all) == 0 || m.detail >= headlinesOnly {
		return
	}
	worth := Worthwhile(m.results)
	m.fold(plural(len(worth), "new corpus entry", "new corpus entries")+", in the artifact ("+htmlCode("git apply corpus.patch")+")", func() {
		for _, e := range worth[:min(len(worth), maxListed)] {
			m.WriteString("- " + entryLine(m.results, e).markdown() + "\n")
		}
		if more := len(worth) - maxListed; more > 0 {
			m.WriteString("- … and " + count(int64(more)) + " more\n")
		}
		m.WriteString("\n")
	})
}

// counts writes what became of the mutants, in all and by function.
func (m *markdown) counts() {
	m.paragraph(tallyOf(m.results).String() + ".")
	functions := byFunction(m.results)
	if len(functions) == 0 || m.detail >= noFolded {
		return
	}
	m.fold("Mutants by function", func() {
		m.WriteString("| function | mutants | killed by tests | killed by fuzzing | survived | not run | others |\n|---|--:|--:|--:|--:|--:|--:|\n")
		for _, f := range functions[:min(len(functions), maxFunctions)] {
			t := f.tally
			m.WriteString("| " + cell(f.name) + " | " + plain(t.total) + " | " + plain(t.byTests) + " | " + plain(t.byFuzzing) + " | " +
				plain(t.exposed+t.survived) + " | " + plain(t.notRun) + " | " + plain(t.equivalent+t.unviable+t.ignored) + " |\n")
		}
		m.WriteString("\n")
		if more := len(functions) - maxFunctions; more > 0 {
			m.paragraph("… and " + plural(more, "more function", "more functions"))
		}
	})
}

// Worthwhile returns the new corpus entries that are worth committing, the most useful first:
// those that kill or expose, then crashes, then some of those that only cover more.
func Worthwhile(r *results.Results) []*results.Entry {
	rank := func(e *results.Entry) int {
		switch {
		case slices.Contains(e.Reasons, results.EntryKills), slices.Contains(e.Reasons, results.EntryExposes):
			return 0
		case slices.Contains(e.Reasons, results.EntryCrash):
			return 1
		default:
			return 2
		}
	}
	var ranked []*results.Entry
	useful := 0
	for i := range r.Corpus.New {
		e := &r.Corpus.New[i]
		ranked = append(ranked, e)
		if rank(e) < 2 {
			useful++
		}
	}
	slices.SortStableFunc(ranked, func(a, b *results.Entry) int { return rank(a) - rank(b) })
	return ranked[:min(len(ranked), useful+maxCovering)]
}

// entryLine says where a new entry goes, what it is, and what it is good for.
func entryLine(r *results.Results, e *results.Entry) prose {
	line := say("%s: %s", e.Path, argumentsOf(e))
	switch {
	case len(e.Mutants) > 0:
		n := len(e.Mutants)
		line = line.and(say("tells " + plural(n, "mutant", "mutants")))
		if f := commonFunction(r, e.Mutants); f != "" {
			line = line.and(say("of %s", functionName(r, f)))
		}
		return line.and(say("from the program"))
	case slices.Contains(e.Reasons, results.EntryCrash):
		return line.and(say("makes the program fail"))
	default:
		return line.and(say("reaches new code"))
	}
}

// commonFunction returns the function that all the mutants are in, or "".
func commonFunction(r *results.Results, ids []string) string {
	wanted := make(map[string]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	function := ""
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if !wanted[m.ID] {
			continue
		}
		if function != "" && function != m.Function {
			return ""
		}
		function = m.Function
	}
	return function
}

// skeletons offers fuzz targets for functions that nothing reaches.
func (m *markdown) skeletons() {
	all := m.results.Skeletons
	if len(all) == 0 {
		return
	}
	if m.detail >= noSkeletons {
		m.paragraph("No fuzz target reaches " + plural(len(all), "function", "functions") + " in scope.")
		return
	}
	for _, s := range all[:min(len(all), maxListed)] {
		m.paragraph(say("**No fuzz target reaches** %s.", functionName(m.results, s.Function)).markdown())
		m.fold("A target to start from, for "+htmlCode(s.File), func() {
			m.source(s.Source)
		})
	}
	if more := len(all) - maxListed; more > 0 {
		m.paragraph("Nor " + plural(more, "more function", "more functions") + "; results.json has targets to start from.")
	}
}

// notes lists the warnings of the run.
func (m *markdown) notes() {
	all := m.results.Warnings
	if len(all) == 0 || m.detail >= noSkeletons {
		return
	}
	m.fold(plural(len(all), "note on the run", "notes on the run"), func() {
		for _, w := range all[:min(len(all), maxNotes)] {
			m.WriteString("- " + code(w) + "\n")
		}
		if more := len(all) - maxNotes; more > 0 {
			m.WriteString("- … and " + count(int64(more)) + " more\n")
		}
		m.WriteString("\n")
	})
}
