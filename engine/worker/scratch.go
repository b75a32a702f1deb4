package worker

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Scratch is a copy of a repository's working files in which children run,
// with a home and a folder for temporary files beside it. One serves one
// worker.
//
// Files are copied, not linked: children write into them. Where the file
// system can share blocks until then, it does.
type Scratch struct {
	root, base, tree string
	manifest         []original      // parents first
	known            map[string]bool // paths in the manifest
	leftOut          []string
	watch            *watch // nil: changes have to be looked for
}

// original is a file, folder or link of the repository.
type original struct {
	rel    string
	mode   fs.FileMode // type and permissions
	target string      // of a link
	source stamp       // of the original
	copy   stamp       // of the copy as it should be; zero: not made yet
}

// settle is more than the grain of file systems' clocks. A change within the
// same tick as the stamp, and of the same size, would not be seen.
const settle = 10 * time.Millisecond

// NewScratch copies the tree at root, without version control, our own output
// and what skip (nil: nothing) says of a slash-separated path relative to
// root. Links that lead out of the tree, special files and what cannot be read
// are left out too; see LeftOut.
func NewScratch(root string, skip func(rel string) bool) (*Scratch, error) {
	base, err := os.MkdirTemp("", "mutantfuzz-scratch-")
	if err != nil {
		return nil, fmt.Errorf("cannot make a scratch copy: %w\nhint: TMPDIR names the folder for it", err)
	}
	s, err := newScratch(root, base, skip)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("cannot copy %s to a scratch folder: %w", root, err), removeAll(base))
	}
	return s, nil
}

func newScratch(root, base string, skip func(rel string) bool) (*Scratch, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	// Programs compare paths with what Getwd says, which is without links.
	if base, err = filepath.EvalSymlinks(base); err != nil {
		return nil, err
	}
	// The copy has the name of the original: some tests look at it.
	s := &Scratch{root: root, base: base, tree: filepath.Join(base, "tree", filepath.Base(root)), known: map[string]bool{}}
	if err := s.list(skip); err != nil {
		return nil, err
	}
	if err := s.Restore(); err != nil {
		return nil, err
	}
	s.watch = newWatch(s.Tmp())
	s.listen(true)
	return s, nil
}

// listen watches the folders around the copy from now on, and all of its own too. The
// home and the temporary files are among them: a file of the copy that is linked from
// there changes without its own folder being told.
func (s *Scratch) listen(all bool) {
	if s.watch == nil {
		return
	}
	folders := []string{s.base, s.Home(), s.Tmp(), filepath.Dir(s.tree)}
	for _, o := range s.manifest {
		if all && o.mode.IsDir() {
			folders = append(folders, filepath.Join(s.tree, o.rel))
		}
	}
	for _, dir := range folders {
		if s.watch.add(dir) != nil {
			s.deafen()
			return
		}
	}
}

// deafen gives up the watch.
func (s *Scratch) deafen() {
	if s.watch != nil {
		s.watch.close()
		s.watch = nil
	}
}

// Dir returns where abs, an absolute path below the root, lies in the copy.
// A path that is not below it comes back as it is.
func (s *Scratch) Dir(abs string) string {
	rel, err := filepath.Rel(s.root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return abs
	}
	return filepath.Join(s.tree, rel)
}

// Size returns how many bytes the files of the copy have, as it should be.
func (s *Scratch) Size() (bytes int64) {
	for _, o := range s.manifest {
		bytes += o.source.size
	}
	return bytes
}

// Base returns the folder that holds the copy, the home and the temporary
// files: all that children need to write to.
func (s *Scratch) Base() string { return s.base }

// Home returns the home folder for children. Restore empties it.
func (s *Scratch) Home() string { return filepath.Join(s.base, "home") }

// Tmp returns the folder for children's temporary files. Restore empties it.
func (s *Scratch) Tmp() string { return filepath.Join(s.base, "tmp") }

// LeftOut returns what was not copied though skip did not say so: paths
// relative to the root.
func (s *Scratch) LeftOut() []string { return s.leftOut }

// Close removes the copy.
func (s *Scratch) Close() error {
	s.deafen()
	return removeAll(s.base)
}

// list fills the manifest.
func (s *Scratch) list(skip func(rel string) bool) error {
	return filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(s.root, path)
		if rel != "." && (d.Name() == ".git" || d.Name() == "mutantfuzz.out" || path == s.base || skip != nil && skip(filepath.ToSlash(rel))) {
			return skipEntry(d)
		}
		if err == nil {
			err = s.add(path, rel, d)
		}
		if rel != "." && (errors.Is(err, fs.ErrPermission) || errors.Is(err, errLeftOut)) {
			s.leftOut = append(s.leftOut, rel)
			return skipEntry(d)
		}
		return err
	})
}

func skipEntry(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

var errLeftOut = errors.New("neither file, folder nor link within the tree")

// add puts one entry of the tree into the manifest.
func (s *Scratch) add(path, rel string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	o := original{rel: rel, mode: info.Mode().Type() | info.Mode().Perm()}
	switch o.mode.Type() {
	case fs.ModeDir:
	case fs.ModeSymlink:
		if o.target, err = s.linkTarget(path); err != nil {
			return err
		}
	case 0:
		if err := readable(path, o.mode); err != nil {
			return err
		}
		if o.source, err = stampOf(path); err != nil {
			return err
		}
	default:
		return errLeftOut
	}
	s.manifest = append(s.manifest, o)
	s.known[rel] = true
	return nil
}

// readable tries to open a file unless its mode lets everybody read it.
func readable(path string, mode fs.FileMode) error {
	if mode&0o444 == 0o444 {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return f.Close()
}

// linkTarget returns the target for the copy of a link: relative, and in its
// shortest form. So a link never leads out of the copy: it goes up real
// folders of the tree, then down, where other links are of the same kind.
func (s *Scratch) linkTarget(path string) (string, error) {
	target, err := os.Readlink(path)
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(path), target)
	}
	if rel, err := filepath.Rel(s.root, target); err != nil || !filepath.IsLocal(rel) {
		return "", errLeftOut
	}
	return filepath.Rel(filepath.Dir(path), target)
}

