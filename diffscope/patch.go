package diffscope

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// change is one Go file that differs between base and head.
type change struct {
	oldName, name string // relative to the root, slash-separated; empty: no such file on that side
	base, head    []byte
}

// patch turns a unified diff into changes against one source tree.
type patch struct {
	tree   string // absolute
	dir    string // absolute, in tree: where the diff may have been made; empty: git made it at the top
	notes  *notes
	rename func(name string) string // from a name in the diff to one relative to tree

	replaced map[string]bool // names in the diff of files that head has as another kind of file
}

// changes parses diff and returns the Go files that it changes. The tree must be in the state after the diff: the
// base is rebuilt by applying the diff backwards.
func (p patch) changes(diff []byte) ([]change, error) {
	files, preamble, err := gitdiff.Parse(bytes.NewReader(diff))
	if err != nil {
		return nil, &Error{Kind: BrokenDiff, Msg: "the diff cannot be parsed", Err: err,
			Hint: "make it with git diff, and check that it is complete"}
	}
	if len(files) == 0 && strings.TrimSpace(preamble) != "" {
		return nil, fail(BrokenDiff, "make it with git diff or diff -u", "no file header in the diff: not a unified diff")
	}
	files = slices.DeleteFunc(files, func(f *gitdiff.File) bool {
		return !strings.HasSuffix(f.OldName, ".go") && !strings.HasSuffix(f.NewName, ".go")
	})
	p.rename = p.naming(files)
	if err := p.checkNames(files); err != nil {
		return nil, err
	}
	var changes []change
	for _, f := range files {
		c, err := p.change(f)
		if err != nil {
			return nil, err
		}
		if c != nil {
			changes = append(changes, *c)
		}
	}
	return changes, nil
}

// checkNames rejects diffs that lead out of the tree. It also rejects those that change a file twice, as a series of
// patches does: its first patch does not lead to the tree. It records files that became another kind of file, which
// git writes as one deleted file and one new one.
func (p *patch) checkNames(files []*gitdiff.File) error {
	seen := map[string]*gitdiff.File{}
	p.replaced = map[string]bool{}
	for _, f := range files {
		name := cmp.Or(f.NewName, f.OldName)
		if !filepath.IsLocal(filepath.FromSlash(p.rename(name))) {
			return fail(BrokenDiff, "make it with git diff in the repository", "the diff changes %q, which is outside the source tree", name)
		}
		switch before := seen[name]; {
		case before == nil:
			seen[name] = f
		case before.IsDelete && f.IsNew:
			p.replaced[name] = true
		default:
			return fail(BrokenDiff, "make one diff of the whole change with git diff",
				"the diff changes %s more than once: it is a series of patches", name)
		}
	}
	return nil
}

// change returns the change of one file, or nil if no text changed.
func (p patch) change(f *gitdiff.File) (*change, error) {
	if f.IsDelete {
		return p.deletion(f)
	}
	if len(f.TextFragments) == 0 && f.OldName == f.NewName && !f.IsBinary {
		return nil, nil // only the mode changed, or the time in git's index
	}
	name := p.rename(f.NewName)
	path := filepath.Join(p.tree, filepath.FromSlash(name))
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fail(DiffMismatch, mismatchHint, "the diff changes %s, which is not in the source tree", f.NewName)
	}
	if err != nil {
		return nil, err
	}
	if f.IsBinary || !info.Mode().IsRegular() {
		p.notes.add("no text, left alone", name)
		return nil, nil
	}
	head, err := regular.Source(path)
	if err != nil {
		return nil, err
	}
	r := reverser{name: name, lines: splitLines(head)}
	if err := r.all(f.TextFragments); err != nil {
		return nil, err
	}
	if f.IsNew {
		if len(r.base) != 0 {
			return nil, fail(DiffMismatch, mismatchHint, "the diff adds %s, but the file has more lines than the diff", name)
		}
		return &change{name: name, head: head}, nil
	}
	switch {
	case f.IsCopy || !strings.HasSuffix(f.OldName, ".go"):
		return &change{name: name, head: head}, nil
	case !strings.HasSuffix(f.NewName, ".go"): // it is no longer Go
		return &change{oldName: p.rename(f.OldName), base: r.base}, nil
	}
	oldName := name
	if f.OldName != f.NewName {
		oldName = p.rename(f.OldName)
	}
	return &change{oldName: oldName, name: name, base: r.base, head: head}, nil
}

// deletion returns the change of a file that head does not have.
func (p patch) deletion(f *gitdiff.File) (*change, error) {
	name := p.rename(f.OldName)
	// A file that git itself calls deleted may still exist, untracked.
	if p.dir != "" && p.exists(name) && !p.replaced[f.OldName] {
		return nil, fail(DiffMismatch, mismatchHint, "the diff deletes %s, which is still in the source tree", name)
	}
	r := reverser{name: name}
	if err := r.all(f.TextFragments); err != nil {
		return nil, err
	}
	return &change{oldName: name, base: r.base}, nil
}

const mismatchHint = "the diff may be out of date with this source tree; make it anew, or check out what it leads to"

// reverser applies the fragments of a file's diff backwards.
type reverser struct {
	name  string
	lines [][]byte // of head
	next  int      // first line of head not yet dealt with
	base  []byte
}

// all applies every fragment and copies what follows the last.
func (r *reverser) all(fragments []*gitdiff.TextFragment) error {
	for _, f := range fragments {
		if err := r.fragment(f); err != nil {
			return err
		}
	}
	r.copyTo(len(r.lines))
	return nil
}

func (r *reverser) fragment(f *gitdiff.TextFragment) error {
	start := f.NewPosition - 1
	if f.NewLines == 0 {
		start++ // NewPosition is then the line before
	}
	if start < int64(r.next) {
		return fail(BrokenDiff, "make it with git diff", "the diff of %s has fragments out of order at %s", r.name, f.Header())
	}
	if start > int64(len(r.lines)) {
		return fail(DiffMismatch, mismatchHint, "the diff of %s refers to line %d, but the file has only %d", r.name, f.NewPosition, len(r.lines))
	}
	r.copyTo(int(start))
	for _, line := range f.Lines {
		if err := r.expect(line); err != nil {
			return err
		}
		switch line.Op {
		case gitdiff.OpContext:
			r.copyTo(r.next + 1)
		case gitdiff.OpAdd:
			r.next++
		case gitdiff.OpDelete:
			r.base = append(r.base, line.Line...)
		}
	}
	return nil
}

// expect checks that head has the line where the diff says so. Line endings
// may differ: git converts them on the way into the working tree.
func (r *reverser) expect(line gitdiff.Line) error {
	if !line.New() {
		return nil
	}
	found := "the end of the file"
	if r.next < len(r.lines) {
		text := string(r.lines[r.next])
		if strings.TrimRight(text, "\r\n") == strings.TrimRight(line.Line, "\r\n") {
			return nil
		}
		found = fmt.Sprintf("%q", strings.TrimRight(text, "\r\n"))
	}
	return fail(DiffMismatch, mismatchHint, "%s:%d: the diff has %q, the source tree has %s",
		r.name, r.next+1, strings.TrimRight(line.Line, "\r\n"), found)
}

// copyTo copies head's lines up to, but without, index end.
func (r *reverser) copyTo(end int) {
	for ; r.next < end; r.next++ {
		r.base = append(r.base, r.lines[r.next]...)
	}
}

// splitLines splits text after each newline. The last line may lack one.
func splitLines(text []byte) [][]byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	return lines
}
