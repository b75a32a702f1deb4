//go:build unix

package verdicts

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

func TestWhatALinkLeadsToChangesTheContext(t *testing.T) {
	tests := []struct {
		name, link, leads string // the link is in the folder tree/p
		file              string // is changed
		own, changes      bool
	}{
		{"data of the tests", "testdata", "../shared", "tree/shared/in.txt", true, true},
		{"data of others' tests", "testdata", "../shared", "tree/shared/in.txt", false, false},
		{"a file", "data.txt", "../shared/in.txt", "tree/shared/in.txt", false, true},
		{"another file beside it", "data.txt", "../shared/in.txt", "tree/shared/a.go", false, false},
		{"a source file", "a.go", "../shared/a.go", "tree/shared/a.go", false, true},
		{"a link to a link", "testdata", "../also", "tree/shared/in.txt", true, true},
		{"a circle", "testdata", "..", "tree/shared/in.txt", true, true},
		{"a module in a circle", "testdata", "..", "tree/mutantfuzz.out/results.json", true, false},
		{"another package", "q", "../shared", "tree/shared/a.go", true, false},
		{"what is no part of the program", "testdata", "../../outside", "outside/in.txt", true, false},
		{"nothing yet", "data.txt", "../shared/new.txt", "tree/shared/new.txt", true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			writeTree(t, root, map[string]string{
				"tree/p/p.go": wovenSource, "tree/shared/in.txt": "1", "tree/shared/a.go": "package p\n", "outside/in.txt": "1",
				"tree/mutantfuzz.out/go.mod": "module out\n", "tree/mutantfuzz.out/results.json": "1",
			})
			dir, also := filepath.Join(root, "tree", "p"), filepath.Join(root, "tree", "also")
			for name, leads := range map[string]string{filepath.Join(dir, tt.link): tt.leads, also: "shared"} {
				if err := os.Symlink(leads, name); err != nil {
					t.Fatal(err)
				}
			}
			b := &bodies{tree: filepath.Join(root, "tree")}
			before, err := b.digestPackage(&gotool.Package{Dir: dir}, tt.own)
			if err != nil {
				t.Fatal(err)
			}
			writeTree(t, root, map[string]string{tt.file: "package p\n\nvar y int\n"})
			after, err := b.digestPackage(&gotool.Package{Dir: dir}, tt.own)
			if err != nil || (after != before) != tt.changes {
				t.Errorf("the digest changes: %t, %v", after != before, err)
			}
		})
	}
}

func TestALinkThatLeadsElsewhereChangesTheContext(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{"p.go": wovenSource})
	seen := map[string]bool{}
	for _, leads := range []string{"/etc", "/usr", "nowhere"} {
		link := filepath.Join(dir, "testdata")
		_ = os.Remove(link)
		if err := os.Symlink(leads, link); err != nil {
			t.Fatal(err)
		}
		seen[digestOf(t, dir, true)] = true
	}
	if len(seen) != 3 {
		t.Errorf("%d digests of three links", len(seen))
	}
}