// Restore undoes what children changed: contents, permissions, kinds, files
// added and removed. When nothing was it costs a look at every file's stamp, and
// where the kernel tells of changes nothing.
// It is an error if an original has changed since NewScratch.
func (s *Scratch) Restore() error {
	// What we change ourselves below is heard too, and looked at once more.
	if s.watch != nil && s.watch.quiet() {
		return nil
	}
	for _, dir := range []string{s.base, filepath.Dir(s.tree)} {
		if err := ensureFolder(dir); err != nil {
			return fmt.Errorf("cannot restore the scratch copy: %w", err)
		}
	}
	changed := false
	for i := range s.manifest {
		o := &s.manifest[i]
		path := filepath.Join(s.tree, o.rel)
		if now, err := stampOf(path); err == nil && now == o.copy {
			continue
		}
		changed = true
		if err := s.rebuild(o, path); err != nil {
			return fmt.Errorf("cannot restore the scratch copy: %w", err)
		}
	}
	if changed {
		if err := s.seal(); err != nil {
			return fmt.Errorf("cannot restore the scratch copy: %w", err)
		}
	}
	err := errors.Join(empty(s.Home()), empty(s.Tmp()))
	s.listen(changed)
	return err
}

// seal gives folders their own permissions again and stamps the copies.
// Children come before their parents, whose permissions may bar the way.
func (s *Scratch) seal() error {
	for _, o := range slices.Backward(s.manifest) {
		if o.mode.IsDir() && o.mode.Perm()&0o700 != 0o700 {
			if err := os.Chmod(filepath.Join(s.tree, o.rel), o.mode.Perm()); err != nil {
				return err
			}
		}
	}
	for i := range s.manifest {
		o := &s.manifest[i]
		var err error
		if o.copy, err = stampOf(filepath.Join(s.tree, o.rel)); err != nil {
			return err
		}
	}
	time.Sleep(settle)
	return nil
}

// rebuild makes the copy of o at path anew, whatever is there. Folders are
// left so that we can work in them.
func (s *Scratch) rebuild(o *original, path string) error {
	if info, err := os.Lstat(path); err == nil && info.IsDir() && o.mode.IsDir() {
		if err := os.Chmod(path, o.mode.Perm()|0o700); err != nil {
			return err
		}
		return s.removeStrangers(o.rel, path)
	}
	if o.rel != "." {
		parent := filepath.Dir(path)
		if info, err := os.Stat(parent); err == nil && info.Mode().Perm()&0o700 != 0o700 {
			if err := os.Chmod(parent, info.Mode().Perm()|0o700); err != nil {
				return err
			}
		}
	}
	if err := removeAll(path); err != nil {
		return err
	}
	switch o.mode.Type() {
	case fs.ModeDir:
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
		return os.Chmod(path, o.mode.Perm()|0o700)
	case fs.ModeSymlink:
		return os.Symlink(o.target, path)
	}
	return s.copyFile(o, path)
}

// removeStrangers removes what the manifest does not know from a folder.
func (s *Scratch) removeStrangers(rel, path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, d := range entries {
		if !s.known[filepath.Join(rel, d.Name())] {
			if err := removeAll(filepath.Join(path, d.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyFile copies a file's content, permissions and time of modification.
func (s *Scratch) copyFile(o *original, path string) error {
	from := filepath.Join(s.root, o.rel)
	now, err := stampOf(from)
	if err != nil {
		return err
	}
	if now.size != o.source.size || now.mtime != o.source.mtime {
		return fmt.Errorf("%s has changed since the analysis began\nhint: start again, and leave the files alone until it is done", from)
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	// Uses copy_file_range on Linux, which shares blocks where it can.
	_, err = io.Copy(out, in)
	mtime := time.Unix(0, now.mtime)
	return errors.Join(err, out.Close(), os.Chmod(path, o.mode.Perm()), os.Chtimes(path, time.Time{}, mtime))
}

// ensureFolder leaves dir a folder that we can work in. A child may have put a
// link in its place: what that leads to stays.
func ensureFolder(dir string) error {
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		if err := errors.Join(removeAll(dir), os.Mkdir(dir, 0o700)); err != nil {
			return err
		}
	}
	if info, err := os.Lstat(dir); err == nil && info.Mode().Perm() == 0o700 {
		return nil
	}
	return os.Chmod(dir, 0o700)
}

// empty leaves dir an empty folder.
func empty(dir string) error {
	if err := ensureFolder(dir); err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, d := range entries {
		err = errors.Join(err, removeAll(filepath.Join(dir, d.Name())))
	}
	return err
}

// removeAll is os.RemoveAll for folders that forbid it too, as those of a
// module cache do.
func removeAll(path string) error {
	if os.RemoveAll(path) == nil {
		return nil
	}
	err := filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(path, 0o700)
		}
		return err
	})
	return errors.Join(err, os.RemoveAll(path))
}
