package review

import (
	"context"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
	"github.com/google/go-github/v60/github"

	"github.com/mutantfuzz/mutantfuzz/report"
)

// diff is what a pull request changes, by file name at its head. GitHub only accepts comments on lines of the diff, and
// on the files in it.
type diff map[string]*fileDiff

// fileDiff is the change of one file. It has no hunks if the file is large, because GitHub then omits the patch.
type fileDiff struct {
	hunks []hunk
	lines map[string]bool // text of all lines in the hunks, before and after
}

// hunk holds consecutive lines at head: added ones and their context.
type hunk struct {
	first int      // number of the first line, from 1
	lines []string // without line feeds
}

// parsePatch reads the patch of one file as given by GitHub's list of changed files. The result has no hunks if the
// patch cannot be read.
func parsePatch(patch string) *fileDiff {
	f := &fileDiff{lines: map[string]bool{}}
	// The name does not matter, but the parser requires one.
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

// within returns the lines first to last if one hunk has all of them.
func (f *fileDiff) within(first, last int) (lines []string, ok bool) {
	for _, h := range f.hunks {
		if from, to := first-h.first, last-h.first; from >= 0 && from <= to && to < len(h.lines) {
			return h.lines[from : to+1], true
		}
	}
	return nil, false
}

// takes reports whether a comment may offer m as a suggestion: the lines that it replaces are in the diff, and every
// line that it would insert is in the diff already. So nobody can be made to apply foreign code by forged results.
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

// place is a position of a comment.
type place struct {
	file        string
	first, last int  // line numbers at head; 0: the whole file
	suggest     bool // the comment is on exactly the lines that its suggestion replaces
}

// places returns where in the diff a comment can be placed: the best lines, if there are any, and then the whole file.
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

// diff requests the changes of a pull request.
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
