package corpus

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// PatchFile is a file that a patch adds.
type PatchFile struct {
	Path string // slash-separated, relative to the repository's root
	Data []byte
}

// Patch returns a patch that adds files, in the order of their paths, for git apply or patch -p1. It is empty if there
// are no files. A path that is not below the root is an error.
func Patch(files []PatchFile) ([]byte, error) {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b PatchFile) int { return cmp.Compare(a.Path, b.Path) })
	var patch bytes.Buffer
	for _, f := range files {
		if !fs.ValidPath(f.Path) || f.Path == "." {
			return nil, fmt.Errorf("cannot put %q into a patch: not a path below the root", f.Path)
		}
		// A name with spaces ends in a tab, as git writes it: otherwise patch takes it to end at the first space.
		name := "\n+++ b/" + f.Path
		text := addition(f).String()
		if strings.Contains(f.Path, " ") {
			text = strings.Replace(text, name+"\n", name+"\t\n", 1)
		}
		patch.WriteString(text)
	}
	return patch.Bytes(), nil
}

func addition(f PatchFile) *gitdiff.File {
	file := &gitdiff.File{NewName: f.Path, IsNew: true, NewMode: 0o100644}
	if len(f.Data) == 0 {
		return file
	}
	var lines []gitdiff.Line
	for line := range bytes.Lines(f.Data) {
		lines = append(lines, gitdiff.Line{Op: gitdiff.OpAdd, Line: string(line)})
	}
	n := int64(len(lines))
	file.TextFragments = []*gitdiff.TextFragment{{NewPosition: 1, NewLines: n, LinesAdded: n, Lines: lines}}
	return file
}
