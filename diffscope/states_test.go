package diffscope

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// put writes a file.
func put(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// function returns a file of package m with one function.
func function(name string, result int) string {
	return fmt.Sprintf("package m\n\nfunc %s() int { return %d }\n", name, result)
}

// started makes a repository with A, B and C in a file each, tagged "base".
func started(t *testing.T) string {
	t.Helper()
	return repository(t, txtar.Parse([]byte(strings.Join([]string{
		"-- base/go.mod --\nmodule example.com/m",
		"-- base/a.go --\n" + function("A", 1) + "-- base/b.go --\n" + function("B", 1) + "-- base/c.go --\n" + function("C", 1),
		"-- head/go.mod --\nmodule example.com/m",
		"-- head/a.go --\n" + function("A", 1) + "-- head/b.go --\n" + function("B", 1) + "-- head/c.go --\n" + function("C", 1),
	}, "\n"))))
}

// names returns the names of the functions in scope, without the import path.
func names(s *Scope) string {
	var got []string
	for _, f := range s.Functions {
		got = append(got, f.Name)
	}
	return strings.Join(got, " ")
}

func TestWorkingTreesInEveryState(t *testing.T) {
	for _, test := range []struct {
		name    string
		prepare func(t *testing.T, dir string)
		want    string
	}{
		{"clean", func(t *testing.T, dir string) {}, ""},
		{"changed", func(t *testing.T, dir string) { put(t, dir, "a.go", function("A", 2)) }, "A"},
		{"staged", func(t *testing.T, dir string) {
			put(t, dir, "a.go", function("A", 2))
			put(t, dir, "new.go", function("N", 1))
			gitIn(t, dir, "add", ".")
		}, "A N"},
		{"staged, then changed back", func(t *testing.T, dir string) {
			put(t, dir, "a.go", function("A", 2))
			gitIn(t, dir, "add", ".")
			put(t, dir, "a.go", function("A", 1))
		}, ""},
		{"staged as new, then deleted", func(t *testing.T, dir string) {
			put(t, dir, "new.go", function("N", 1))
			gitIn(t, dir, "add", ".")
			if err := os.Remove(filepath.Join(dir, "new.go")); err != nil {
				t.Fatal(err)
			}
		}, ""},
		{"intended to be added", func(t *testing.T, dir string) {
			put(t, dir, "new.go", function("N", 1))
			gitIn(t, dir, "add", "--intent-to-add", "new.go")
		}, "N"},
		{"untracked", func(t *testing.T, dir string) { put(t, dir, "new.go", function("N", 1)) }, "N"},
		{"deleted but staged", func(t *testing.T, dir string) {
			gitIn(t, dir, "rm", "--quiet", "--cached", "a.go") // untracked, with the same text
		}, ""},
		{"touched only", func(t *testing.T, dir string) { put(t, dir, "a.go", function("A", 1)) }, ""},
		{"moved with git", func(t *testing.T, dir string) { gitIn(t, dir, "mv", "a.go", "z.go") }, ""},
		{"in the midst of a merge", func(t *testing.T, dir string) {
			put(t, dir, "a.go", function("A", 2))
			commit(t, dir, "ours")
			gitIn(t, dir, "checkout", "--quiet", "-b", "side", "base")
			put(t, dir, "b.go", function("B", 2))
			commit(t, dir, "theirs")
			gitIn(t, dir, "checkout", "--quiet", "main")
			gitIn(t, dir, "merge", "--quiet", "--no-commit", "side")
		}, "A B"},
		{"a file became a link", func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "a.go")); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("b.go", filepath.Join(dir, "a.go")); err != nil {
				t.Skip(err)
			}
		}, ""},
		{"a file became binary", func(t *testing.T, dir string) {
			gitIn(t, dir, "config", "core.attributesFile", filepath.Join(dir, "attributes"))
			put(t, dir, "attributes", "a.go binary\n")
			put(t, dir, "a.go", function("A", 2))
		}, "A"},
		{"a submodule", func(t *testing.T, dir string) {
			other := started(t)
			gitIn(t, dir, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other, "sub")
			put(t, dir, "sub/a.go", function("A", 2))
			put(t, dir, "b.go", function("B", 2))
		}, "B"},
		{"a linked worktree", func(t *testing.T, dir string) {
			gitIn(t, dir, "worktree", "add", "--quiet", "-b", "elsewhere", "wt")
			put(t, dir, "wt/a.go", function("A", 2))
		}, ""},
		{"configured oddly", func(t *testing.T, dir string) {
			for _, setting := range []string{"diff.noprefix=true", "diff.mnemonicPrefix=true", "color.ui=always",
				"diff.external=false", "diff.context=9", "core.quotePath=false", "diff.renames=copies", "diff.algorithm=histogram"} {
				key, value, _ := strings.Cut(setting, "=")
				gitIn(t, dir, "config", key, value)
			}
			put(t, dir, "a.go", function("A", 2))
			put(t, dir, "ä ö.go", function("N", 1))
		}, "A N"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := started(t)
			test.prepare(t, dir)
			s, err := find(t, Config{Dir: dir, Base: "base"})
			if err != nil {
				t.Fatal(err)
			}
			if got := names(s); got != test.want {
				t.Errorf("got %q, want %q; notes %q", got, test.want, s.Notes)
			}
		})
	}
}

