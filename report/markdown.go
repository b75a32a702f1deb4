package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
	"github.com/mutantfuzz/mutantfuzz/report/story"
)

// Options control what Markdown writes. The zero value is a first review with the default limits.
type Options struct {
	// MaxFindings bounds the findings with an entry of their own, up to finding.MaxFindings. 0 means what the options of
	// the run say, else finding.DefaultMaxFindings. It is not used if there is a Selection.
	MaxFindings int
	Limit       int                // bytes of the whole text, at least 2,000; 0: DefaultLimit
	Selection   *finding.Selection // what to show; nil: what a first review would
	// Inline holds the keys of findings that have a review comment of their own. Here each of them gets one line.
	Inline map[string]bool
	// Heard says that comments on the pull request can dismiss findings. Each finding then says how.
	Heard bool
	// Whole adds what a review leaves out: all survivors by file (up to a bound), counts in total and by function, how
	// good the fuzz targets are, targets to start from, and notes on the run.
	Whole bool
}

// detail is how much of a review is left out to save space. Each level includes those before it.
type detail int

const (
	everything    detail = iota
	noSkeletons          // no source of skeletons, no reasons why drivers are missing, no notes
	noFolded             // no lists of survivors besides findings, no tables of counts
	noTests              // no tests and no stacks
	headlinesOnly        // only titles, diffs and counts
)

