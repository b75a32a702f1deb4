package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
	"github.com/mutantfuzz/mutantfuzz/report/story"
)

// elsewhere counts the survivors that nobody has to look at, and says which list has them. It is empty if there are
// none.
func elsewhere(s *finding.Selection, list string) string {
	var counts []string
	if n := len(s.Elsewhere); n > 0 {
		counts = append(counts, editsElsewhere(n))
	}
	if n := len(s.Undone); n > 0 {
		counts = append(counts, partsUndone(n))
	}
	if len(counts) == 0 {
		return ""
	}
	tests := noTestOf(slices.Concat(s.Elsewhere, s.Undone))
	return "N" + tests[1:] + " notices " + strings.Join(counts, ", or ") + ", either (" + list + " has them)."
}

// TextOptions control the terminal output. The zero value is ready to use.
type TextOptions struct {
	Color bool // ANSI colours
	Width int  // column at which sentences are wrapped; 0: 80
}

const maxTextFolded = 15 // lines with survivors in the list of others

// Text writes a summary of r for a terminal to w. It shows what a first review would, and adds the scores, which a
// review leaves out. The error comes from w.
func Text(w io.Writer, r *results.Results, o TextOptions) error {
	s := finding.Select(r, nil, 0)
	t := newText(o)
	t.line(t.bold("mutantfuzz: " + t.plain(story.Headline(r, &s))))
	t.wrap(prose.Say(story.Scope(r)))
	t.wrap(prose.Say(story.Count(r).String()))
	t.wrap(prose.Say(story.Effort(r)))
	if line := scores(r); line != "" {
		t.wrap(prose.Say(line))
	}
	if v := story.Verdict(r); v != "" {
		t.wrap(prose.Say(v))
	}
	t.apart(story.Flaky(r, &s))
	t.apart(story.Failing(r))
	for i, f := range s.Open {
		t.finding(r, i+1, f)
	}
	t.apart(story.Agreement(r, s.Open))
	t.apart(story.Altered(r, s.Open))
	t.apart(story.NewTests(r))
	if len(s.Doubtful) > 0 {
		t.apart(story.Quarantined(r, &s))
	}
	t.apart(story.Awaited(r))
	t.old(r)
	t.onBase(r, &s)
	t.folded(&s)
	t.corpus(r)
	t.skeletons(r)
	t.undriven(r)
	t.notes(r)
	_, err := io.WriteString(w, t.String())
	return err
}

// scores returns the two scores in words, or "" if nothing was judged. It computes them from the mutants, so that they
// agree with the counts.
func scores(r *results.Results) string {
	t := story.Count(r)
	if t.Judged() == 0 {
		return ""
	}
	percent := func(n int) float64 { return 100 * float64(n) / float64(t.Judged()) }
	killed := t.ByTests + t.ByFuzzing
	line := fmt.Sprintf("test score %.0f %%, differential score %.0f %%", percent(killed), percent(killed+t.Exposed))
	if t.NotRun > 0 { // kills are found first, so judging the rest would lower the scores
		line += " of the " + prose.Exact(t.Judged()) + " judged"
	}
	return line
}

// text is a terminal text under construction.
type text struct {
	strings.Builder
	options TextOptions
}

func newText(o TextOptions) *text {
	if o.Width <= 0 {
		o.Width = 80
	}
	return &text{options: o}
}

func (t *text) line(s string) { t.WriteString(s + "\n") }

func (t *text) bold(s string) string { return t.color("1", s) }

func (t *text) red(s string) string { return t.color("31", s) }

func (t *text) green(s string) string { return t.color("32", s) }

