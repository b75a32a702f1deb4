package scratch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sampleTree makes a repository with a bit of everything.
func sampleTree(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "repo")
	for name, data := range map[string]string{
		"go.mod": "module m\n", "a/a.go": "package a\n", "a/testdata/in": "x", "empty": "",
		".git/config": "secret", "sub/.git": "gitdir: elsewhere", "sub/x": "x", "mutantfuzz.out/results.json": "{}", "node_modules/y": "y",
	} {
		mustWrite(t, filepath.Join(root, name), data)
	}
	must(t, os.Chmod(filepath.Join(root, "a/testdata/in"), 0o755))
	must(t, os.Mkdir(filepath.Join(root, "none"), 0o755))
	return root
}

func mustWrite(t *testing.T, name, data string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(data), 0o644))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newCopyOf(t *testing.T, root string) *Copy {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	s, err := New(root)
	must(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	return s
}

// contents describes every entry below dir.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		text := info.Mode().String()
		switch {
		case d.Type() == fs.ModeSymlink:
			target, _ := os.Readlink(path)
			text += " -> " + target
		case d.Type().IsRegular():
			data, _ := os.ReadFile(path)
			text += " " + info.ModTime().String() + " " + string(data)
		}
		all[filepath.ToSlash(rel)] = text
		return nil
	}))
	return all
}

func TestCopyHasTheWorkingFiles(t *testing.T) {
	root := sampleTree(t)
	s := newCopyOf(t, root)
	want := contents(t, root)
	for name := range want {
		if strings.Contains(name, ".git") || strings.HasPrefix(name, "mutantfuzz.out") || strings.HasPrefix(name, "node_modules") {
			delete(want, name)
		}
	}
	if diff := cmp.Diff(want, contents(t, s.Dir(root))); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if filepath.Base(s.Dir(root)) != "repo" {
		t.Errorf("the copy is called %s", s.Dir(root))
	}
}

func TestDirMapsPathsOfTheTree(t *testing.T) {
	root := sampleTree(t)
	s := newCopyOf(t, root)
	if got, err := os.ReadFile(s.Dir(filepath.Join(root, "go.mod"))); err != nil || string(got) != "module m\n" {
		t.Errorf("%q, %v", got, err)
	}
	if outside := filepath.Dir(root); s.Dir(outside) != outside {
		t.Errorf("a path outside maps to %s", s.Dir(outside))
	}
}

