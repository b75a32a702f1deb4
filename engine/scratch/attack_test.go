//go:build unix

package scratch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// canary makes a tree outside any copy, whose files have the names of those in sample. changes returns what has changed
// in it since.
func canary(t *testing.T, sample map[string]string) (dir string, changes func() string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "canary")
	for name := range sample { // every place where links to dir would lead
		mustWrite(t, filepath.Join(dir, filepath.Base(name)), "precious")
		mustWrite(t, filepath.Join(dir, filepath.Base(filepath.Dir(name)), filepath.Base(name)), "precious")
		mustWrite(t, filepath.Join(dir, name), "precious")
	}
	must(t, os.Chmod(dir, 0o755))
	before := contents(t, dir)
	return dir, func() string { return cmp.Diff(before, contents(t, dir)) }
}

// wideTree makes a repository of many files.
func wideTree(t *testing.T) (root string, files map[string]string) {
	t.Helper()
	root, files = filepath.Join(t.TempDir(), "repo"), map[string]string{}
	for d := range 5 {
		for f := range 40 {
			files[fmt.Sprintf("d%d/sub/f%d", d, f)] = "text"
		}
	}
	for name, text := range files {
		mustWrite(t, filepath.Join(root, name), text)
	}
	return root, files
}

// attacker keeps replacing folders of a copy by links to target, a folder outside.
type attacker struct {
	target  string
	folders []string
	swaps   atomic.Int64 // number of links made so far
	over    atomic.Bool
	done    sync.WaitGroup
}

func attack(target string, folders ...string) *attacker {
	a := &attacker{target: target, folders: folders}
	a.done.Go(func() {
		for i := 0; !a.over.Load(); i++ {
			a.swap(folders[i%len(folders)])
		}
	})
	return a
}

func (a *attacker) swap(dir string) {
	_ = os.Mkdir(dir, 0o755) // it may have been removed
	if os.Rename(dir, dir+"~") != nil {
		_ = os.RemoveAll(dir + "~")
	}
	if os.Symlink(a.target, dir) == nil {
		a.swaps.Add(1)
	}
	_ = os.Remove(dir)
	_ = os.Rename(dir+"~", dir)
}

func (a *attacker) stop() {
	a.over.Store(true)
	a.done.Wait()
}

// rounds is the number of rounds of an attack.
const rounds = 7

// victims returns the folders to attack, one for each round.
func victims(c *Copy) []string {
	return []string{
		filepath.Join(c.tree, "d1"), filepath.Join(c.tree, "d2/sub"), filepath.Join(c.tree, "d3"), filepath.Join(c.tree, "d4/sub"),
		c.tree, filepath.Dir(c.tree), c.Tmp(),
	}
}