// color returns s in an ANSI rendition (ECMA-48, SGR), if colours are wanted.
func (t *text) color(sgr, s string) string {
	if !t.options.Color {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

// apart writes a paragraph after a blank line, unless it is empty.
func (t *text) apart(p prose.Text) {
	if len(p) > 0 {
		t.line("")
		t.wrap(p)
	}
}

// plain returns p in the form in which it is shown.
func (t *text) plain(p prose.Text) string { return p.Plain(t.marks()) }

// marks returns what surrounds foreign text: the codes for cyan, or quotation marks.
func (t *text) marks() (open, end string) {
	if t.options.Color {
		return "\x1b[36m", "\x1b[0m"
	}
	return prose.OpenMark, prose.EndMark
}

// wrap writes p, unless it is empty, in lines that fit the width if possible.
func (t *text) wrap(p prose.Text) {
	if len(p) == 0 {
		return
	}
	open, end := t.marks()
	t.line(p.Wrapped(t.options.Width, open, end))
}

// block writes source code indented.
func (t *text) block(source string) {
	for line := range strings.Lines(prose.ManyLines(source)) {
		t.line("    " + strings.TrimRight(line, "\n"))
	}
}

func (t *text) diff(lines []string) {
	for _, line := range lines {
		line = prose.ManyLines(line)
		switch {
		case strings.HasPrefix(line, "-"):
			t.line("    " + t.red(line))
		case strings.HasPrefix(line, "+"):
			t.line("    " + t.green(line))
		default:
			t.line("    " + line)
		}
	}
}

func (t *text) finding(r *results.Results, number int, f finding.Finding) {
	s := story.Of(r, f)
	t.line("")
	t.line(t.bold(prose.Exact(number)+". "+s.Label) + ": " + s.Title.Plain("", ""))
	if s.Place != "" {
		t.line("    " + prose.Inline(s.Place))
	}
	if len(s.Mends) > 0 {
		t.wrap(s.Claim.And(s.Mends).And(s.Drawn))
	} else if len(s.Change) > 0 {
		t.wrap(s.Drawn)
	}
	t.diff(s.Change)
	if s.Code != "" {
		t.block(prose.Source(s.Code))
	}
	if len(s.Mends) == 0 {
		t.wrap(s.Claim)
	}
	t.rows(s)
	t.wrap(s.Witness.And(s.Ask))
	t.wrap(s.Next)
}

// rows lists the edits of a finding.
func (t *text) rows(s story.Story) {
	for _, one := range s.Rows {
		t.line("  " + t.plain(one.Place().And(one.Edit)))
		if shows := one.Shows(); len(shows) > 0 {
			t.line("      " + t.plain(shows))
		}
	}
	if s.More > 0 {
		t.line("  … and " + prose.Plural(s.More, "more edit", "more edits"))
	}
}

// old names the tests that fail in their old form without being findings.
func (t *text) old(r *results.Results) {
	list := story.OldTests(r)
	if len(list) == 0 {
		return
	}
	t.line("")
	t.wrap(story.OldTestsTitle(list))
	for _, one := range list[:min(len(list), maxFolded)] {
		if len(list) > 1 {
			t.line("  " + t.plain(story.OldLine(one)))
		}
	}
}

// onBase lists the failures that the base may have, too.
func (t *text) onBase(r *results.Results, s *finding.Selection) {
	if len(s.OnBase) == 0 {
		return
	}
	t.line("")
	t.line(t.bold(story.OlderTitle(s.OnBase)))
	for _, f := range s.OnBase[:min(len(s.OnBase), maxFolded)] {
		t.line("  " + t.plain(story.OlderLine(r, f)))
	}
}

func (t *text) folded(s *finding.Selection) {
	if counts := elsewhere(s, "results.json"); counts != "" {
		defer func() { t.wrap(prose.Say(counts)) }()
	}
	rest := s.Untold()
	if len(rest) == 0 {
		return
	}
	t.line("")
	t.line(t.bold(story.FoldedTitle(s, rest)))
	groups := byLine(rest)
	for _, g := range groups[:min(len(groups), maxTextFolded)] {
		t.line("  " + t.plain(story.FoldedLine(g)))
	}
	if more := len(groups) - maxTextFolded; more > 0 {
		t.line("  … and on " + prose.Plural(more, "more line", "more lines") + "; results.json has them")
	}
}

func (t *text) corpus(r *results.Results) {
	worth := finding.Worthwhile(r)
	if len(worth) == 0 {
		return
	}
	t.line("")
	t.line(t.bold("New corpus entries") + ": " + prose.Exact(len(worth)) + ", in corpus.patch (git apply)")
	for _, e := range worth[:min(len(worth), maxListed)] {
		t.line("  " + t.plain(story.EntryLine(r, e)))
	}
}

func (t *text) skeletons(r *results.Results) {
	if len(r.Skeletons) == 0 {
		return
	}
	t.line("")
	t.line(t.bold("Functions that no fuzz target reaches") + " (results.json has targets to start from)")
	for _, s := range r.Skeletons {
		t.line("  " + t.plain(prose.Say("%s", fact.FunctionName(r, s.Function))))
	}
}

// undriven says why functions have no driver.
func (t *text) undriven(r *results.Results) {
	if len(r.Undriven) == 0 {
		return
	}
	t.line("")
	t.line(t.bold("Functions without a generated driver"))
	for _, u := range r.Undriven[:min(len(r.Undriven), maxListed)] {
		t.line("  " + t.plain(prose.Say("%s: %s", fact.FunctionName(r, u.Function), u.Why)))
	}
	if more := len(r.Undriven) - maxListed; more > 0 {
		t.line("  … and " + prose.Exact(more) + " more")
	}
}

func (t *text) notes(r *results.Results) {
	if len(r.Warnings) == 0 {
		return
	}
	t.line("")
	for _, warning := range r.Warnings {
		t.wrap(prose.Say("note: %s", warning))
	}
}
