package report

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Comment is an open finding that can be told beside the lines it is about, instead of in the
// body of the review.
type Comment struct {
	Key           string // of the finding
	File          string // as the results name it: any text
	Line, EndLine int    // from 1, the latter not before the former; where the results are forged, anywhere
	// Edit is a line among these that the first edit begins on, for where the whole range is
	// too much.
	Edit int
	Mend *Mend // nil: nothing is known that mends what was found, in such a form that a click could make it

	story story
}

// Mend are the complete lines of a comment's file that undoing a part of the change replaces,
// so that what was found is mended. None of them has its line break.
type Mend struct {
	Line int      // number of the first line, from 1
	Old  []string // the lines as they are; at least one
	New  []string // the lines to have instead; may be none
}

// EndLine is the number of the last line of Old.
func (m *Mend) EndLine() int { return m.Line + len(m.Old) - 1 }

// Comments returns the open findings of s, a selection of r, that have a place in the source,
// in their order.
func Comments(r *results.Results, s *Selection) []Comment {
	var list []Comment
	for _, f := range s.Open {
		file, first, last, known := f.at(r)
		if !known {
			continue
		}
		c := Comment{Key: f.Key, File: file, Line: first, EndLine: max(first, last), Edit: first, story: storyOf(r, f).once(new(bool))}
		if f.Mutant != nil {
			c.Edit = f.Mutant.Line
		}
		if !f.aboutMutants() {
			c.Mend = mendOf(f.Mutant)
		}
		list = append(list, c)
	}
	return list
}

// maxSuggestion bounds what a click could make, in bytes.
const maxSuggestion = 4000

// mendOf is what m, which undoes a part of the change, does to whole lines. It is nil where the
// results do not have all of them, or where readers would see something else than what a click
// would make.
func mendOf(m *results.Mutant) *Mend {
	if m == nil || m.Category != results.CategoryReversal || m.Needs != nil {
		return nil
	}
	mutated, ok := inContext(m, m.Replacement)
	if !ok || m.EndLine-m.Line != strings.Count(m.Context, "\n") {
		return nil
	}
	mend := &Mend{Line: m.Line, Old: strings.Split(m.Context, "\n"), New: strings.Split(mutated, "\n")}
	for len(mend.Old) > 1 && len(mend.New) > 0 && mend.Old[0] == mend.New[0] {
		mend.Line, mend.Old, mend.New = mend.Line+1, mend.Old[1:], mend.New[1:]
	}
	for len(mend.Old) > 1 && len(mend.New) > 0 && mend.Old[len(mend.Old)-1] == mend.New[len(mend.New)-1] {
		mend.Old, mend.New = mend.Old[:len(mend.Old)-1], mend.New[:len(mend.New)-1]
	}
	text := strings.Join(mend.New, "\n")
	if slices.Equal(mend.Old, mend.New) || len(text) > maxSuggestion || limitRuns(manyLines(text)) != text {
		return nil
	}
	return mend
}

// suggestion is the block of Markdown with which GitHub offers to replace the commented lines.
func (m *Mend) suggestion() string {
	text := strings.Join(m.New, "\n")
	ticks := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	if len(m.New) > 0 {
		text += "\n"
	}
	return ticks + "suggestion\n" + text + ticks + "\n"
}

// Markdown returns the text of the comment, of up to limit bytes, from 40,000; 0: DefaultLimit.
// With suggest, what mends the finding, which has to be known, is offered as a suggestion: the
// comment then has to be on just the lines that Mend says. Else it is shown as a diff.
func (c *Comment) Markdown(suggest bool, limit int) string {
	if limit <= 0 {
		limit = DefaultLimit
	}
	s := c.story
	if suggest {
		s.suggestion = c.Mend.suggestion()
	}
	for d := everything; ; d++ {
		m := markdown{detail: d}
		m.paragraph("**" + s.label + "**: " + s.title.markdown() + s.at())
		m.details(s)
		m.paragraph("<sub>not useful? reply " + code("ignore") + ", or react with 👎</sub>")
		if m.Len() <= limit || d == headlinesOnly {
			return strings.TrimRight(m.String(), "\n") + "\n"
		}
	}
}

// Farewell is the text of the comment on a finding that was shown and is not open any more.
func Farewell(s Shown) string { return fateLine(s) + "\n" }
