package sandbox

import (
	"os"
	"path/filepath"
	"testing"
)

func guarded(t *testing.T) *Guard {
	t.Helper()
	g, err := NewGuard()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestFoldersThatAreBequeathedGoWithTheGuard(t *testing.T) {
	g, dir := guarded(t), t.TempDir()
	gone, kept := filepath.Join(dir, "gone"), filepath.Join(dir, "kept")
	for _, dir := range []string{filepath.Join(gone, "a"), kept} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(gone, "a", "f"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(gone, "a"), 0o500); err != nil {
		t.Fatal(err)
	}
	g.Bequeath(gone)
	g.Bequeath(filepath.Join(dir, "missing"))
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 || left[0].Name() != "kept" {
		t.Errorf("left: %v", left)
	}
}
