package review

import (
	"context"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
	"github.com/google/go-github/v60/github"

	"github.com/mutantfuzz/mutantfuzz/report"
)

// diff is what a pull request changes, by the names that files have at its head. GitHub takes
// comments on what is in it and nothing else.
type diff map[string]*fileDiff

// fileDiff is the change of one file. Of large files GitHub does not say which lines it is: then
// there are no hunks.
type fileDiff struct {
	hunks []hunk
	lines map[string]bool // texts of lines, before and after
}

// hunk are consecutive lines at head that the diff has: added ones, and those around them.
type hunk struct {
	first int      // number of the first line, from 1
	lines []string // without line feeds
}

// parsePatch reads the hunks of one file, as GitHub's list of changed files has them. What
// cannot be read has no hunks.
func parsePatch(patch string) *fileDiff {
	f := &fileDiff{lines: map[string]bool{}}
	// The name is no matter, but there has to be one.
	files, _, err := gitdiff.Parse(strings.NewReader("--- a/x\n+++ b/x\n" + patch + "\n"))
	if err != nil || len(files) != 1 {
		return f
	}
	for _, fragment := range files[0].TextFragments {
		h := hunk{first: int(fragment.NewPosition)}
		for _, line := range fragment.Lines {
			text := strings.TrimSuffix(line.Line, "\n")
			f.lines[text] = true
			if line.New() {
				h.lines = append(h.lines, text)
			}
		}
		f.hunks = append(f.hunks, h)
	}
	return f
}

// within returns the lines first to last, if all of them are in one hunk.
func (f *fileDiff) within(first, last int) (lines []string, ok bool) {
	for _, h := range f.hunks {
		if from, to := first-h.first, last-h.first; from >= 0 && from <= to && to < len(h.lines) {
			return h.lines[from : to+1], true
		}
	}
	return nil, false
}

// takes reports whether GitHub can offer to mend what was found: the lines to be replaced are
// those of the diff, and all that a click would put there is in the diff already. So results that
// were forged can make nobody take over foreign code.
func (f *fileDiff) takes(m *report.Mend) bool {
	lines, ok := f.within(m.Line, m.EndLine())
	if !ok || strings.Join(lines, "\n") != strings.Join(m.Old, "\n") {
		return false
	}
	for _, line := range m.New {
		if !f.lines[line] {
			return false
		}
	}
	return true
}

// place is where a comment stands.
type place struct {
	file        string
	first, last int  // lines at head; 0: the file as a whole
	suggest     bool // the lines are those that a suggestion replaces
}

// places are where the diff has room for a comment, the best first.
func (d diff) places(c *report.Comment) (list []place) {
	f := d[c.File]
	if f == nil {
		return nil
	}
	if c.Mend != nil && f.takes(c.Mend) {
		list = append(list, place{c.File, c.Mend.Line, c.Mend.EndLine(), true})
	}
	if _, ok := f.within(c.Line, c.EndLine); ok {
		list = append(list, place{c.File, c.Line, c.EndLine, false})
	} else if _, ok := f.within(c.Edit, c.Edit); ok {
		list = append(list, place{c.File, c.Edit, c.Edit, false})
	}
	return append(list[:min(len(list), 1)], place{file: c.File})
}

// diff asks for the change of a pull request.
func (p *poster) diff(ctx context.Context, pr int) (diff, error) {
	d := diff{}
	options := &github.ListOptions{PerPage: 100}
	for {
		files, response, err := p.client.PullRequests.ListFiles(ctx, p.owner, p.repo, pr, options)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if f.GetStatus() != "removed" {
				d[f.GetFilename()] = parsePatch(f.GetPatch())
			}
		}
		if response.NextPage == 0 {
			return d, nil
		}
		options.Page = response.NextPage
	}
}
