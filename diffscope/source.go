package diffscope

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// locate finds the root, resolves the revisions and checks out head if it is a revision.
func (f *finder) locate(ctx context.Context) error {
	if f.cfg.HaveDiff && (f.cfg.Base != "" || f.cfg.All) || f.cfg.All && f.cfg.Base != "" {
		return fail(BadConfig, "leave out all but one", "a base revision, a diff and all functions exclude each other")
	}
	dir := f.cfg.Dir
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
		return fail(BadConfig, "-C takes a folder of the repository", "%s is not a folder", dir)
	}
	f.scope.Root, f.scope.Tree, f.dir = root, root, abs
	f.git = git{root: root, env: f.cfg.Env}
	needsGit := f.cfg.Head != "" || !f.cfg.All && !f.cfg.HaveDiff
	if needsGit && !repo {
		return fail(NotRepository, "run it inside a clone, pass the change with --diff, or take every function with --all",
			"%s is not in a git repository", abs)
	}
	if err := f.resolveRevisions(ctx); err != nil {
		return err
	}
	return f.enterHead(ctx)
}

// resolveRevisions fills in the revisions. With a diff or all functions it sets only Head, if that was given.
func (f *finder) resolveRevisions(ctx context.Context) (err error) {
	r := &f.scope.Revisions
	if f.cfg.Head != "" {
		if r.Head, err = f.git.revision(ctx, f.cfg.Head); err != nil {
			return err
		}
	}
	if f.cfg.All || f.cfg.HaveDiff {
		return nil
	}
	base, err := f.base(ctx)
	if err != nil {
		return err
	}
	if r.Base, err = f.git.revision(ctx, base); err != nil {
		return err
	}
	head := r.Head
	if head == "" {
		if head, err = f.git.revision(ctx, "HEAD"); err != nil {
			return err
		}
	}
	if r.MergeBase, err = f.git.mergeBase(ctx, r.Base, head); err == nil {
		r.Fixes = f.git.fixes(ctx, r.MergeBase, head)
	}
	return err
}

// base returns the revision to compare with.
func (f *finder) base(ctx context.Context) (string, error) {
	if f.cfg.Base != "" {
		return f.cfg.Base, nil
	}
	base, err := eventBase(f.cfg.Event)
	if base != "" || err != nil {
		return base, err
	}
	const remote = "refs/remotes/origin/HEAD"
	_, err = f.git.revision(ctx, remote)
	if isKind(err, UnknownRevision) {
		return "", fail(NoBase, "pass --base REV, for example --base origin/main, or run git remote set-head origin --auto",
			"nothing says what to compare with: no base revision, no pull request event, no origin/HEAD")
	}
	return remote, err
}

// eventBase returns pull_request.base.sha of a CI event file, or "" if there is no file or the event is another one.
func eventBase(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	const hint = "pass --base REV, which comes before the event"
	data, err := os.ReadFile(file)
	if err != nil {
		return "", &Error{Kind: BadConfig, Msg: "cannot read the event", Err: err, Hint: hint}
	}
	var event struct {
		PullRequest struct {
			Base struct{ SHA string } `json:"base"`
		} `json:"pull_request"`
	}
	if err := json.Unmarshal(data, &event); err != nil {
		return "", &Error{Kind: BadConfig, Msg: "cannot read the event " + file, Err: err, Hint: hint}
	}
	return event.PullRequest.Base.SHA, nil
}

// enterHead checks head out if it is a revision, and makes the checkout the tree.
func (f *finder) enterHead(ctx context.Context) error {
	if f.cfg.Head == "" {
		return nil
	}
	rel, err := filepath.Rel(f.scope.Root, f.dir)
	if err != nil {
		return err
	}
	if f.scope.Tree, err = f.checkout(ctx, f.scope.Revisions.Head, "head"); err != nil {
		return err
	}
	f.dir = filepath.Join(f.scope.Tree, rel)
	if _, err := os.Stat(f.dir); err != nil {
		return fail(BadConfig, "choose a folder that exists at head", "there is no folder %s at %s", filepath.ToSlash(rel), f.cfg.Head)
	}
	return nil
}

