package change

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// RootFile returns the content of a file in the root of the repository, as it is at head: in the commit source.Head or,
// if that is empty, in the working tree. It must be a regular file, not a link, of at most limit bytes. If it is not,
// or does not exist (fs.ErrNotExist), the error is a *fs.PathError. Other errors are those of [Read].
func RootFile(ctx context.Context, source Source, name string, limit int64) ([]byte, error) {
	dir := source.Dir
	if dir == "" {
		dir = "."
	}
	root, repo, err := gotool.Root(dir)
	if err != nil {
		return nil, badFolder(err)
	}
	if source.Head == "" {
		folder, err := os.OpenRoot(root)
		if err != nil {
			return nil, badFolder(err)
		}
		defer folder.Close()
		return regular.ReadIn(folder, name, limit)
	}
	if !repo {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrNotExist} // Read reports the missing repository
	}
	g := git{root: root, env: source.Env}
	commit, err := g.revision(ctx, source.Head)
	if err != nil {
		return nil, err
	}
	return g.file(ctx, commit, name, limit)
}

// badFolder returns the error for a folder that cannot be used.
func badFolder(err error) error {
	return &fault.Error{Kind: fault.BadConfig, Msg: "cannot use the folder", Err: err, Hint: "-C takes a folder of the repository"}
}

// file returns a regular file of up to limit bytes in the root of a commit.
func (g git) file(ctx context.Context, commit, name string, limit int64) ([]byte, error) {
	listed, err := g.text(ctx, "ls-tree", "--long", commit, "--", name)
	if err != nil {
		return nil, err
	}
	failed := func(err error) error { return &fs.PathError{Op: "read", Path: name, Err: err} }
	fields := strings.Fields(listed) // mode, type, object, size, name
	if len(fields) < 4 {
		return nil, failed(fs.ErrNotExist)
	}
	size, err := strconv.ParseInt(fields[3], 10, 64)
	switch {
	case !strings.HasPrefix(fields[0], "100") || err != nil:
		return nil, failed(regular.ErrNot)
	case size > limit:
		return nil, failed(errors.New("larger than " + strconv.FormatInt(limit>>20, 10) + " MiB"))
	}
	return g.run(ctx, nil, "cat-file", "blob", fields[2])
}
