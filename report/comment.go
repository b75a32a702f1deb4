package report

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
	"github.com/mutantfuzz/mutantfuzz/report/story"
)

// Comment is an open finding that can be shown beside the lines that it is about instead of in the body of the review.
type Comment struct {
	Key  string // of the finding
	File string // as in the results: untrusted text
	// Line and EndLine count from 1, and EndLine is not before Line. In forged results they may be out of range.
	Line, EndLine int
	// Edit is the line, within that range, on which the first edit begins. It serves if the diff does not hold the
	// whole range.
	Edit int
	// Mend fixes the finding in a form that a reader can apply with a click; nil: no such fix is known.
	Mend *Mend

	story story.Story
}

// Mend replaces complete lines of a comment's file, which undoes a part of the change and so fixes the finding. Old and
// New hold the lines without line breaks.
type Mend struct {
	Line int      // number of the first line, from 1
	Old  []string // the current lines; at least one
	New  []string // the lines to replace them with; may be empty
}

// EndLine returns the number of the last line of Old.
func (m *Mend) EndLine() int { return m.Line + len(m.Old) - 1 }

// Comments returns the open findings of s that have a place in the source, in the order of s. s is a selection of r.
func Comments(r *results.Results, s *finding.Selection) []Comment {
	var list []Comment
	for _, f := range s.Open {
		file, first, last, known := f.At(r)
		if !known {
			continue
		}
		c := Comment{Key: f.Key, File: file, Line: first, EndLine: max(first, last), Edit: first, story: story.Of(r, f)}
		if f.Mutant != nil {
			c.Edit = f.Mutant.Line
		}
		if !f.AboutMutants() {
			c.Mend = mendOf(f.Mutant)
		}
		list = append(list, c)
	}
	return list
}

// maxSuggestion limits, in bytes, the text that a suggestion inserts.
const maxSuggestion = 4000

// mendOf returns what m does to whole lines, if m undoes a part of the change. It returns nil if the results do not
// have all of these lines, or if what readers see would differ from what a click inserts.
func mendOf(m *results.Mutant) *Mend {
	if m == nil || m.Category != results.CategoryReversal || m.Needs != nil {
		return nil
	}
	mutated, ok := edit.Applied(m)
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
	if slices.Equal(mend.Old, mend.New) || len(text) > maxSuggestion || !prose.ShownAsIs(text) {
		return nil
	}
	return mend
}

// Markdown returns the text of the comment, at most limit bytes long. limit must be at least 40,000, or 0 for
// DefaultLimit. With suggest, c.Mend becomes a suggestion: it must not be nil, and the comment must be placed on
// exactly its lines. Without suggest it becomes a diff.
func (c *Comment) Markdown(suggest bool, limit int) string {
	if limit <= 0 {
		limit = DefaultLimit
	}
	s := entry{Story: c.story}
	if suggest {
		s.suggestion = prose.Suggestion(c.Mend.New)
	}
	for d := everything; ; d++ {
		m := markdown{detail: d}
		m.paragraph("**" + s.Label + "**: " + s.Title.Markdown() + atPlace(s.Story))
		m.details(s)
		m.paragraph("<sub>not useful? reply " + prose.Code("ignore") + ", or react with 👎</sub>")
		if m.Len() <= limit || d == headlinesOnly {
			return strings.TrimRight(m.String(), "\n") + "\n"
		}
	}
}

// Farewell returns the text of a comment whose finding was shown earlier and is no longer open.
func Farewell(s finding.Shown) string { return fateLine(s) + "\n" }