// The base is the commit where the branch left the target, not the current head of the target.
func TestMergeBasesOfTangledHistories(t *testing.T) {
	dir := started(t)
	change := func(branch, file, text string) {
		t.Helper()
		gitIn(t, dir, "checkout", "--quiet", branch)
		put(t, dir, file, text)
		commit(t, dir, file)
	}
	gitIn(t, dir, "branch", "topic")
	change("main", "b.go", function("B", 2))
	change("topic", "a.go", function("A", 2))
	// Criss-cross: each branch merges an earlier commit of the other.
	gitIn(t, dir, "branch", "main-before", "main")
	gitIn(t, dir, "merge", "--quiet", "-m", "main into topic", "main")
	gitIn(t, dir, "checkout", "--quiet", "main")
	gitIn(t, dir, "merge", "--quiet", "-m", "topic into main", "topic~1")
	change("main", "b.go", function("B", 3))
	change("topic", "c.go", function("C", 2))
	s, err := find(t, Config{Dir: dir, Base: "main"})
	if err != nil {
		t.Fatal(err)
	}
	// Either merge base will do. But against main-before, whose B is that of the topic, B must not be in scope.
	if got := names(s); !slices.Contains([]string{"A C", "B C", "A B C"}, got) || strings.Contains(got, "B") && s.Revisions.MergeBase == gitIn(t, dir, "rev-parse", "main-before") {
		t.Errorf("got %q against %s", got, s.Revisions.MergeBase)
	}
	gitIn(t, dir, "merge", "--quiet", "-m", "main once more", "main")
	s, err = find(t, Config{Dir: dir, Base: "main"})
	if err != nil {
		t.Fatal(err)
	}
	if got := names(s); got != "C" {
		t.Errorf("after the merge of the target: got %q, want C", got)
	}
}

func TestRevisionIsAnalysedWhateverTheTreeHas(t *testing.T) {
	dir := started(t)
	put(t, dir, "a.go", function("A", 2))
	commit(t, dir, "head")
	put(t, dir, "a.go", "package m\n\nthis is no Go\n")
	put(t, dir, "b.go", function("B", 9))
	put(t, dir, "untracked.go", function("U", 1))
	s, err := find(t, Config{Dir: dir, Base: "base", Head: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	if got := names(s); got != "A" || s.Tree == s.Root || filepath.Base(s.Tree) != filepath.Base(s.Root) {
		t.Errorf("got %q in %s, of %s", got, s.Tree, s.Root)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "b.go")); err != nil || string(text) != function("B", 9) {
		t.Errorf("the working tree was changed: %s, %v", text, err)
	}
}

func TestRootMayBeReachedThroughALink(t *testing.T) {
	dir := started(t)
	put(t, dir, "sub/s.go", strings.Replace(function("S", 1), "package m", "package sub", 1))
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	for _, cfg := range []Config{
		{Dir: link, Base: "base"},
		{Dir: filepath.Join(link, "sub"), Base: "base"},
		{Dir: link, Base: "base", Packages: []string{"./sub"}},
		{Dir: filepath.Join(link, "sub"), Base: "base", Packages: []string{"."}},
	} {
		s, err := find(t, cfg)
		if err != nil {
			t.Errorf("%+v: %v", cfg, err)
		} else if got := names(s); got != "S" || s.Functions[0].File != "sub/s.go" {
			t.Errorf("%+v: got %q", cfg, got)
		}
	}
}

func TestRepositoryWithoutGoMayChange(t *testing.T) {
	dir := repository(t, txtar.Parse([]byte("-- base/README --\nold\n-- head/README --\nnew\n")))
	s, err := find(t, Config{Dir: dir, Base: "base"})
	if err != nil || render(s) != "note: no Go file changed\n" {
		t.Errorf("got %+v, %v", s, err)
	}
}

// users returns the source of n functions that each return limit.
func users(n int, name, limit string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "func %s%d() int { return %s }\n", name, i, limit)
	}
	return b.String()
}

func TestOfManyUsersTheNearestAreInScopeAndTheOthersNoted(t *testing.T) {
	dir := repository(t, txtar.Parse(fmt.Appendf(nil, `
-- base/go.mod --
module example.com/m
-- base/z/z.go --
package z

const Limit = 1

func Z() int { return 1 }

%[1]s
-- base/z/a.go --
package z

%[2]s
-- base/a/a.go --
package a

import "example.com/m/z"

%[3]s
-- head/go.mod --
module example.com/m
-- head/z/z.go --
package z

const Limit = 2

func Z() int { return 2 }

%[1]s
-- head/z/a.go --
package z

%[2]s
-- head/a/a.go --
package a

import "example.com/m/z"

%[3]s
`, users(3, "Same", "Limit"), users(15, "Beside", "Limit"), users(12, "Far", "z.Limit"))))
	s, err := find(t, Config{Dir: dir, Base: "base"})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, f := range s.Functions {
		got[strings.TrimRight(f.Name, "0123456789")]++
	}
	if diff := cmp.Diff(map[string]int{"Z": 1, "Same": 3, "Beside": 15, "Far": 2}, got); diff != "" || s.Functions[0].Name != "Z" {
		t.Errorf("%s first; -want +got:\n%s", s.Functions[0].Name, diff)
	}
	want := "unchanged functions that use what changed, left out after the nearest 20: Far2 in a/a.go, Far3 in a/a.go, " +
		"Far4 in a/a.go, Far5 in a/a.go, Far6 in a/a.go, Far7 in a/a.go, Far8 in a/a.go, Far9 in a/a.go and 2 more"
	if !slices.Contains(s.Notes, want) {
		t.Errorf("notes are %q, want %q", s.Notes, want)
	}
}
