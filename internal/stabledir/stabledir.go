// Package stabledir gives tests a folder that has the same path in every run.
//
// The go command builds a package anew if it is in another folder than before, because its object files name the
// folder. Tests that build what they have written into t.TempDir(), whose path is new each time, thus build all of it in
// every run, with the run-time that is woven into it, and leave all of that in the build cache. In a folder with the same
// path they build only what has changed.
package stabledir

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/internal/folder"
)

// most is the number of test processes that can each have such a folder for the same test at once.
const most = 16

var unfit = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// Make returns an empty folder for the test t, which is removed when t ends. While another process runs the same test,
// or if the system has no locks, the path of the folder is one that no other run has.
func Make(t testing.TB) string {
	t.Helper()
	for n := range most {
		dir := filepath.Join(os.TempDir(), fmt.Sprintf("mutantfuzz-%s-%d", unfit.ReplaceAllString(t.Name(), "-"), n))
		if release := claim(dir); release != nil {
			t.Cleanup(release)
			return dir
		}
	}
	return t.TempDir()
}

// empty removes what a killed run has left in dir.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := folder.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}
