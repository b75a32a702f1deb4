package diffscope

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
)

// small is a module with one function that changes.
const small = `
-- base/go.mod --
module example.com/m
-- base/a.go --
package m

func A() int {
	// one
	return 1
}
-- head/go.mod --
module example.com/m
-- head/a.go --
package m

func A() int {
	// two
	return 2
}
`

const smallDiff = `--- a/a.go
+++ b/a.go
@@ -3,4 +3,4 @@ package m
 func A() int {
-	// one
-	return 1
+	// two
+	return 2
 }
`

func ids(s *Scope) []string {
	var got []string
	for _, f := range s.Functions {
		got = append(got, f.ID)
	}
	return got
}

func TestErrorsHaveAKindAndAHint(t *testing.T) {
	repo := repository(t, txtar.Parse([]byte(small)))
	commit(t, repo, "head")
	gitIn(t, repo, "checkout", "--quiet", "--orphan", "other")
	commit(t, repo, "unrelated")
	gitIn(t, repo, "checkout", "--quiet", "main")
	shallow := filepath.Join(t.TempDir(), "clone")
	gitIn(t, ".", "clone", "--quiet", "--depth=1", "file://"+repo, shallow)
	plain := t.TempDir()
	write(t, plain, txtar.Parse([]byte(small)), "head/")
	broken := t.TempDir()
	write(t, broken, txtar.Parse([]byte("-- go.mod --\nmodule example.com/m\n-- a.go --\npackage m\n\nfunc {\n")), "")
	badMod := t.TempDir()
	write(t, badMod, txtar.Parse([]byte("-- go.mod --\nmodule (\n-- a.go --\npackage m\n")), "")
	event := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(event, []byte("no JSON"), 0o644); err != nil {
		t.Fatal(err)
	}
	added := "--- /dev/null\n+++ b/a.go\n@@ -0,0 +1,3 @@\n+package m\n+\n+func {\n"
	for _, test := range []struct {
		name string
		cfg  Config
		kind fault.Kind
		says string
	}{
		{"no repository", Config{Dir: plain, Base: "main"}, fault.NotRepository, "--diff"},
		{"no base", Config{Dir: repo}, fault.NoBase, "--base"},
		{"unknown base", Config{Dir: repo, Base: "nonsense"}, fault.UnknownRevision, `"nonsense"`},
		{"base like an option", Config{Dir: repo, Base: "--all"}, fault.UnknownRevision, `"--all"`},
		{"unknown head", Config{Dir: repo, Base: "base", Head: "nonsense"}, fault.UnknownRevision, `"nonsense"`},
		{"no common history", Config{Dir: repo, Base: "other"}, fault.NoMergeBase, "no merge base"},
		{"shallow clone", Config{Dir: shallow, Base: gitIn(t, repo, "rev-parse", "base")}, fault.UnknownRevision, "fetch-depth: 0"},
		{"broken event", Config{Dir: repo, Event: event}, fault.BadConfig, "event.json"},
		{"prose for a diff", Config{Dir: plain, HaveDiff: true, Diff: []byte("hello\n")}, fault.BrokenDiff, "git diff"},
		{"cut diff", Config{Dir: plain, HaveDiff: true, Diff: []byte(smallDiff[:len(smallDiff)-14])}, fault.BrokenDiff, "complete"},
		{"stale diff", Config{Dir: plain, HaveDiff: true, Diff: []byte(strings.ReplaceAll(smallDiff, "two", "three"))}, fault.DiffMismatch,
			`a.go:4: the diff has "\t// three", the source tree has "\t// two"`},
		{"diff beyond the end", Config{Dir: plain, HaveDiff: true, Diff: []byte(strings.ReplaceAll(smallDiff, "+3,4", "+30,4"))}, fault.DiffMismatch, "line 30"},
		{"diff of another tree", Config{Dir: plain, HaveDiff: true, Diff: []byte(strings.ReplaceAll(smallDiff, "a.go", "z.go"))}, fault.DiffMismatch, "z.go"},
		{"diff deletes what is there", Config{Dir: plain, HaveDiff: true,
			Diff: []byte("--- a/a.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-package m\n")}, fault.DiffMismatch, "deletes a.go"},
		{"two sources", Config{Dir: plain, HaveDiff: true, All: true}, fault.BadConfig, "exclude each other"},
		{"no such package", Config{Dir: plain, All: true, Packages: []string{"./nonsense"}}, fault.BadConfig, "nonsense"},
		{"no package matches", Config{Dir: plain, All: true, Packages: []string{"example.com/other/..."}}, fault.BadConfig, "example.com/other/..."},
		{"a file for a folder", Config{Dir: filepath.Join(plain, "a.go"), All: true}, fault.BadConfig, "a.go is not a folder"},
		{"no module", Config{Dir: t.TempDir(), All: true}, fault.NoModule, "go mod init"},
		{"broken module", Config{Dir: badMod, All: true}, fault.Unloadable, "go.mod"},
		{"broken file", Config{Dir: broken, All: true}, fault.Syntax, "a.go:3:6"},
		{"broken changed file", Config{Dir: broken, HaveDiff: true, Diff: []byte(added)}, fault.Syntax, "a.go:3:6"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := find(t, test.cfg)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("got %+v, %v", s, err)
			}
			if e.Kind != test.kind || !strings.Contains(err.Error(), test.says) || e.Hint == "" {
				t.Errorf("kind %d, want %d; %v", e.Kind, test.kind, err)
			}
			if program := test.kind == fault.NoModule || test.kind == fault.Unloadable || test.kind == fault.Syntax; e.Program() != program {
				t.Errorf("Program() = %v", e.Program())
			}
		})
	}
}