func TestNoLinkInPlaceOfAFolderLeadsRestoreOut(t *testing.T) {
	root, files := wideTree(t)
	c := newCopyOf(t, root)
	dir, want := c.Dir(root), contents(t, c.Dir(root))
	outside, changes := canary(t, files)
	for i := range rounds {
		must(t, c.Restore())
		for name := range files {
			must(t, os.WriteFile(filepath.Join(dir, name+".new"), nil, 0o600))
			must(t, os.WriteFile(filepath.Join(c.Tmp(), filepath.Base(name)), nil, 0o600))
		}
		must(t, os.Chmod(filepath.Join(dir, "d3/sub"), 0))
		a := attack(outside, victims(c)[i])
		_ = c.Restore() // may fail because of the attack
		a.stop()
	}
	if diff := changes(); diff != "" {
		t.Fatalf("outside of the copy: -before +after\n%s", diff)
	}
	must(t, c.Restore())
	if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Code that looks up a folder's path for each of its entries would remove files elsewhere after a single swap.
func TestLinkInPlaceOfAFolderThatIsBeingEmptiedIsNotFollowed(t *testing.T) {
	root, files := wideTree(t)
	c := newCopyOf(t, root)
	want := contents(t, c.tree)
	for i := range 1000 {
		files[fmt.Sprintf("new%d", i)] = ""
	}
	outside, changes := canary(t, files)
	for _, dir := range []string{filepath.Join(c.tree, "d1"), filepath.Join(c.tree, "d4/sub"), c.Tmp(), c.Home()} {
		for i := range 1000 {
			mustWrite(t, filepath.Join(dir, fmt.Sprintf("new%d", i)), "")
		}
		var g sync.WaitGroup
		g.Go(func() {
			for entries := 1000; entries >= 1000; { // until some files have been removed
				names, _ := os.ReadDir(dir)
				entries = len(names)
			}
			must(t, errors.Join(os.Rename(dir, dir+"~"), os.Symlink(outside, dir)))
		})
		_ = c.Restore() // may fail because the folder has been moved away
		g.Wait()
		if diff := changes(); diff != "" {
			t.Errorf("%s: outside of the copy: -before +after\n%s", dir, diff)
		}
		must(t, c.Restore())
		if diff := cmp.Diff(want, contents(t, c.tree)); diff != "" {
			t.Errorf("%s: -want +got\n%s", dir, diff)
		}
	}
}

func TestNoLinkInPlaceOfAFolderLeadsCloseOut(t *testing.T) {
	root := sampleTree(t)
	outside, changes := canary(t, map[string]string{"d/f": ""})
	t.Setenv("TMPDIR", t.TempDir())
	fewDescriptors(t)
	for range 2 * rounds {
		c, err := New(root)
		must(t, err)
		dig(t, c.Home(), 100) // so that Close takes a while, or several tries
		a := attack(outside, filepath.Join(c.Base(), "a"))
		for a.swaps.Load() < 2 {
			runtime.Gosched()
		}
		_ = c.Close()
		a.stop()
		must(t, c.Close())
	}
	if diff := changes(); diff != "" {
		t.Errorf("outside of the copy: -before +after\n%s", diff)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestNoLinkInPlaceOfAFolderLeadsWriteOut(t *testing.T) {
	root, files := wideTree(t)
	c := newCopyOf(t, root)
	dir := c.Dir(root)
	outside, changes := canary(t, files)
	a := attack(outside, filepath.Join(dir, "d0"), filepath.Join(dir, "d1/sub"), filepath.Dir(dir))
	for a.swaps.Load() < 100*rounds {
		_ = c.Write(filepath.Join(root, "d0/sub/f0"), []byte("changed"))
		_ = c.Write(filepath.Join(root, "d1/sub/f1"), []byte("changed"))
	}
	a.stop()
	if diff := changes(); diff != "" {
		t.Errorf("outside of the copy: -before +after\n%s", diff)
	}
}

func TestFilesWithAnotherNameOutsideStayAsTheyAre(t *testing.T) {
	root := sampleTree(t)
	c := newCopyOf(t, root)
	dir, want := c.Dir(root), contents(t, c.Dir(root))
	outside, changes := canary(t, map[string]string{"x/go.mod": ""})
	precious := filepath.Join(outside, "go.mod")
	for name, act := range map[string]func() error{
		"in place of a file": func() error {
			return errors.Join(os.Remove(filepath.Join(dir, "go.mod")), os.Link(precious, filepath.Join(dir, "go.mod")))
		},
		"in place of a folder": func() error {
			return errors.Join(os.RemoveAll(filepath.Join(dir, "a")), os.Link(precious, filepath.Join(dir, "a")))
		},
		"beside":          func() error { return os.Link(precious, filepath.Join(dir, "a", "new")) },
		"in place of tmp": func() error { return errors.Join(os.RemoveAll(c.Tmp()), os.Link(precious, c.Tmp())) },
		"written over": func() error {
			return errors.Join(os.Remove(filepath.Join(dir, "go.mod")), os.Link(precious, filepath.Join(dir, "go.mod")),
				c.Write(filepath.Join(root, "go.mod"), []byte("changed")))
		},
		"link written over": func() error {
			return errors.Join(os.Remove(filepath.Join(dir, "go.mod")), os.Symlink(precious, filepath.Join(dir, "go.mod")),
				c.Write(filepath.Join(root, "go.mod"), []byte("changed")))
		},
	} {
		must(t, act())
		must(t, c.Restore())
		if diff := changes(); diff != "" {
			t.Fatalf("%s: outside of the copy: -before +after\n%s", name, diff)
		}
		if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestAFIFODoesNotBlock(t *testing.T) {
	root := sampleTree(t)
	c := newCopyOf(t, root)
	dir, want := c.Dir(root), contents(t, c.Dir(root))
	fifo := func(name string) error { return errors.Join(os.RemoveAll(name), unix.Mkfifo(name, 0o600)) }
	var acts []func() error
	for _, name := range []string{filepath.Join(dir, "go.mod"), filepath.Join(dir, "a"), dir, filepath.Dir(dir), c.Tmp(), c.Home()} {
		acts = append(acts, func() error { return fifo(name) })
	}
	acts = append(acts,
		func() error {
			return errors.Join(fifo(filepath.Join(dir, "go.mod")), c.Write(filepath.Join(root, "go.mod"), nil))
		},
		func() error { _ = fifo(dir); _ = c.Write(filepath.Join(root, "go.mod"), nil); return nil },
		func() error {
			_ = fifo(filepath.Join(dir, "a"))
			_ = c.Write(filepath.Join(root, "a/a.go"), nil)
			return nil
		},
	)
	for i, act := range acts {
		must(t, act())
		must(t, c.Restore())
		if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
			t.Errorf("%d: -want +got\n%s", i, diff)
		}
	}
}

// dig makes folders inside each other, so deep that the path of the last one is too long to use.
func dig(t *testing.T, dir string, depth int) {
	t.Helper()
	at, err := unix.Open(dir, unix.O_DIRECTORY, 0)
	must(t, err)
	name := strings.Repeat("d", 200)
	for range depth {
		must(t, unix.Mkdirat(at, name, 0o700))
		next, err := unix.Openat(at, name, unix.O_DIRECTORY, 0)
		must(t, err)
		must(t, unix.Close(at))
		at = next
	}
	must(t, unix.Fchmod(at, 0))
	must(t, unix.Close(at))
}

// fewDescriptors lowers how many files this process may have open to less than the depth of the folders of dig.
func fewDescriptors(t *testing.T) {
	t.Helper()
	var limit unix.Rlimit
	must(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &limit))
	low := limit
	low.Cur = min(low.Cur, 60)
	must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &low))
	t.Cleanup(func() { must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)) })
}

