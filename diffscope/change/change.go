// Package change finds the Go files that a change alters, with their text before and after. The change is a diff
// between two revisions, of a working tree, or from a file; a diff is applied backwards to get the text before.
package change

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Source says where a change comes from. Without Base, Head, Diff and All it is the difference between the working tree
// and its merge base with the default branch.
type Source struct {
	Dir      string   // any folder of the repository; empty: "."
	Base     string   // revision; empty: the event's base SHA, else origin/HEAD
	Head     string   // revision; empty: the working tree with untracked, not ignored files
	Event    string   // path of a CI event file with pull_request.base.sha; empty: none
	Diff     []byte   // a unified diff to use instead of revisions, if HaveDiff is set
	HaveDiff bool     // use Diff, which may be empty
	All      bool     // no change is wanted, only the tree at head
	Env      []string // environment for git; nil: os.Environ()
	// Note is called with the name of each file that is left alone, and the reason. Only RootFile does without it.
	Note func(reason, name string)
	// Made, if not nil, is called with the absolute path of the folder for scratch checkouts as soon as the folder
	// exists. The caller can then remove it even if Close is never called.
	Made func(dir string)
}

// Change is a change to a source tree.
type Change struct {
	Root      string            // absolute: git's top level, else the folder of go.work or go.mod, else Source.Dir
	Tree      string            // absolute: where head's files are; Root, or a scratch checkout of Source.Head
	Dir       string            // absolute: Source.Dir within Tree
	Revisions results.Revisions // Head is also set for a working tree that equals HEAD
	Files     []File            // the changed Go files
	Data      []string          // names of other changed files, slash-separated: at most maxData, none if a diff is given

	source  Source
	git     git
	scratch string // folder of the scratch checkouts; empty: none
}

// File is one Go file that differs between base and head.
type File struct {
	OldName, Name string // at base and head, relative to the root, slash-separated; empty: no such file on that side
	Base, Head    []byte // its text; nil where there is no such file
}

// Read finds the change that a source gives. The caller must close it. Errors that the user can do something about are
// of type *[fault.Error].
func Read(ctx context.Context, source Source) (*Change, error) {
	c := &Change{source: source}
	if err := c.read(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Close removes the scratch checkouts.
func (c *Change) Close() error {
	if c.scratch == "" {
		return nil
	}
	return os.RemoveAll(c.scratch)
}

// read finds the root and the revisions, checks out head if it is a revision, and reads the files.
func (c *Change) read(ctx context.Context) (err error) {
	if err = c.locate(); err != nil {
		return err
	}
	if err = c.resolveRevisions(ctx); err != nil {
		return err
	}
	if err = c.enterHead(ctx); err != nil {
		return err
	}
	c.Files, err = c.files(ctx)
	return err
}

// locate finds the root, and the folder below it.
func (c *Change) locate() error {
	if c.source.HaveDiff && (c.source.Base != "" || c.source.All) || c.source.All && c.source.Base != "" {
		return fault.New(fault.BadConfig, "leave out all but one", "a base revision, a diff and all functions exclude each other")
	}
	dir := c.source.Dir
	if dir == "" {
		dir = "."
	}
	root, repo, err := gotool.Root(dir)
	if err != nil {
		return badFolder(err)
	}
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return err
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return fault.New(fault.BadConfig, "-C takes a folder of the repository", "%s is not a folder", dir)
	}
	c.Root, c.Tree, c.Dir = root, root, abs
	c.git = git{root: root, env: c.source.Env}
	needsGit := c.source.Head != "" || !c.source.All && !c.source.HaveDiff
	if needsGit && !repo {
		return fault.New(fault.NotRepository, "run it inside a clone, pass the change with --diff, or take every function with --all",
			"%s is not in a git repository", abs)
	}
	return nil
}

// files returns the changed Go files, from whichever source.
func (c *Change) files(ctx context.Context) ([]File, error) {
	p := patch{tree: c.Tree, note: c.source.Note}
	switch {
	case c.source.All:
		return nil, nil
	case c.source.HaveDiff:
		p.dir = c.Dir
		diff, err := normalise(c.source.Diff)
		if err != nil {
			return nil, err
		}
		return p.files(diff)
	}
	r := &c.Revisions
	diff, err := c.git.diff(ctx, r.MergeBase, r.Head)
	if err != nil {
		return nil, err
	}
	if c.Data, err = c.git.data(ctx, r.MergeBase, r.Head); err != nil {
		return nil, err
	}
	r.OtherTests = c.git.otherTests(ctx, r.Head)
	files, err := p.files(diff)
	if err != nil || r.Head != "" {
		return files, err
	}
	return c.addUntracked(ctx, files)
}

// addUntracked adds the working tree's new files. If there are none, and no tracked file differs from HEAD, it
// records HEAD as head.
func (c *Change) addUntracked(ctx context.Context, files []File) ([]File, error) {
	names, err := c.git.untracked(ctx, "*.go")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		path := filepath.Join(c.Tree, filepath.FromSlash(name))
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		head, err := regular.Source(path)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(files, func(f File) bool { return f.Name == "" && f.OldName == name }); i >= 0 {
			files[i].Name, files[i].Head = name, head // after git rm --cached
			continue
		}
		files = append(files, File{Name: name, Head: head})
	}
	if len(names) == 0 && c.git.pristine(ctx) {
		c.Revisions.Head, err = c.git.revision(ctx, "HEAD")
	}
	return files, err
}