// Markdown returns the body of the review of r. If it would exceed the limit, Markdown leaves out details first, then
// findings from the end, and says so in the body.
func Markdown(r *results.Results, o Options) string {
	if o.Limit <= 0 {
		o.Limit = DefaultLimit
	}
	s := o.Selection
	if s == nil {
		first := finding.Select(r, nil, o.MaxFindings)
		s = &first
	}
	m := markdown{results: r, selection: s, untold: s.Untold(), whole: o.Whole, heard: o.Heard, judged: finding.ChangedJudged(r)}
	m.listed = finding.WorthListing(r, m.untold)
	for _, f := range s.Open {
		m.stories = append(m.stories, entry{Story: story.Of(r, f), key: f.Key, inline: o.Inline[f.Key]})
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
	m.line(story.Flaky(m.results, m.selection))
	m.line(story.Failing(m.results))
	told := slices.ContainsFunc(m.selection.Open, func(f finding.Finding) bool { return f.Fix && f.AgreedOn() > 0 }) // its title says so
	if fact.AddedTests(m.results) > 0 && !told {
		m.line(story.NewTests(m.results))
	}
	for i, s := range m.stories[:n] {
		m.finding(i+1, s)
	}
	m.closed()
	m.dismissed()
	if m.whole || len(m.selection.Open) == 0 { // a review with findings has more to say
		m.line(story.Agreement(m.results, m.selection.Open))
		m.line(story.Altered(m.results, m.selection.Open))
	}
	if fact.AddedTests(m.results) == 0 {
		m.line(story.NewTests(m.results))
	}
	m.quarantined()
	if m.whole { // a review does not need it: the author has just changed these tests
		m.old()
	}
	m.onBase()
	if m.whole {
		m.survivors()
	} else {
		m.folded()
	}
	m.corpus()
	if m.whole {
		m.counts()
		m.harnesses()
		m.skeletons()
		m.undriven()
		m.notes()
	}
	m.foot()
	if more := len(m.stories) - n; more > 0 {
		m.paragraph(prose.Plural(more, "more finding", "more findings") + " and all details are left out here to stay within the size limit of a review; results.json in the artifact has them.")
	} else if d > everything {
		m.paragraph("Details are left out here to stay within the size limit of a review; results.json in the artifact has them.")
	}
	return strings.TrimRight(m.String(), "\n") + "\n"
}

// entry is a finding in a review.
type entry struct {
	story.Story
	key        string
	inline     bool   // a comment of its own has the details
	suggestion string // a Markdown block that offers change as a suggestion to commit; empty: none
}

// markdown is a review being written. Every method that writes ends with an empty line, so that the next one starts a
// new block.
type markdown struct {
	strings.Builder
	results   *results.Results
	selection *finding.Selection
	stories   []entry           // of the open findings
	untold    []*results.Mutant // the survivors without an entry that tell something new
	listed    []*results.Mutant // those of them that are listed
	whole     bool
	heard     bool
	judged    bool // something was judged, and all mutants of changed lines were
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
	m.WriteString(prose.Fence("go", prose.ShortenLines(prose.Source(src), maxSourceLines)) + "\n")
}

// test writes the test of a story, or where to find it if it is too long: a test that is cut does not compile.
func (m *markdown) test(s story.Story) {
	lines := strings.Split(prose.Source(strings.TrimRight(s.Test, "\n")), "\n")
	if len(lines) > maxSourceLines || slices.ContainsFunc(lines, func(line string) bool { return utf8.RuneCountInString(line) > maxTestWidth }) {
		where := "tests"
		if s.Unfiled {
			where = "results.json"
		}
		m.paragraph(prose.Say("It is too long to be shown here: the artifact has it, in %s.", where).Markdown())
		return
	}
	m.paragraph(s.Asserts.Markdown())
	m.WriteString(prose.Fence("go", strings.Join(lines, "\n")) + "\n")
}

func (m *markdown) head() {
	m.paragraph("### mutantfuzz: " + story.Headline(m.results, m.selection).Markdown())
	if v := story.Verdict(m.results); v != "" && (m.whole || !m.judged) && !m.cut() {
		m.paragraph("**" + v + "**")
	}
}

// cut reports whether the foot, and not the head, says what was not judged: in a review, findings come first.
func (m *markdown) cut() bool {
	return !m.whole && len(m.selection.Open) > 0 && story.Count(m.results).Judged() > 0 && fact.Broken(m.results) == ""
}

func (m *markdown) finding(number int, s entry) {
	m.paragraph(m.first(number, s) + m.dismissing(s))
	if !s.inline {
		m.details(s)
	}
}

// dismissing returns the end of a finding's first line: how to dismiss it. It is empty if comments cannot do that.
func (m *markdown) dismissing(s entry) string {
	if !m.heard {
		return ""
	}
	return " · <sub>not useful? comment " + prose.Code("ignore "+m.selection.Handle(s.key)) + "</sub>"
}

// details writes what a finding has below its first line.
func (m *markdown) details(s entry) {
	if len(s.Mends) > 0 {
		m.paragraph(s.Claim.And(s.Mends).And(s.Drawn).Markdown())
	} else if len(s.Change) > 0 {
		m.paragraph(s.Drawn.Markdown())
	}
	switch {
	case s.suggestion != "":
		m.WriteString(s.suggestion + "\n")
	case s.Code != "":
		m.source(s.Code)
	case len(s.Change) > 0:
		m.WriteString(prose.Fence("diff", strings.Join(s.Change, "\n")) + "\n")
	}
	if m.detail >= headlinesOnly {
		return
	}
	if len(s.Mends) == 0 && len(s.Claim) > 0 {
		m.paragraph(s.Claim.Markdown())
	}
	m.rows(s.Story)
	if p := s.Witness.And(s.Ask); len(p) > 0 && s.Stack == "" {
		m.paragraph(p.Markdown())
	}
	switch {
	case s.Test != "" && m.detail < noTests:
		m.fold(s.About.HTML(), func() { m.test(s.Story) })
	case s.Stack != "":
		m.paragraph(s.Next.Markdown())
	}
	if len(s.Rows) == 0 {
		m.others(s.Story)
	}
	if s.Stack != "" && m.detail < noTests {
		m.fold("Input and stack", func() {
			if len(s.Witness) > 0 {
				m.paragraph(s.Witness.Markdown())
			}
			m.WriteString(prose.Fence("", s.Stack) + "\n")
		})
	}
}

// first returns the first line of a finding. It does not repeat the heading, and does not number a single finding.
func (m *markdown) first(number int, s entry) string {
	line := s.Label
	if len(m.stories) > 1 {
		line = prose.Exact(number) + ". " + line
	}
	line = "**" + line + "**"
	if f := m.selection.Open[number-1]; number == 1 && (f.Crash != nil || s.Title.Markdown() == story.Headline(m.results, m.selection).Markdown()) {
		return line + atPlace(s.Story)
	}
	return line + ": " + s.Title.Markdown() + atPlace(s.Story)
}

// atPlace returns the place of a finding, to end its first line with.
func atPlace(s story.Story) string {
	if s.Place == "" {
		return ""
	}
	return " · " + prose.Code(s.Place)
}

// rows writes the table of a finding's edits, if it has one, and then the edits without a row.
func (m *markdown) rows(s story.Story) {
	if len(s.Rows) == 0 {
		return
	}
	columns := columnsOf(s)
	m.WriteString("| line | edit |")
	for _, c := range columns {
		m.WriteString(" " + c.title + " |")
	}
	m.WriteString("\n|" + strings.Repeat("---|", 2+len(columns)) + "\n")
	for _, one := range s.Rows {
		m.WriteString("| " + one.At().Cells() + " | " + one.Edit.Cells() + " |")
		for _, c := range columns {
			if value := c.of(one); value == "" {
				m.WriteString(" – |")
			} else {
				m.WriteString(" " + prose.Cell(value) + " |")
			}
		}
		m.WriteString("\n")
	}
	m.WriteString("\n")
	m.others(s)
}

// others lists the edits of a finding that are not shown above, or only counts them: nobody acts on one more of a kind.
func (m *markdown) others(s story.Story) {
	switch {
	case s.More == 0:
		return
	case !m.whole:
		m.paragraph("No test notices " + prose.Plural(s.More, "more edit", "more edits") + " of this code (see the job summary).")
		return
	case m.detail >= noFolded:
		m.paragraph("No test notices " + prose.Plural(s.More, "more edit", "more edits") + " of this code; results.json has them.")
		return
	}
	m.fold(prose.Plural(s.More, "more edit", "more edits")+" of this code that no test notices", func() {
		for _, one := range s.Others {
			line := one.Edit
			if shows := one.Shows(); len(shows) > 0 && len(s.Rows) == 0 {
				line = slices.Clip(line).Plus(": ")
				line = append(line, shows...)
			}
			m.WriteString("- " + one.Place().And(line).Markdown() + "\n")
		}
		if more := s.More - len(s.Others); more > 0 {
			m.WriteString("- … and " + prose.Exact(more) + " more; results.json has them\n")
		}
		m.WriteString("\n")
	})
}

// column is an optional column of a table of edits.
type column struct {
	title string
	of    func(story.Row) string
}

// columnsOf returns the columns, besides line and edit, that are not empty in every row.
func columnsOf(s story.Story) []column {
	return slices.DeleteFunc([]column{
		{"input", func(one story.Row) string { return one.Input }},
		{"now", func(one story.Row) string { return one.Now }},
		{"with the edit", func(one story.Row) string { return one.With }},
	}, func(c column) bool {
		return !slices.ContainsFunc(s.Rows, func(one story.Row) bool { return c.of(one) != "" })
	})
}

// foot says what was run, and how to silence findings.
func (m *markdown) foot() {
	if m.detail >= headlinesOnly {
		return
	}
	text := story.Scope(m.results) + " · " + story.Effort(m.results)
	if v := story.Verdict(m.results); v != "" && !m.judged && m.cut() {
		text += " · " + strings.ToLower(v[:1]) + strings.TrimSuffix(v[1:], ".")
	}
	if late := story.Late(m.selection.Open); late != "" {
		text += " · " + late
	}
	if n := story.LeftOut(m.results); n > 0 && len(m.selection.Open) > 0 {
		text += " · " + prose.Plural(n, "test", "tests") + " left out (see the job summary)"
	}
	if slices.ContainsFunc(m.selection.Open, finding.Finding.AboutMutants) {
		text += " · " + prose.Code("//mutantfuzz:ignore reason") + " above a line of code silences it"
	}
	m.paragraph("<sub>" + text + "</sub>")
}

// closed lists what earlier pushes showed and this one does not.
func (m *markdown) closed() {
	if len(m.selection.Closed) == 0 {
		return
	}
	for _, c := range m.selection.Closed {
		m.WriteString("- " + fateLine(c) + "\n")
	}
	m.WriteString("\n")
}

// fateLine says in a line what has become of a finding.
func fateLine(c finding.Shown) string {
	switch where := prose.Code(c.Where); {
	case c.Fate == finding.NotJudged:
		return where + " not judged this time"
	case c.Fate == finding.Dismissed && c.Reason != "":
		return "~~" + where + "~~ dismissed by " + prose.Code(c.By) + ": " + prose.Code(c.Reason)
	case c.Fate == finding.Dismissed:
		return "~~" + where + "~~ dismissed by " + prose.Code(c.By)
	default:
		return "~~" + where + "~~ " + fateWords(c.Fate)
	}
}

func fateWords(f finding.Fate) string {
	switch f {
	case finding.Noticed:
		return "now noticed"
	case finding.Suppressed:
		return "dismissed"
	case finding.Mended:
		return "did not fail this time"
	case finding.Older:
		return "not shown to come from this change"
	case finding.Harmless:
		return "makes no difference"
	default:
		return "no longer there"
	}
}

// line writes a paragraph of its own, unless it is empty or there is only room for headlines.
func (m *markdown) line(p prose.Text) {
	if len(p) > 0 && m.detail < headlinesOnly {
		m.paragraph(p.Markdown())
	}
}

// quarantined names the tests that do not count, or did not run, if they may notice a survivor. The foot of a review with
// findings only counts them: each finding names those that run its code.
func (m *markdown) quarantined() {
	if len(m.selection.Doubtful) > 0 && (m.whole || len(m.selection.Open) == 0) {
		m.line(story.Quarantined(m.results, m.selection))
	}
	if m.whole || len(m.selection.Open) == 0 {
		m.line(story.Awaited(m.results))
	}
}

// old names the tests that fail in the form they had before the change, except those that are findings.
func (m *markdown) old() {
	list := story.OldTests(m.results)
	switch {
	case len(list) == 0 || m.detail >= headlinesOnly:
	case len(list) == 1:
		m.paragraph(story.OldTestsTitle(list).Markdown())
	default:
		m.fold(story.OldTestsTitle(list).HTML(), func() {
			for _, t := range list[:min(len(list), maxFolded)] {
				m.WriteString("- " + story.OldLine(t).Markdown() + "\n")
			}
			m.WriteString("\n")
		})
	}
}

// onBase lists the failures that the base has, or may have, too.
func (m *markdown) onBase() {
	older := m.selection.OnBase
	if len(older) == 0 || m.detail >= headlinesOnly {
		return
	}
	m.fold(story.OlderTitle(older), func() {
		for _, f := range older[:min(len(older), maxFolded)] {
			m.WriteString("- " + story.OlderLine(m.results, f).Markdown() + "\n")
		}
		m.WriteString("\n")
	})
}

// folded lists the other survivors of changed lines that are worth a look, one line of source each.
func (m *markdown) folded() {
	all, rest := m.untold, m.listed
	if len(rest) == 0 {
		return
	}
	if m.detail >= noFolded {
		m.paragraph(story.FoldedTitle(m.selection, all) + ", in the artifact.")
		return
	}
	m.fold(story.FoldedTitle(m.selection, all), func() {
		groups := byLine(rest)
		for _, g := range groups[:min(len(groups), maxFolded)] {
			m.WriteString("- " + story.FoldedLine(g).Markdown() + "\n")
		}
		if more := len(groups) - maxFolded; more > 0 {
			m.WriteString("- … and on " + prose.Plural(more, "more line", "more lines") + " (see the job summary)\n")
		}
		if others := len(all) - len(rest); others > 0 {
			m.WriteString("- … and " + prose.Exact(others) + " more (see the job summary)\n")
		}
		m.WriteString("\n")
		m.unconfirmed(rest)
	})
}

// byLine groups mutants by file and line. They have to be ordered by place.
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

// unconfirmed warns if plain go test has not confirmed all of the listed survivors.
func (m *markdown) unconfirmed(list []*results.Mutant) {
	switch {
	case !slices.ContainsFunc(list, func(one *results.Mutant) bool { return !one.Verified }):
	case slices.ContainsFunc(m.selection.Open, finding.Finding.AboutMutants):
		m.paragraph("Only the findings above were confirmed with plain `go test`.")
	default:
		m.paragraph("None of these was confirmed with plain `go test`.")
	}
}

// survivors lists the survivors without an entry of their own by file, on at most maxSurvivors lines: those of changed
// lines, undone parts of the change, and, on at most maxElsewhere lines, those of other code.
func (m *markdown) survivors() {
	left := maxSurvivors
	m.survivorsByFile(m.selection.Folded, editsChanged, &left)
	m.survivorsByFile(m.selection.Undone, partsUndone, &left)
	left = min(left, maxElsewhere)
	m.survivorsByFile(m.selection.Elsewhere, editsElsewhere, &left)
	m.unconfirmed(slices.Concat(m.selection.Folded, m.selection.Elsewhere, m.selection.Undone))
}

// survivorsByFile writes a folded list for each file. Each line that it lists is taken off left, and it stops when none
// are left. edits puts a number of survivors into words.
func (m *markdown) survivorsByFile(list []*results.Mutant, edits func(int) string, left *int) {
	if len(list) > 0 && (m.detail >= noFolded || *left <= 0) {
		m.paragraph("N" + noTestOf(list)[1:] + " notices " + edits(len(list)) + "; results.json has them.")
		return
	}
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(one *results.Mutant) bool { return one.File != list[0].File })
		if n < 0 {
			n = len(list)
		}
		file := list[:n]
		list = list[n:]
		m.fold(prose.HTMLCode(file[0].File)+": "+noTestOf(file)+" notices "+edits(n), func() {
			groups := byLine(file)
			shown := min(len(groups), max(*left, 1))
			*left -= shown
			for _, g := range groups[:shown] {
				m.WriteString("- " + story.FoldedLine(g).Markdown() + "\n")
			}
			if more := len(groups) - shown; more > 0 {
				m.WriteString("- … and on " + prose.Plural(more, "more line", "more lines") + "; results.json has them\n")
			}
			m.WriteString("\n")
		})
		if *left <= 0 && len(list) > 0 {
			m.paragraph("Of other files: " + edits(len(list)) + "; results.json has them.")
			return
		}
	}
}