func TestFoldersOfAnyDepthAreRemoved(t *testing.T) {
	root := sampleTree(t)
	c := newCopyOf(t, root)
	dir, want := c.Dir(root), contents(t, c.Dir(root))
	fewDescriptors(t)
	dig(t, c.Tmp(), 500)
	dig(t, filepath.Join(dir, "a"), 500)
	must(t, c.Restore())
	if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if left, err := os.ReadDir(c.Tmp()); len(left) > 0 || err != nil {
		t.Errorf("left: %v, %v", left, err)
	}
	dig(t, c.Home(), 500) // Close has to remove this
}

func TestNamesMayBeAnything(t *testing.T) {
	root := sampleTree(t)
	for _, name := range []string{"new\nline", "-rf", " ", "\xff\xfe", "~", "*", `\`} {
		mustWrite(t, filepath.Join(root, name+"d", name), name)
	}
	c := newCopyOf(t, root)
	dir, want := c.Dir(root), contents(t, c.Dir(root))
	if len(want) < 20 {
		t.Errorf("%q", want)
	}
	mustWrite(t, filepath.Join(dir, "other\nline", "\n"), "")
	mustWrite(t, filepath.Join(dir, "new\nlined", "new\nline"), "changed")
	must(t, os.Symlink("nowhere", filepath.Join(dir, "\n")))
	must(t, c.Restore())
	if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestAProcessThatHoldsAFileOpenDoesNotChangeTheRestoredCopy(t *testing.T) {
	root := sampleTree(t)
	c := newCopyOf(t, root)
	dir, want := c.Dir(root), contents(t, c.Dir(root))
	for _, before := range []string{"", "m"} {
		f, err := os.OpenFile(filepath.Join(dir, "go.mod"), os.O_WRONLY, 0)
		must(t, err)
		defer f.Close()
		_, err = f.WriteString(before)
		must(t, err)
		must(t, c.Restore())
		_, err = f.WriteString("M")
		must(t, err)
		if before == "" { // nothing had changed so far
			must(t, c.Restore())
		}
		if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
			t.Errorf("written before %q: -want +got\n%s", before, diff)
		}
	}
}

func TestFoldersWithoutPermissionsAreRestoredAndRemoved(t *testing.T) {
	root := sampleTree(t)
	c := newCopyOf(t, root)
	dir, want := c.Dir(root), contents(t, c.Dir(root))
	bar := func() {
		tops := []string{dir, filepath.Dir(dir), c.Tmp(), c.Home(), c.Base()}
		for _, top := range tops {
			mustWrite(t, filepath.Join(top, "x/y/z/f"), "")
			for _, below := range []string{"x/y/z/f", "x/y/z", "x/y", "x"} {
				must(t, os.Chmod(filepath.Join(top, below), 0))
			}
		}
		must(t, os.Chmod(filepath.Join(dir, "a"), 0))
		for _, top := range tops {
			must(t, os.Chmod(top, 0))
		}
	}
	bar()
	must(t, c.Restore())
	if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	bar() // Close has to remove this
}

func TestEverythingMayHaveGoneOrBeALink(t *testing.T) {
	root := sampleTree(t)
	c := newCopyOf(t, root)
	dir, want := c.Dir(root), contents(t, c.Dir(root))
	outside, changes := canary(t, map[string]string{"tree/repo/go.mod": "", "home/f": "", "tmp/f": ""})
	for _, name := range []string{c.Base(), filepath.Dir(dir), dir, c.Home(), c.Tmp()} {
		for what, act := range map[string]func() error{
			"gone":   func() error { return os.RemoveAll(name) },
			"a link": func() error { return errors.Join(os.RemoveAll(name), os.Symlink(outside, name)) },
			"a file": func() error { return errors.Join(os.RemoveAll(name), os.WriteFile(name, nil, 0)) },
		} {
			must(t, act())
			must(t, c.Restore())
			if diff := cmp.Diff(want, contents(t, dir)); diff != "" {
				t.Errorf("%s was %s: -want +got\n%s", name, what, diff)
			}
		}
	}
	if diff := changes(); diff != "" {
		t.Errorf("outside of the copy: -before +after\n%s", diff)
	}
}
