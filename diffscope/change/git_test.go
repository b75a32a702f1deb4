package change

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// A copy of a working tree, or a change of permissions back and forth, leaves files that are newer than the index.
func TestFilesThatAreOnlyNewerThanTheIndexAreNotChanged(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q")
	write("a.json", "1")
	write("b.json", "1")
	run("add", ".")
	run("commit", "-q", "-m", "first")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "a.json"), later, later); err != nil {
		t.Fatal(err)
	}
	write("b.json", "2")
	write("c.json", "3")
	names, err := git{root: dir}.data(context.Background(), "HEAD", "")
	if want := []string{"b.json", "c.json"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("%q, %v; want %q", names, err, want)
	}
}
