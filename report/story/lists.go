package story

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// OlderTitle returns the title of the list of failures that the base has, or may have, too.
func OlderTitle(list []finding.Finding) string {
	count := prose.Plural(len(list), "failure", "failures")
	if slices.ContainsFunc(list, func(f finding.Finding) bool { return f.Crash.Introduced != results.IntroducedNo }) {
		return count + " that the base has, or may have, too"
	}
	return count + prose.Noun(len(list), " that is", " that are") + " older than this change"
}

// OlderLine describes a failure that the base has, or may have, too.
func OlderLine(r *results.Results, f finding.Finding) prose.Text {
	p := prose.Say("%s "+crashVerb(f.Crash.Kind), failing(r, f.Crash)).And(onInput(r, f.Crash))
	if message := firstLine(f.Crash.Message); message != "" {
		p = p.Plus(":").And(prose.Say("%s", message))
	}
	return p
}

// FoldedTitle returns the title of the list of survivors that no finding shows.
func FoldedTitle(s *finding.Selection, rest []*results.Mutant) string {
	one, many := "edit", "edits"
	if len(s.Open) > 0 {
		one, many = "more "+one, "more "+many
	}
	if slices.ContainsFunc(rest, func(m *results.Mutant) bool { return m.Evidence.OnDiff || edit.IsReversal(m) }) { // else whole functions are in scope
		one, many = one+" of a changed line", many+" of changed lines"
	}
	title := prose.Plural(len(rest), one, many) + " that no test notices"
	if slices.ContainsFunc(rest, ownOnly) {
		title += ", not counting tests that could not run"
	}
	return title
}

// FoldedLine describes the survivors of one line by the first of them.
func FoldedLine(group []*results.Mutant) prose.Text {
	m := group[0]
	line := prose.Say("%s", edit.Place(m)).And(edit.Summary(m))
	var remarks []string
	if fact.Unrun(m) {
		remarks = append(remarks, UnrunBy(m)+" it")
	}
	if more := len(group) - 1; more > 0 {
		remarks = append(remarks, prose.Exact(more)+" more on this line")
	}
	if len(remarks) > 0 {
		line = line.And(prose.Say("(" + strings.Join(remarks, "; ") + ")"))
	}
	return line
}
