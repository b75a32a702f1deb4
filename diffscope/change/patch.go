package change

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// patch turns a unified diff into changed files of one source tree.
type patch struct {
	tree   string // absolute
	dir    string // absolute, in tree: where the diff may have been made; empty: git made it at the top
	note   func(reason, name string)
	rename func(name string) string // from a name in the diff to one relative to tree

	replaced map[string]bool // names in the diff of files that head has as another kind of file
}

// files parses diff and returns the Go files that it changes. The tree must be in the state after the diff: the
// base is rebuilt by applying the diff backwards.
func (p patch) files(diff []byte) ([]File, error) {
	parsed, preamble, err := gitdiff.Parse(bytes.NewReader(diff))
	if err != nil {
		return nil, &fault.Error{Kind: fault.BrokenDiff, Msg: "the diff cannot be parsed", Err: err,
			Hint: "make it with git diff, and check that it is complete"}
	}
	if len(parsed) == 0 && strings.TrimSpace(preamble) != "" {
		return nil, fault.New(fault.BrokenDiff, "make it with git diff or diff -u", "no file header in the diff: not a unified diff")
	}
	parsed = slices.DeleteFunc(parsed, func(f *gitdiff.File) bool {
		return !strings.HasSuffix(f.OldName, ".go") && !strings.HasSuffix(f.NewName, ".go")
	})
	p.rename = p.naming(parsed)
	if err := p.checkNames(parsed); err != nil {
		return nil, err
	}
	var files []File
	for _, f := range parsed {
		file, err := p.file(f)
		if err != nil {
			return nil, err
		}
		if file != nil {
			files = append(files, *file)
		}
	}
	return files, nil
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
			return fault.New(fault.BrokenDiff, "make it with git diff in the repository", "the diff changes %q, which is outside the source tree", name)
		}
		switch before := seen[name]; {
		case before == nil:
			seen[name] = f
		case before.IsDelete && f.IsNew:
			p.replaced[name] = true
		default:
			return fault.New(fault.BrokenDiff, "make one diff of the whole change with git diff",
				"the diff changes %s more than once: it is a series of patches", name)
		}
	}
	return nil
}

// file returns one changed file, or nil if no text changed.
func (p patch) file(f *gitdiff.File) (*File, error) {
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
		return nil, fault.New(fault.DiffMismatch, mismatchHint, "the diff changes %s, which is not in the source tree", f.NewName)
	}
	if err != nil {
		return nil, err
	}
	if f.IsBinary || !info.Mode().IsRegular() {
		p.note("no text, left alone", name)
		return nil, nil
	}
	head, err := regular.Source(path)
	if err != nil {
		return nil, err
	}
	r := reverser{name: name, lines: slices.Collect(bytes.Lines(head))}
	if err := r.all(f.TextFragments); err != nil {
		return nil, err
	}
	if f.IsNew {
		if len(r.base) != 0 {
			return nil, fault.New(fault.DiffMismatch, mismatchHint, "the diff adds %s, but the file has more lines than the diff", name)
		}
		return &File{Name: name, Head: head}, nil
	}
	switch {
	case f.IsCopy || !strings.HasSuffix(f.OldName, ".go"):
		return &File{Name: name, Head: head}, nil
	case !strings.HasSuffix(f.NewName, ".go"): // it is no longer Go
		return &File{OldName: p.rename(f.OldName), Base: r.base}, nil
	}
	oldName := name
	if f.OldName != f.NewName {
		oldName = p.rename(f.OldName)
	}
	return &File{OldName: oldName, Name: name, Base: r.base, Head: head}, nil
}

// deletion returns a file that head does not have.
func (p patch) deletion(f *gitdiff.File) (*File, error) {
	name := p.rename(f.OldName)
	// A file that git itself calls deleted may still exist, untracked.
	if p.dir != "" && p.exists(name) && !p.replaced[f.OldName] {
		return nil, fault.New(fault.DiffMismatch, mismatchHint, "the diff deletes %s, which is still in the source tree", name)
	}
	r := reverser{name: name}
	if err := r.all(f.TextFragments); err != nil {
		return nil, err
	}
	return &File{OldName: name, Base: r.base}, nil
}

const mismatchHint = "the diff may be out of date with this source tree; make it anew, or check out what it leads to"