// noTestOf begins a sentence about what tests do not notice. If some did not run, it only speaks of those that did.
func noTestOf(list []*results.Mutant) string {
	if slices.ContainsFunc(list, func(m *results.Mutant) bool { return m.Evidence.OwnOnly || m.Evidence.Awaits }) {
		return "no test that ran"
	}
	return "no test"
}

// editsChanged counts edits of changed lines, editsElsewhere edits of other code, partsUndone undone parts of the
// change.
func editsChanged(n int) string {
	return prose.Plural(n, "edit of a changed line", "edits of changed lines")
}

func editsElsewhere(n int) string {
	return prose.Plural(n, "edit", "edits") + " of code that the change does not touch"
}

func partsUndone(n int) string {
	return prose.Plural(n, "undone part of the change", "undone parts of the change")
}

// corpus names a few of the new corpus entries, and says where all of them are. A review names only those that show
// something of the change.
func (m *markdown) corpus() {
	worth := finding.Worthwhile(m.results)
	all := len(worth)
	if !m.whole {
		worth = finding.OfChange(m.results, worth)
	}
	if len(worth) == 0 || m.detail >= headlinesOnly {
		return
	}
	m.fold(prose.Plural(all, "new corpus entry", "new corpus entries")+", in the artifact ("+prose.HTMLCode("git apply corpus.patch")+")", func() {
		for _, e := range worth[:min(len(worth), maxListed)] {
			m.WriteString("- " + story.EntryLine(m.results, e).Markdown() + "\n")
		}
		if more := all - min(len(worth), maxListed); more > 0 {
			m.WriteString("- … and " + prose.Count(int64(more)) + " more\n")
		}
		m.WriteString("\n")
	})
}

