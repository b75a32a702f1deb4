package testdiff

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// folder reads test files in a new folder.
func folder(t *testing.T, files map[string]string) Folder {
	t.Helper()
	dir := t.TempDir()
	for name, src := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Read(dir)
}

func TestTestsOfTheSameNameAreToldApart(t *testing.T) {
	files := map[string]string{
		"p_unix_test.go":    "package p\n\nfunc TestX(t *testing.T) { f(1) }\n",
		"p_windows_test.go": "package p\nfunc TestX(t *testing.T) { f(2) }\n",
	}
	old, same := folder(t, files), folder(t, files)
	files["p_unix_test.go"] = "package p\n\nfunc TestX(t *testing.T) { f(3) }\n"
	now := folder(t, files)
	if changes := same.Changes(old, results.TestAdded); len(changes) > 0 || !same.Same(old, "TestX") {
		t.Errorf("what is the same changes: %v", changes)
	}
	if changes := now.Changes(old, results.TestAdded); changes["TestX"] != results.TestAltered || now.Same(old, "TestX") {
		t.Errorf("what is altered: %v", changes)
	}
	if file, line := now.Place("TestX"); file != "p_unix_test.go" || line != 3 {
		t.Errorf("it is at %s:%d", file, line)
	}
}

func TestTestsThatChangeAreToldFromThoseThatMove(t *testing.T) {
	old := folder(t, map[string]string{
		"a_test.go": "package p\nfunc TestKept(t *testing.T) { f(1) }\nfunc TestMoved(t *testing.T) { f(2) }\nfunc TestAltered(t *testing.T) { f(3) }\nfunc TestMore(t *testing.T) {\n\tf(8)\n}\nfunc TestMain(m *testing.M) { g() }",
		"b_test.go": "package p\nfunc TestDeleted(t *testing.T) { f(4) }\nfunc TestRenamed(t *testing.T) { f(5) }\nfunc TestFpBase(t *testing.T) { ok(t, run(`fpBase a/b`, `b`)) }\nfunc helper() { f(6) }\nfunc BenchmarkB(b *testing.B) { f(7) }",
		"c_test.go": "package p\nfunc TestNoGo(",
		"d.go":      "package p\nfunc TestNoTest(t *testing.T) {}",
	})
	now := folder(t, map[string]string{
		"a_test.go":   "package p\n\n// Kept.\nfunc TestKept(t *testing.T) {\n\tf(1) // as before\n}\nfunc TestAltered(t *testing.T) { f(33) }\nfunc TestMore(t *testing.T) {\n\tf(8)\n\tf(9)\n}\nfunc TestMain(m *testing.M) { h() }",
		"new_test.go": "package p_test\nfunc TestMoved(t *testing.T) { f(2) }\nfunc TestOther(t *testing.T) { f(5) }\nfunc TestOsBase(t *testing.T) { ok(t, run(`osBase a/b`, `b`)) }",
	})
	want := map[string]string{"TestAltered": "altered", "TestDeleted": "deleted", "TestFpBase": "altered"}
	if got := old.Changes(now, results.TestDeleted); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	for test, want := range map[string]string{"TestKept": "a_test.go:4", "TestOsBase": "new_test.go:4", "TestNone": ":0"} {
		if file, line := now.Place(test); fmt.Sprintf("%s:%d", file, line) != want {
			t.Errorf("%s is at %s:%d, want %s", test, file, line, want)
		}
	}
	want = map[string]string{"TestAltered": "altered", "TestMore": "altered", "TestOsBase": "altered"}
	if got := now.Changes(old, results.TestAdded); !maps.Equal(got, want) {
		t.Errorf("added: got %v, want %v", got, want)
	}
	delete(old.tests, "TestRenamed")
	if got := now.Changes(old, results.TestAdded)["TestOther"]; got != "added" {
		t.Errorf("a new test is %q", got)
	}
	for test, want := range map[string]bool{"TestKept": true, "TestMoved": true, "TestAltered": false, "TestMore": false, "TestDeleted": false, "TestNone": false} {
		if got := old.Same(now, test); got != want {
			t.Errorf("%s is the same: %t", test, got)
		}
	}
	if got, want := now.InOtherFiles(old), []string{"TestKept", "TestAltered", "TestMore", "TestMoved", "TestOther", "TestOsBase"}; !slices.Equal(got, want) {
		t.Errorf("in other files: %v, want %v", got, want)
	}
	files := old.Instead(now, "dir")
	if names := slices.Sorted(maps.Keys(files)); !slices.Equal(names, []string{filepath.Join("dir", "a_test.go"), filepath.Join("dir", "b_test.go"), filepath.Join("dir", "new_test.go")}) {
		t.Errorf("files %q", names)
	}
	if src := string(files[filepath.Join("dir", "new_test.go")]); src != "package p_test\n" {
		t.Errorf("in place of a new file: %q", src)
	}
}

func TestAMethodOfASuiteIsPartOfTheTestThatRunsTheSuite(t *testing.T) {
	const suite = "package p\nfunc TestSuite(t *testing.T) { suite.Run(t, new(mySuite)) }\nfunc TestOther(t *testing.T) { f(1) }\n" +
		"func (s *mySuite) TestA() { s.Equal(1, f()) }\nfunc (s *mySuite) helper() { g() }\n"
	old := folder(t, map[string]string{"a_test.go": suite})
	for method, want := range map[string]map[string]string{
		"":                                     {},
		"func (s *mySuite) TestB() { g() }":    {"TestSuite": "altered"},
		"func (s *otherSuite) TestB() { g() }": {},
		"func (s mySuite) more() { g() }":      {},
	} {
		now := folder(t, map[string]string{"a_test.go": suite, "b_test.go": "package p\n" + method})
		if got := now.Changes(old, results.TestAdded); !maps.Equal(got, want) {
			t.Errorf("with %q: %v, want %v", method, got, want)
		}
		if now.Same(old, "TestSuite") != (len(want) == 0) || !now.Same(old, "TestOther") {
			t.Errorf("with %q: the suite is the same: %v", method, now.Same(old, "TestSuite"))
		}
		if gone := old.Changes(now, results.TestDeleted); len(gone) > 0 {
			t.Errorf("with %q: %v is gone", method, gone)
		}
	}
}
