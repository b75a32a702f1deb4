//go:build unix

package scratch

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWritePutsAFileIntoTheCopyUntilRestore(t *testing.T) {
	root := sampleTree(t)
	outside, changes := canary(t, map[string]string{"fuzz/F/in": ""})
	for name, target := range map[string]string{"linked": "a/testdata", "out": outside, "a/dangling": "../nowhere", "a/up": "../../elsewhere"} {
		must(t, os.Symlink(target, filepath.Join(root, name)))
	}
	must(t, os.Chmod(filepath.Join(root, "sub"), 0o555))
	defer os.Chmod(filepath.Join(root, "sub"), 0o755)
	c := newCopyOf(t, root)
	dir := c.Dir(root)
	before, originals := contents(t, dir), contents(t, root)
	for name, place := range map[string]string{
		"go.mod":            "go.mod",
		"new":               "new",
		"a/testdata/new/in": "a/testdata/new/in",
		"linked/new/in":     "a/testdata/new/in", // a test that follows the link finds it there
		"out/fuzz/F/in":     "out/fuzz/F/in",
		"a/dangling/in":     "a/dangling/in",
		"a/up/in":           "a/up/in",
		"sub/x":             "sub/x",
	} {
		must(t, c.Write(filepath.Join(root, name), []byte("written")))
		real, err := filepath.EvalSymlinks(filepath.Join(dir, name))
		must(t, err)
		if text, err := os.ReadFile(real); real != filepath.Join(dir, place) || string(text) != "written" {
			t.Errorf("%s is %s with %q, %v", name, real, text, err)
		}
		must(t, c.Restore())
		if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
	if diff := cmp.Diff(originals, contents(t, root)) + changes(); diff != "" {
		t.Errorf("outside of the copy: -want +got\n%s", diff)
	}
	for _, name := range []string{filepath.Join(outside, "fuzz"), root + "2/x", filepath.Dir(root)} {
		if err := c.Write(name, nil); err == nil {
			t.Errorf("%s, outside of the tree, was no error", name)
		}
	}
}
