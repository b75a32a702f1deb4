package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// maxFolder bounds what is read of a folder, in bytes: tests with more to read
// have their verdicts judged afresh.
const maxFolder = 64 << 20

// digestPackage digests the files in a package's folder and below it: source
// without the bodies, what is embedded, and, of the tests' own package, what they
// may read. Other packages, other modules, such as the output of an analysis, and
// test files are not among them.
func (b *bodies) digestPackage(p *gotool.Package, own bool) (string, error) {
	d := &folderDigest{root: p.Dir, hash: sha256.New()}
	d.enter = func(dir string) bool {
		below := strings.Split(strings.TrimPrefix(dir, p.Dir), string(filepath.Separator))
		if slices.Contains(below, "testdata") {
			return own
		}
		return !skippedFolder(dir) && !holds(dir, "go.mod") && !holds(dir, "*.go")
	}
	d.read = func(name string, data []byte) []byte {
		switch {
		case filepath.Dir(name) != p.Dir || !strings.HasSuffix(name, ".go"):
			return data
		case strings.HasSuffix(name, "_test.go"):
			return nil
		}
		return []byte(tokens(b.without(name, data)))
	}
	return d.sum()
}

// digestTree digests all files below dir.
func digestTree(dir string) (string, error) {
	d := &folderDigest{
		root: dir, hash: sha256.New(),
		enter: func(dir string) bool { return !skippedFolder(dir) },
		read:  func(_ string, data []byte) []byte { return data },
	}
	return d.sum()
}

// folderDigest digests the files below a folder.
type folderDigest struct {
	root  string
	enter func(dir string) bool                 // whether to look below dir
	read  func(name string, data []byte) []byte // what of a file counts; nil: not even that it is there
	hash  hash.Hash
	size  int
}

func (d *folderDigest) sum() (string, error) {
	err := filepath.WalkDir(d.root, d.visit)
	return hex.EncodeToString(d.hash.Sum(nil)), err
}

func (d *folderDigest) visit(name string, entry fs.DirEntry, err error) error {
	switch {
	case err != nil:
		return err
	case entry.IsDir():
		if name != d.root && !d.enter(name) {
			return filepath.SkipDir
		}
		return nil
	case !entry.Type().IsRegular():
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if d.size += len(data); d.size > maxFolder {
		return fmt.Errorf("there are more than %d MB in %s", maxFolder>>20, d.root)
	}
	if data = d.read(name, data); data != nil {
		fmt.Fprintf(d.hash, "%s\n%d\n%s\n", strings.TrimPrefix(name, d.root), len(data), data)
	}
	return nil
}

// skippedFolder reports whether a folder has a name that the go command does not
// look below, or one of a package manager's.
func skippedFolder(dir string) bool {
	name := filepath.Base(dir)
	return strings.HasPrefix(name, ".") || name == "vendor" || name == "node_modules"
}

// holds reports whether a file in dir matches pattern.
func holds(dir, pattern string) bool {
	list, _ := filepath.Glob(filepath.Join(dir, pattern))
	return len(list) > 0
}
