package corpus

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// Dir is a corpus in a folder, with entries in files <folder>/<import path>/<harness>/<entry>, as -test.fuzzcachedir
// lays them out. Several processes may use one folder. Dir waits for nothing but the file system, and checks its
// context between entries.
type Dir struct{ root *os.Root }

// OpenDir opens the corpus in a folder, and creates the folder if it is missing.
func OpenDir(dir string) (*Dir, error) {
	err := os.MkdirAll(dir, 0o755)
	var root *os.Root
	if err == nil {
		root, err = os.OpenRoot(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot open the corpus in %s: %w\nhint: choose another folder with --corpus, or --corpus none", dir, err)
	}
	return &Dir{root: root}, nil
}

// OpenDirBelow opens the corpus in a folder of root, which must exist. A link that leads out of root is an error.
func OpenDirBelow(root *os.Root, name string) (*Dir, error) {
	folder, err := root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Dir{root: folder}, nil
}

// Close releases the folder.
func (d *Dir) Close() error { return d.root.Close() }

// DefaultDir returns the folder of the shared corpus of the repository at root. It is below the user's cache folder,
// and named after the repository and its path. DefaultDir does not create it, and fails for a user without a cache
// folder.
func DefaultDir(root string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("cannot find a place for the shared corpus: %w\nhint: name one with --corpus", err)
	}
	return folderBelow(filepath.Join(cache, "mutantfuzz"), root)
}

// TemporaryDir returns a folder like that of DefaultDir, but below the folder for temporary files, for users without a
// cache folder. Others may write there, too, so it creates a folder that only this user can use. It is an error if a
// folder of that name exists that others own or can use.
func TemporaryDir(root string) (string, error) {
	own := filepath.Join(os.TempDir(), fmt.Sprintf("mutantfuzz-%d", os.Geteuid()))
	if err := os.Mkdir(own, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	info, err := os.Lstat(own)
	if err != nil {
		return "", err
	}
	if !info.IsDir() || !private(info) {
		return "", fmt.Errorf("%s is not a folder that belongs to this user alone", own)
	}
	return folderBelow(own, root)
}

// folderBelow returns the folder below base for the repository at root.
func folderBelow(base, root string) (string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	sum := sha256.Sum256([]byte(root))
	name := fmt.Sprintf("%s-%s", strings.Trim(filepath.Base(root), `/\:`), hex.EncodeToString(sum[:6]))
	return filepath.Join(base, "corpus", name), nil
}

// Load implements [Store].
func (d *Dir) Load(ctx context.Context, harness string) ([]Entry, []error) {
	folder, err := harnessFolder(harness)
	if err != nil {
		return nil, []error{err}
	}
	return readFolder(ctx, d.root, folder)
}

// Save implements [Store]. Every file appears whole or not at all, so builds may share the folder.
func (d *Dir) Save(ctx context.Context, harness string, entries []Entry) error {
	folder, err := harnessFolder(harness)
	if err != nil || len(entries) == 0 {
		return err
	}
	if err := d.root.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("cannot save corpus entries of %s: %w", harness, err)
	}
	var problems []error // of some entries: the others are saved
	for _, e := range entries {
		if err := context.Cause(ctx); err != nil {
			return errors.Join(append(problems, err)...)
		}
		err := check(e.Data)
		if err == nil {
			err = writeEntry(d.root, folder, e)
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("cannot save corpus entry %s of %s: %w", e.ID, harness, err))
		}
	}
	return errors.Join(problems...)
}

// Testdata returns the entries that are committed for a fuzz target in <pkgdir>/testdata/fuzz/<target>, under the rules
// of [Store].
func Testdata(ctx context.Context, pkgdir, target string) ([]Entry, []error) {
	if !token.IsIdentifier(target) {
		return nil, []error{fmt.Errorf("fuzz target %q is not a Go identifier", target)}
	}
	dir := filepath.Join(pkgdir, "testdata", "fuzz", target)
	info, err := os.Stat(dir) // before opening it: opening a named pipe would wait for a writer
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", dir)
	}
	var root *os.Root
	if err == nil {
		root, err = os.OpenRoot(dir)
	}
	if err != nil {
		return nil, []error{fmt.Errorf("committed corpus of %s: %w", target, err)}
	}
	defer root.Close()
	return readFolder(ctx, root, ".")
}

// readFolder reads the entries in a folder below root. It takes the files in the order of their names, so that the
// bounds cut the same ones every time.
func readFolder(ctx context.Context, root *os.Root, folder string) (entries []Entry, problems []error) {
	names, err := fileNames(root, folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, []error{fmt.Errorf("corpus folder %s: %w", folder, err)}
	}
	total := 0
	for i, name := range names {
		if len(entries) == MaxEntries || total >= MaxHarnessBytes {
			problems = append(problems, fmt.Errorf("corpus folder %s: %d files left out, more than %d entries or %d MiB\nhint: remove files from that folder of the corpus, the largest first", folder, len(names)-i, MaxEntries, MaxHarnessBytes>>20))
			break
		}
		if ctx.Err() != nil {
			problems = append(problems, fmt.Errorf("corpus folder %s: %d files not read: %w", folder, len(names)-i, context.Cause(ctx)))
			break
		}
		data, err := readEntry(root, path.Join(folder, name))
		if err != nil {
			problems = append(problems, fmt.Errorf("corpus entry %s: %w", path.Join(folder, name), err))
			continue
		}
		total += len(data)
		entries = append(entries, NewEntry(data))
	}
	return normalise(entries), problems
}

// fileNames returns the names of files that may be entries. It leaves out folders, which belong to packages below, and
// dot files, which are entries being written.
func fileNames(root *os.Root, folder string) ([]string, error) {
	if info, err := root.Stat(folder); err != nil || !info.IsDir() {
		return nil, cmp.Or(err, errors.New("not a folder"))
	}
	dir, err := root.Open(folder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	list, err := dir.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, d := range list {
		if !d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
			names = append(names, d.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}

// readEntry returns the content of an entry's file, which must be a regular file and no link.
func readEntry(root *os.Root, name string) ([]byte, error) {
	data, err := regular.ReadIn(root, name, MaxEntryBytes)
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err // the caller names the file
	}
	if err != nil {
		return nil, err
	}
	return data, check(data)
}

// writeEntry writes e into a folder through a dot file and a rename, unless it is there already.
func writeEntry(root *os.Root, folder string, e Entry) error {
	name := path.Join(folder, e.ID)
	if old, err := readEntry(root, name); err == nil && bytes.Equal(old, e.Data) {
		return nil
	}
	temp := path.Join(folder, ".new-"+rand.Text())
	err := root.WriteFile(temp, e.Data, 0o644)
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		_ = root.Remove(temp) // it may not even be there
	}
	return err
}