func TestRestoreUndoesWhatChildrenDo(t *testing.T) {
	root := sampleTree(t)
	must(t, os.Symlink("a/a.go", filepath.Join(root, "link")))
	must(t, os.Chmod(filepath.Join(root, "none"), 0o555))
	s := newCopyOf(t, root)
	dir := s.Dir(root)
	in := func(name string) string { return filepath.Join(dir, name) }
	tests := map[string]func() error{
		"nothing":            func() error { return nil },
		"file written":       func() error { return os.WriteFile(in("go.mod"), []byte("longer than it was"), 0o644) },
		"same size and time": func() error { return sameSizeAndTime(in("go.mod")) },
		"file removed":       func() error { return os.Remove(in("a/a.go")) },
		"file added":         func() error { return os.WriteFile(in("a/new"), nil, 0o644) },
		"folder added":       func() error { return os.MkdirAll(in("n/e/w"), 0o755) },
		"folder removed":     func() error { return os.RemoveAll(in("a")) },
		"file renamed":       func() error { return os.Rename(in("empty"), in("a/empty")) },
		"folder renamed":     func() error { return os.Rename(in("a"), in("b")) },
		"files swapped":      func() error { return swap(in("empty"), in("go.mod")) },
		"file for folder":    func() error { return errors.Join(os.RemoveAll(in("a")), os.WriteFile(in("a"), nil, 0o644)) },
		"folder for file":    func() error { return errors.Join(os.Remove(in("empty")), os.Mkdir(in("empty"), 0o755)) },
		"link for folder":    func() error { return errors.Join(os.RemoveAll(in("a")), os.Symlink(root, in("a"))) },
		"link retargeted":    func() error { return errors.Join(os.Remove(in("link")), os.Symlink("empty", in("link"))) },
		"folder barred":      func() error { return os.Chmod(in("a"), 0) },
		"new folder barred":  func() error { return errors.Join(os.MkdirAll(in("x/y"), 0o755), os.Chmod(in("x"), 0)) },
		"file made private":  func() error { return os.Chmod(in("a/testdata/in"), 0o600) },
		"everything removed": func() error { return os.RemoveAll(dir) },
		"read-only opened": func() error {
			return errors.Join(os.Chmod(in("none"), 0o755), os.WriteFile(in("none/file"), nil, 0o644))
		},
		"written by another name": func() error {
			other := filepath.Join(s.Tmp(), "other")
			return errors.Join(os.Link(in("go.mod"), other), os.WriteFile(other, []byte("m"), 0o644))
		},
		"written from a new tmp": func() error {
			other := filepath.Join(s.Tmp(), "other")
			return errors.Join(os.RemoveAll(s.Tmp()), os.Mkdir(s.Tmp(), 0o755), s.Restore(),
				os.Link(in("go.mod"), other), os.WriteFile(other, []byte("m"), 0o644))
		},
	}
	original, want := contents(t, root), contents(t, dir)
	for _, how := range []string{"watched", "compared"} {
		for name, act := range tests {
			t.Run(name+", "+how, func(t *testing.T) {
				must(t, act())
				must(t, s.Restore())
				if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
					t.Errorf("-want +got\n%s", diff)
				}
			})
		}
		s.unwatch()
	}
	if diff := cmp.Diff(original, contents(t, root)); diff != "" {
		t.Errorf("the original was changed: -want +got\n%s", diff)
	}
}

func swap(a, b string) error {
	return errors.Join(os.Rename(a, a+"~"), os.Rename(b, a), os.Rename(a+"~", b))
}

