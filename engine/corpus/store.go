package corpus

import (
	"bytes"
	"cmp"
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
	"sync"

	"golang.org/x/mod/module"

	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// None is the folder name that stands for a corpus in memory only. A folder
// really called so is written "./none".
const None = "none"

// Store is a corpus: entries by harness, in the folders
// <dir>/<import path>/<harness>/<entry>, as -test.fuzzcachedir lays them out.
// It is safe for concurrent use, also by several processes on one folder.
type Store struct {
	root *os.Root // nil: memory only

	mu     sync.Mutex
	memory map[string][]Entry // by harness; only without root
}

// Open opens the corpus in dir, which it creates when missing. With dir None
// the corpus starts empty and is forgotten with the Store.
func Open(dir string) (*Store, error) {
	if dir == None {
		return &Store{memory: map[string][]Entry{}}, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, corpusError(dir, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, corpusError(dir, err)
	}
	return &Store{root: root}, nil
}

// OpenBelow opens the corpus in a folder of root, which has to exist. It stays
// below root: a link that leads out of it is an error.
func OpenBelow(root *os.Root, name string) (*Store, error) {
	folder, err := root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Store{root: folder}, nil
}

func corpusError(dir string, err error) error {
	return fmt.Errorf("cannot open the corpus in %s: %w\nhint: choose another folder with --corpus, or --corpus none", dir, err)
}

// Close releases the folder.
func (s *Store) Close() error {
	if s.root == nil {
		return nil
	}
	return s.root.Close()
}

// DefaultDir returns the folder of the shared corpus of the repository at
// root: below the user's cache folder, named after the repository and its
// place. It does not create the folder. The error is about a user without a
// cache folder.
func DefaultDir(root string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("cannot find a place for the shared corpus: %w\nhint: name one with --corpus", err)
	}
	return folderBelow(filepath.Join(cache, "mutantfuzz"), root)
}

// TemporaryDir returns a folder like that of DefaultDir in the folder for
// temporary files, for a user without a cache folder. As others may write
// there, too, it makes a folder that is this user's alone; the error says why
// the one that is there is not.
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
		return "", fmt.Errorf("%s is no folder that belongs to this user alone", own)
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

// Load returns the entries of a harness (import/path.FuzzX), sorted by ID. A
// harness without entries is no error. The errors say which files were passed
// over and why; the files stay.
func (s *Store) Load(harness string) ([]Entry, []error) {
	folder, err := harnessFolder(harness)
	if err != nil {
		return nil, []error{err}
	}
	if s.root == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		return slices.Clone(s.memory[harness]), nil
	}
	return readFolder(s.root, folder)
}

// Save adds entries to a harness. Entries that are there already stay, damaged
// ones are replaced. Every file appears whole or not at all, so that builds
// may share the folder. An entry that Load would refuse is an error.
func (s *Store) Save(harness string, entries []Entry) error {
	folder, err := harnessFolder(harness)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := check(e.Data); err != nil {
			return fmt.Errorf("corpus entry %s of %s: %w", e.ID, harness, err)
		}
	}
	if s.root == nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.memory[harness] = Merge(s.memory[harness], entries)
		return nil
	}
	if len(entries) == 0 {
		return nil
	}
	if err := s.root.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("cannot save corpus entries of %s: %w", harness, err)
	}
	for _, e := range entries {
		if err := writeEntry(s.root, folder, e); err != nil {
			return fmt.Errorf("cannot save corpus entry %s of %s: %w", e.ID, harness, err)
		}
	}
	return nil
}

// Testdata returns the entries committed for a fuzz target, those of
// <pkgdir>/testdata/fuzz/<target>, under the same rules as Load.
func Testdata(pkgdir, target string) ([]Entry, []error) {
	if !token.IsIdentifier(target) {
		return nil, []error{fmt.Errorf("fuzz target %q is not a Go identifier", target)}
	}
	dir := filepath.Join(pkgdir, "testdata", "fuzz", target)
	info, err := os.Stat(dir) // asked before opening: to open a named pipe waits for a writer
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder", dir)
	}
	if err != nil {
		return nil, []error{fmt.Errorf("committed corpus of %s: %w", target, err)}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, []error{fmt.Errorf("committed corpus of %s: %w", target, err)}
	}
	defer root.Close()
	return readFolder(root, ".")
}

// harnessFolder maps import/path.Name to import/path/Name. Harness names come
// out of saved results too, so whatever is not an import path and an
// identifier is refused; that leaves no way out of the corpus folder.
func harnessFolder(harness string) (string, error) {
	dot := strings.LastIndexByte(harness, '.')
	if dot < 0 {
		return "", fmt.Errorf("harness %q: want import/path.Name", harness)
	}
	pkg, name := harness[:dot], harness[dot+1:]
	if err := module.CheckImportPath(pkg); err != nil {
		return "", fmt.Errorf("harness %q: %w", harness, err)
	}
	if !token.IsIdentifier(name) {
		return "", fmt.Errorf("harness %q: %q is not a Go identifier", harness, name)
	}
	return path.Join(pkg, name), nil
}

// readFolder reads the entries in a folder below root. It takes the files in
// the order of their names, so that the bounds cut the same ones every time.
func readFolder(root *os.Root, folder string) (entries []Entry, problems []error) {
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

// fileNames lists what may be entries: no folders, which belong to packages
// below, and no dot files, which are entries being written.
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

// readEntry returns the content of an entry's file, which is regular and no link.
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

// writeEntry puts e into a folder by way of a dot file and a rename.
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