// counts writes what became of the mutants, in total and by function.
func (m *markdown) counts() {
	m.paragraph(story.Count(m.results).String() + ".")
	functions := story.ByFunction(m.results)
	if len(functions) == 0 || m.detail >= noFolded {
		return
	}
	m.fold("Mutants by function", func() {
		m.WriteString("| function | mutants | killed by tests | killed by fuzzing | survived | not run | others |\n|---|--:|--:|--:|--:|--:|--:|\n")
		for _, f := range functions[:min(len(functions), maxFunctions)] {
			t := f.Tally
			m.WriteString("| " + prose.Cell(f.Name) + " | " + prose.Exact(t.Total) + " | " + prose.Exact(t.ByTests) + " | " + prose.Exact(t.ByFuzzing) + " | " +
				prose.Exact(t.Exposed+t.Survived) + " | " + prose.Exact(t.NotRun) + " | " + prose.Exact(t.Equivalent+t.Unviable+t.Ignored) + " |\n")
		}
		m.WriteString("\n")
		if more := len(functions) - maxFunctions; more > 0 {
			m.paragraph("… and " + prose.Plural(more, "more function", "more functions"))
		}
	})
}

// skeletons offers fuzz targets for functions that nothing reaches.
func (m *markdown) skeletons() {
	all := m.results.Skeletons
	if len(all) == 0 {
		return
	}
	if m.detail >= noSkeletons {
		m.paragraph("No fuzz target reaches " + prose.Plural(len(all), "function", "functions") + " in scope.")
		return
	}
	for _, s := range all[:min(len(all), maxListed)] {
		m.paragraph(prose.Say("**No fuzz target reaches** %s.", fact.FunctionName(m.results, s.Function)).Markdown())
		m.fold("A target to start from, for "+prose.HTMLCode(s.File), func() {
			m.source(s.Source)
		})
	}
	if more := len(all) - maxListed; more > 0 {
		m.paragraph("Nor " + prose.Plural(more, "more function", "more functions") + "; results.json has targets to start from.")
	}
}

// undriven says why functions have no driver.
func (m *markdown) undriven() {
	all := m.results.Undriven
	if len(all) == 0 || m.detail >= noSkeletons {
		return
	}
	m.fold(prose.Plural(len(all), "function", "functions")+" without a generated driver", func() {
		for _, u := range all[:min(len(all), maxListed)] {
			m.WriteString("- " + prose.Code(fact.FunctionName(m.results, u.Function)) + ": " + prose.Code(u.Why) + "\n")
		}
		if more := len(all) - maxListed; more > 0 {
			m.WriteString("- … and " + prose.Count(int64(more)) + " more\n")
		}
		m.WriteString("\n")
	})
}

// notes lists the warnings of the run.
func (m *markdown) notes() {
	all := m.results.Warnings
	if len(all) == 0 || m.detail >= noSkeletons {
		return
	}
	m.fold(prose.Plural(len(all), "note on the run", "notes on the run"), func() {
		for _, w := range all[:min(len(all), maxNotes)] {
			m.WriteString("- " + prose.Code(w) + "\n")
		}
		if more := len(all) - maxNotes; more > 0 {
			m.WriteString("- … and " + prose.Count(int64(more)) + " more\n")
		}
		m.WriteString("\n")
	})
}