func TestMissingCommandsAreSaidSo(t *testing.T) {
	repo := repository(t, txtar.Parse([]byte(small)))
	t.Setenv("PATH", t.TempDir())
	for kind, cfg := range map[fault.Kind]Config{
		fault.NoGit: {Dir: repo, Base: "base"},
		fault.NoGo:  {Dir: repo, All: true},
	} {
		if _, err := Find(t.Context(), cfg); !fault.Is(err, kind) {
			t.Errorf("want kind %d, got %v", kind, err)
		}
	}
}

func TestEmptyDiffTouchesNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, txtar.Parse([]byte(small)), "head/")
	s, err := find(t, Config{Dir: dir, HaveDiff: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("note: no Go file changed\n", render(s)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestBaseIsTheMergeBaseAndComesFromTheEvent(t *testing.T) {
	repo := repository(t, txtar.Parse([]byte(small)))
	commit(t, repo, "head")
	gitIn(t, repo, "checkout", "--quiet", "-b", "target", "base")
	other := "package m\n\nfunc Other() {}\n"
	if err := os.WriteFile(filepath.Join(repo, "other.go"), []byte(other), 0o644); err != nil {
		t.Fatal(err)
	}
	commit(t, repo, "the target moves on")
	target := gitIn(t, repo, "rev-parse", "HEAD")
	gitIn(t, repo, "checkout", "--quiet", "main")
	event := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(event, []byte(`{"pull_request": {"base": {"sha": "`+target+`"}}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := find(t, Config{Dir: repo, Event: event})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"example.com/m.A"}, ids(s)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if r := s.Revisions; r.Base != target || r.MergeBase != gitIn(t, repo, "rev-parse", "base") || r.Head != gitIn(t, repo, "rev-parse", "main") {
		t.Errorf("got %+v", r)
	}
}

func TestBaseFallsBackToTheRemoteDefaultBranch(t *testing.T) {
	upstream := repository(t, txtar.Parse([]byte(small)))
	clone := filepath.Join(t.TempDir(), "clone")
	gitIn(t, ".", "clone", "--quiet", upstream, clone)
	write(t, clone, txtar.Parse([]byte(small)), "head/")
	s, err := find(t, Config{Dir: clone})
	if err != nil {
		t.Fatal(err)
	}
	if r := s.Revisions; r.Base != gitIn(t, upstream, "rev-parse", "base") || r.Head != "" || len(s.Functions) != 1 {
		t.Errorf("got %+v, %v", r, ids(s))
	}
}

func TestScratchCheckoutsLeaveNoTrace(t *testing.T) {
	repo := repository(t, txtar.Parse([]byte(small)))
	commit(t, repo, "head")
	gitIn(t, repo, "checkout", "--quiet", "base")
	listing := func() []string {
		var names []string
		err := filepath.WalkDir(repo, func(path string, _ os.DirEntry, err error) error {
			names = append(names, path)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	before := listing()
	s, err := Find(t.Context(), Config{Dir: repo, Base: "base", Head: "main"})
	if err != nil {
		t.Fatal(err)
	}
	for tree, want := range map[string]string{s.Tree: "return 2", s.BaseTree: "return 1"} {
		got, err := os.ReadFile(filepath.Join(tree, "a.go"))
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s has %q, %v", tree, got, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.BaseTree); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is left over", s.BaseTree)
	}
	if diff := cmp.Diff(before, listing()); diff != "" {
		t.Errorf("-before +after:\n%s", diff)
	}
}

func TestHunksLeaveOutWhatChangesNoCode(t *testing.T) {
	repo := repository(t, txtar.Parse([]byte(`
-- base/go.mod --
module example.com/m
-- base/a.go --
package m

// A is old.
func A(n int) int {
	n++
	println(n)
	return n
}

func B() {}
-- base/a_test.go --
package m
-- head/go.mod --
module example.com/m
-- head/a.go --
package m

// A is new.
func A(n int) int {
	n--
	return n
}

func B() {}
-- head/a_test.go --
package m

func helper() {}
-- head/new.go --
package m

func C() {
}
`)))
	s, err := find(t, Config{Dir: repo, Base: "base"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Hunk{{File: "a.go", First: 5, Count: 1, Old: "\tn++\n\tprintln(n)\n"}}
	if diff := cmp.Diff(want, s.Hunks); diff != "" {
		t.Errorf("hunks: -want +got:\n%s", diff)
	}
	var changed [][]lines
	for _, f := range s.Functions {
		changed = append(changed, changedLines(f))
	}
	if diff := cmp.Diff([][]lines{{{5, 5}}, {{3, 4}}}, changed); diff != "" {
		t.Errorf("changed lines of %v: -want +got:\n%s", ids(s), diff)
	}
}

// A diff of whole files would extend the hunk of A into the new function B, and take the moved function First for new.
func TestHunksStayWithinTheirFunction(t *testing.T) {
	repo := repository(t, txtar.Parse([]byte(`
-- base/go.mod --
module example.com/m
-- base/a.go --
package m

func First(n int) int {
	n++
	return n
}

func A() string {
	return "old"
}
-- head/go.mod --
module example.com/m
-- head/a.go --
package m

func A() string {
	return "new"
}

func B() string {
	return "new, too"
}
-- head/b.go --
package m

func First(n int) int {
	n++
	n++
	return n - 1
}
`)))
	s, err := find(t, Config{Dir: repo, Base: "base"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Hunk{
		{File: "a.go", First: 4, Count: 1, Old: "\treturn \"old\"\n"},
		{File: "b.go", First: 5, Count: 2, Old: "\treturn n\n"},
	}
	if diff := cmp.Diff(want, s.Hunks); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestHunksWithOnlyBracketsBetweenThemAreOne(t *testing.T) {
	repo := repository(t, txtar.Parse([]byte(`
-- base/go.mod --
module example.com/m
-- base/a.go --
package m

func A(n int) int {
	if n == 0 {
		return n
	}

	println(n)
	return -n
}
-- head/go.mod --
module example.com/m
-- head/a.go --
package m

func A(n int) int {
	if n != 0 {
		return -n
	}

	println()
	return n
}
`)))
	s, err := find(t, Config{Dir: repo, Base: "base"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Hunk{{File: "a.go", First: 4, Count: 6, Old: "\tif n == 0 {\n\t\treturn n\n\t}\n\n\tprintln(n)\n\treturn -n\n"}}
	if diff := cmp.Diff(want, s.Hunks); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestIgnoredFilesAreNoPartOfTheWorkingTree(t *testing.T) {
	repo := repository(t, txtar.Parse([]byte("-- base/go.mod --\nmodule example.com/m\n-- base/.gitignore --\nout/\n"+
		"-- head/go.mod --\nmodule example.com/m\n-- head/.gitignore --\nout/\n-- head/out/x.go --\npackage out\n\nfunc F() {}\n")))
	s, err := find(t, Config{Dir: repo, Base: "base"})
	if err != nil || len(s.Functions) != 0 || s.Revisions.Head == "" {
		t.Fatalf("got %+v, %v", s, err)
	}
}

// patterns is a module with packages at three depths, and a nested module.
const patterns = `
-- go.mod --
module example.com/m
-- m.go --
package m

func M() {}
-- a/a.go --
package a

func A() {}
-- a/b/b.go --
package b

func B() {}
-- n/go.mod --
module example.com/n
-- n/n.go --
package n

func N() {}
`

func TestPackagesLimitTheScope(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, txtar.Parse([]byte(patterns)), "")
	for _, test := range []struct {
		dir      string
		packages []string
		want     string
	}{
		{".", nil, "m a b n"},
		{"n", nil, "n"},
		{"a", nil, "m a b"},
		{".", []string{"."}, "m"},
		{".", []string{"./..."}, "m a b n"},
		{".", []string{"./a/..."}, "a b"},
		{"a", []string{"./..."}, "a b"},
		{"a", []string{"."}, "a"},
		{".", []string{"./n", "./a"}, "a n"},
		{".", []string{"example.com/m/a"}, "a"},
		{".", []string{"example.com/m/..."}, "m a b"},
		{".", []string{"all"}, "m a b n"},
	} {
		s, err := find(t, Config{Dir: filepath.Join(dir, test.dir), All: true, Packages: test.packages})
		if err != nil {
			t.Errorf("%s %v: %v", test.dir, test.packages, err)
			continue
		}
		var got []string
		for _, f := range s.Functions {
			got = append(got, strings.ToLower(f.Name))
		}
		want := strings.Fields(test.want)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s %v: got %v, want %v", test.dir, test.packages, got, want)
		}
	}
}

func TestDiffMayBeRelativeToTheFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, txtar.Parse([]byte(strings.ReplaceAll(small, "head/a.go", "head/sub/a.go"))), "head/")
	for _, name := range []string{"a.go", "sub/a.go"} {
		diff := strings.ReplaceAll(smallDiff, "a.go", name)
		s, err := find(t, Config{Dir: filepath.Join(dir, "sub"), HaveDiff: true, Diff: []byte(diff)})
		if err != nil || !slices.Equal(ids(s), []string{"example.com/m/sub.A"}) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLineEndingsOfTheWorkingTreeMayDiffer(t *testing.T) {
	dir := t.TempDir()
	crlf := txtar.Parse([]byte(small))
	for i := range crlf.Files {
		crlf.Files[i].Data = []byte(strings.ReplaceAll(string(crlf.Files[i].Data), "\n", "\r\n"))
	}
	write(t, dir, crlf, "head/")
	s, err := find(t, Config{Dir: dir, HaveDiff: true, Diff: []byte(smallDiff)})
	if err != nil || !slices.Equal(ids(s), []string{"example.com/m.A"}) {
		t.Errorf("got %v", err)
	}
}

func TestFileWithoutChangedTextIsNoChange(t *testing.T) {
	repo := repository(t, txtar.Parse([]byte(small)))
	gitIn(t, repo, "checkout", "--quiet", ".")
	if err := os.Chmod(filepath.Join(repo, "a.go"), 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := find(t, Config{Dir: repo, Base: "base"})
	if err != nil || render(s) != "note: no Go file changed\n" {
		t.Fatalf("got %+v, %v", s, err)
	}
}

func TestTreeWithoutTheDiffIsTheBase(t *testing.T) {
	repo := repository(t, txtar.Parse([]byte(small)))
	diff := []byte(gitIn(t, repo, "diff", "base") + "\n")
	find := func() *Scope {
		t.Helper()
		s, err := Find(t.Context(), Config{Dir: repo, HaveDiff: true, Diff: diff})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
	for _, committed := range []bool{false, true} { // the diff may only be in the working tree
		if committed {
			commit(t, repo, "head")
		}
		got, err := os.ReadFile(filepath.Join(find().BaseTree, "a.go"))
		if err != nil || !strings.Contains(string(got), "return 1") {
			t.Errorf("committed %t: %q, %v", committed, got, err)
		}
	}
	if err := os.WriteFile(filepath.Join(repo, "go.mod"), []byte("module example.com/other\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if s := find(); s.BaseTree != "" {
		t.Errorf("with another change in the working tree the base is %s", s.BaseTree)
	}
}

func TestFilesThatACloneLacksAreLeftOutOfTheBase(t *testing.T) {
	for name, wants := range map[string]string{"data.bin": "", "b.go": "hint: git fetch --refetch"} {
		archive := txtar.Parse([]byte(small))
		for _, side := range []string{"base/", "head/"} {
			archive.Files = append(archive.Files, txtar.File{Name: side + name, Data: []byte("package m\n")})
		}
		repo := repository(t, archive)
		commit(t, repo, "head")
		blob := gitIn(t, repo, "rev-parse", "base:"+name)
		if err := os.Remove(filepath.Join(repo, ".git", "objects", blob[:2], blob[2:])); err != nil {
			t.Fatal(err)
		}
		s, err := Find(t.Context(), Config{Dir: repo, Base: "base"})
		if wants != "" {
			if err == nil || !strings.Contains(err.Error(), wants) {
				t.Errorf("without %s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(filepath.Join(s.BaseTree, "a.go")); err != nil || !slices.Contains(s.Notes, "not in this clone, so left out of copies of a commit: "+name) {
			t.Errorf("%v, notes %q", err, s.Notes)
		}
		_ = s.Close()
	}
}