// checkout writes a commit to a folder below scratch/name and returns that folder. The folder has the same name as
// the repository's, because tests may look for it in the paths of source files.
func (f *finder) checkout(ctx context.Context, commit, name string) (string, error) {
	if f.scope.scratch == "" {
		dir, err := filepath.Abs(os.TempDir())
		if err == nil {
			dir, err = os.MkdirTemp(dir, "mutantfuzz-")
		}
		if err != nil {
			return "", err
		}
		if f.scope.scratch = dir; f.cfg.Made != nil {
			f.cfg.Made(dir)
		}
		if f.scope.scratch, err = filepath.EvalSymlinks(dir); err != nil {
			return "", err
		}
	}
	outer := filepath.Join(f.scope.scratch, name)
	dir := filepath.Join(outer, filepath.Base(f.scope.Root))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	missing, err := f.git.checkout(ctx, commit, dir, outer+".index")
	for _, file := range missing {
		f.notes.add(notInClone, file)
	}
	return dir, err
}

// baseOfDiff writes the tree without the changes of a diff: the files of the commit, with the changed Go files as
// they were. It returns "" without git, or if the working tree has other changes.
func (f *finder) baseOfDiff(ctx context.Context, changes []change) (string, error) {
	head, err := f.git.revision(ctx, cmp.Or(f.scope.Revisions.Head, "HEAD"))
	if err != nil {
		return "", ctx.Err()
	}
	names := map[string]bool{}
	for _, c := range changes {
		names[c.oldName], names[c.name] = true, true
	}
	others, err := f.git.differing(ctx)
	if err != nil || f.scope.Revisions.Head == "" && slices.ContainsFunc(others, func(name string) bool { return !names[name] }) {
		return "", ctx.Err()
	}
	dir, err := f.checkout(ctx, head, "base")
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	for _, c := range changes {
		if c.name != "" && c.name != c.oldName {
			if err := root.Remove(filepath.FromSlash(c.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		}
	}
	for _, c := range changes {
		if c.oldName == "" {
			continue
		}
		name := filepath.FromSlash(c.oldName)
		if err := errors.Join(root.MkdirAll(filepath.Dir(name), 0o755), root.WriteFile(name, c.base, 0o644)); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// changes returns the changed Go files between base and head, from whichever source.
func (f *finder) changes(ctx context.Context) ([]change, error) {
	p := patch{tree: f.scope.Tree, notes: &f.notes}
	switch {
	case f.cfg.All:
		return nil, nil
	case f.cfg.HaveDiff:
		p.dir = f.dir
		diff, err := normalise(f.cfg.Diff)
		if err != nil {
			return nil, err
		}
		return p.changes(diff)
	}
	r := &f.scope.Revisions
	diff, err := f.git.diff(ctx, r.MergeBase, r.Head)
	if err != nil {
		return nil, err
	}
	changes, err := p.changes(diff)
	if err != nil || r.Head != "" {
		return changes, err
	}
	return f.addUntracked(ctx, changes)
}

// addUntracked adds the working tree's new files. If there are none, and no tracked file differs from HEAD, it
// records HEAD as head.
func (f *finder) addUntracked(ctx context.Context, changes []change) ([]change, error) {
	names, err := f.git.untracked(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		path := filepath.Join(f.scope.Tree, filepath.FromSlash(name))
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		head, err := regular.Source(path)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(changes, func(c change) bool { return c.name == "" && c.oldName == name }); i >= 0 {
			changes[i].name, changes[i].head = name, head // after git rm --cached
			continue
		}
		changes = append(changes, change{name: name, head: head})
	}
	if len(names) == 0 && f.git.pristine(ctx) {
		f.scope.Revisions.Head, err = f.git.revision(ctx, "HEAD")
	}
	return changes, err
}