// sameSizeAndTime changes a file's contents, but neither its size nor its mtime.
func sameSizeAndTime(name string) error {
	if runtime.GOOS == "windows" {
		return nil // Windows has no ctime that shows it
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	data := make([]byte, info.Size())
	return errors.Join(os.WriteFile(name, data, 0o644), os.Chtimes(name, info.ModTime(), info.ModTime()))
}

func TestRestoreLeavesWhatIsUnchanged(t *testing.T) {
	root := sampleTree(t)
	c := newCopyOf(t, root)
	before, err := os.Lstat(c.Dir(filepath.Join(root, "go.mod")))
	must(t, err)
	mustWrite(t, filepath.Join(c.Dir(root), "a", "new"), "")
	must(t, c.Restore())
	if after, err := os.Lstat(c.Dir(filepath.Join(root, "go.mod"))); err != nil || !os.SameFile(before, after) {
		t.Errorf("the file was made anew: %v", err)
	}
}

func TestRestoreEmptiesHomeAndTmp(t *testing.T) {
	s := newCopyOf(t, sampleTree(t))
	mustWrite(t, filepath.Join(s.Tmp(), "d", "f"), "x")
	mustWrite(t, filepath.Join(s.Home(), ".config", "f"), "x")
	must(t, s.Restore())
	if left, _ := os.ReadDir(s.Tmp()); len(left) > 0 {
		t.Errorf("temporary files: %v", left)
	}
	if left, _ := os.ReadDir(s.Home()); len(left) > 0 {
		t.Errorf("home: %v", left)
	}
}

func TestRestoreDoesNotFollowALinkInPlaceOfTmp(t *testing.T) {
	s := newCopyOf(t, sampleTree(t))
	precious := t.TempDir()
	mustWrite(t, filepath.Join(precious, "f"), "x")
	must(t, os.Remove(s.Tmp()))
	must(t, os.Symlink(precious, s.Tmp()))
	must(t, s.Restore())
	if _, err := os.Stat(filepath.Join(precious, "f")); err != nil {
		t.Error(err)
	}
	if info, err := os.Lstat(s.Tmp()); err != nil || !info.IsDir() {
		t.Errorf("%v, %v", info, err)
	}
}

func TestRestoreSurvivesWhatChildrenDoAboveTheCopy(t *testing.T) {
	s := newCopyOf(t, sampleTree(t))
	want := contents(t, s.tree)
	above, elsewhere := filepath.Dir(s.tree), t.TempDir()
	mustWrite(t, filepath.Join(elsewhere, "repo", "precious"), "x")
	for name, act := range map[string]func(){
		"removed": func() { must(t, os.RemoveAll(above)) },
		"a link":  func() { must(t, os.RemoveAll(above)); must(t, os.Symlink(elsewhere, above)) },
		"barred":  func() { must(t, os.Chmod(above, 0)); must(t, os.Chmod(s.base, 0)) },
	} {
		act()
		if err := s.Restore(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, contents(t, s.tree)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "repo", "precious")); err != nil {
		t.Error(err)
	}
}

func TestRestoreFailsIfTheOriginalHasChanged(t *testing.T) {
	root := sampleTree(t)
	s := newCopyOf(t, root)
	mustWrite(t, filepath.Join(root, "go.mod"), "module other\n")
	must(t, os.Remove(s.Dir(filepath.Join(root, "go.mod"))))
	if err := s.Restore(); err == nil || !strings.Contains(err.Error(), "has changed since") || !strings.Contains(err.Error(), "\nhint: ") {
		t.Errorf("%v", err)
	}
}

func TestLinksAreCopiedAsTheyAre(t *testing.T) {
	root := sampleTree(t)
	plain, err := filepath.EvalSymlinks(root)
	must(t, err)
	targets := map[string]string{
		"a/inside": "a.go", "a/around": "../../repo/a/a.go", "dangling": "nowhere", "a/outside": "../../secret", "null": os.DevNull,
		"passwd": "/etc/passwd", "a/testdata/here": ".", "a/testdata/through": "here/../../../../etc", "almost": root + "2", "above": filepath.Dir(root),
		// With these targets, links in the copy would lead to the originals.
		"absolute": filepath.Join(root, "a"), "a/testdata/absolute": filepath.Join(plain, "go.mod"), "whole": root,
	}
	for name, target := range targets {
		must(t, os.Symlink(target, filepath.Join(root, name)))
	}
	c := newCopyOf(t, root)
	targets["absolute"], targets["a/testdata/absolute"], targets["whole"] = "a", "../../go.mod", "."
	for name, want := range targets {
		if got, err := os.Readlink(filepath.Join(c.Dir(root), name)); got != filepath.FromSlash(want) {
			t.Errorf("%s leads to %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestAbsoluteLinksIntoTheTreeLeadIntoTheCopyWhateverTheRootIsCalled(t *testing.T) {
	root := sampleTree(t)
	must(t, os.Symlink(filepath.Join(root, "a"), filepath.Join(root, "link")))
	beside := filepath.Join(t.TempDir(), "beside")
	must(t, os.Symlink(root, beside))
	c := newCopyOf(t, beside)
	if got, err := os.Readlink(filepath.Join(c.Dir(beside), "link")); got != "a" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestWhatCannotBeReadIsLeftOut(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root can read everything")
	}
	root := sampleTree(t)
	must(t, os.Chmod(filepath.Join(root, "empty"), 0))
	must(t, os.Chmod(filepath.Join(root, "sub"), 0o300))
	defer os.Chmod(filepath.Join(root, "sub"), 0o755)
	c := newCopyOf(t, root)
	for name, want := range map[string]bool{"empty": false, "sub/x": false, "a/a.go": true} {
		if _, err := os.Lstat(c.Dir(filepath.Join(root, name))); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, c.Restore())
	if info, err := os.Lstat(c.Dir(filepath.Join(root, "sub"))); err != nil || info.Mode().Perm() != 0o300 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestCopyOfAMissingTreeIsAnError(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	if _, err := New(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("no error")
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
