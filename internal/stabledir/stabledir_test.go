//go:build unix && !solaris && !aix

package stabledir

import (
	"os"
	"path/filepath"
	"testing"
)

func TestPathDependsOnlyOnTheTestAndOnWhoElseRunsIt(t *testing.T) {
	root := t.TempDir()
	t.Setenv("TMPDIR", root)
	name := filepath.Join(root, "mutantfuzz-"+t.Name()+"-")
	for _, want := range []string{"0", "1", "2"} {
		if got := Make(t); got != name+want {
			t.Errorf("got %s, want %s", got, name+want)
		}
	}
}

func TestFolderIsEmptyAndGoesWithTheTest(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "claimed")
	if err := os.MkdirAll(filepath.Join(dir, "left", "behind"), 0o755); err != nil {
		t.Fatal(err)
	}
	release := claim(dir)
	if release == nil {
		t.Fatal("the folder of a run that was killed cannot be claimed")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("it has %v, %v", entries, err)
	}
	release()
	if entries, err := os.ReadDir(root); err != nil || len(entries) > 0 {
		t.Errorf("there remain %v, %v", entries, err)
	}
}

func TestFolderInUseIsNotClaimedAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "claimed")
	release := claim(dir)
	if release == nil {
		t.Fatal("it cannot be claimed")
	}
	if claim(dir) != nil {
		t.Error("claimed twice")
	}
	release()
	if release = claim(dir); release == nil {
		t.Fatal("it cannot be claimed again after use")
	}
	release()
}

func TestLinkIsNotClaimed(t *testing.T) {
	root := t.TempDir()
	kept := filepath.Join(root, "elsewhere", "kept")
	if err := os.MkdirAll(kept, 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(root, "link")
	if err := os.Symlink(filepath.Dir(kept), link); err != nil {
		t.Fatal(err)
	}
	if claim(link) != nil {
		t.Error("a link is claimed")
	}
	if _, err := os.Stat(kept); err != nil {
		t.Error(err)
	}
}
