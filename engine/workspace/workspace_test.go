package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
)

func TestFoldersAreBelowThatOfTheRunnerAndGoInTheEnd(t *testing.T) {
	runner, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := New([]string{"RUNNER_TEMP=relative", "RUNNER_TEMP=" + runner}, pool.Config{})
	first, err := w.Folder("program")
	if err != nil {
		t.Fatal(err)
	}
	second, err := w.Folder("program")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{first, second} {
		if !strings.HasPrefix(dir, runner) || !strings.HasPrefix(filepath.Base(dir), "program-") {
			t.Errorf("a folder is %s", dir)
		}
	}
	if first == second || filepath.Dir(first) != filepath.Dir(second) {
		t.Errorf("the folders are %s and %s", first, second)
	}
	w.Close()
	if left, err := os.ReadDir(runner); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

func TestSlotsAreOpenedOnceAndNotBefore(t *testing.T) {
	runner := t.TempDir()
	w := New([]string{"RUNNER_TEMP=" + runner}, pool.Config{Workers: 1, Tree: t.TempDir(), Sandbox: sandbox.Off})
	defer w.Close()
	if w.InForce() != nil {
		t.Errorf("rules without a slot: %q", w.InForce())
	}
	if left, err := os.ReadDir(runner); err != nil || len(left) > 0 {
		t.Errorf("there is something already: %v, %v", left, err)
	}
	slots, err := w.Slots()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := w.Slots(); again != slots || err != nil {
		t.Errorf("other slots, %v", err)
	}
	if rel, err := filepath.Rel(w.folder, slots.Work); err != nil || rel != "." {
		t.Errorf("they work in %s", slots.Work)
	}
}
