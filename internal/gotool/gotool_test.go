package gotool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// tree writes the files of a txtar archive to a new folder and returns it.
func tree(t *testing.T, archive string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestUnits(t *testing.T) {
	const workspace = `
-- go.work --
go 1.26
use (
	./a
	./b
)
-- a/go.mod --
module example.com/a
go 1.21
-- a/sub/x.go --
package sub
-- b/go.mod --
module example.com/b
-- stray/go.mod --
module example.com/stray
-- a/testdata/go.mod --
module example.com/testdata
-- vendor/v/go.mod --
module example.com/vendored
-- _old/go.mod --
module example.com/old
`
	const nested = `
-- go.mod --
module example.com/root
-- sub/x.go --
package sub
-- sub/deeper/go.mod --
module example.com/root/sub/deeper
`
	for _, test := range []struct {
		name, archive, dir string
		env                []string
		want               []string // "folder: module module [environment]"
	}{
		{"workspace", workspace, ".", nil, []string{".: example.com/a example.com/b []", "stray: example.com/stray [GOWORK=off]"}},
		{"module of a workspace", workspace, "b", nil, []string{".: example.com/a example.com/b []"}},
		{"folder in a module of a workspace", workspace, "a/sub", nil, []string{".: example.com/a example.com/b []"}},
		{"workspaces switched off", workspace, ".", []string{"GOWORK=off"}, []string{
			"a: example.com/a []", "b: example.com/b []", "stray: example.com/stray []"}},
		{"nested module", nested, ".", nil, []string{".: example.com/root []", "sub/deeper: example.com/root/sub/deeper []"}},
		{"module around and below", nested, "sub", nil, []string{".: example.com/root []", "sub/deeper: example.com/root/sub/deeper []"}},
		{"no module", "-- x.go --\npackage x\n", ".", nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, test.archive)
			env := append(os.Environ(), test.env...)
			units, broken, err := Units(t.Context(), filepath.Join(root, test.dir), env)
			if err != nil || len(broken) > 0 {
				t.Fatal(err, broken)
			}
			var got []string
			for _, u := range units {
				got = append(got, summary(t, root, u))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func summary(t *testing.T, root string, u Unit) string {
	t.Helper()
	rel, err := filepath.Rel(root, u.Dir)
	if err != nil {
		t.Fatal(err)
	}
	s := filepath.ToSlash(rel) + ":"
	for _, m := range u.Modules {
		s += " " + m.Path
	}
	return s + " [" + strings.Join(u.Env, " ") + "]"
}

func TestBrokenModuleFileIsNamed(t *testing.T) {
	dir := tree(t, "-- a/go.mod --\nmodule example.com/a\n\nfoo bar baz (\n-- a/sub/x.go --\npackage sub\n")
	for _, from := range []string{"a", "a/sub"} {
		_, _, err := Units(t.Context(), filepath.Join(dir, from), nil)
		var broken *FileError
		if !errors.As(err, &broken) || broken.File != filepath.Join(dir, "a", "go.mod") {
			t.Errorf("from %s: got %v", from, err)
		}
	}
}

func TestBrokenModulesEndNothingWhereTheGoCommandDoesNotMind(t *testing.T) {
	const (
		fine  = "-- go.mod --\nmodule example.com/m\n-- x.go --\npackage m\n-- ok/go.mod --\nmodule example.com/ok\n-- ok/x.go --\npackage ok\n"
		empty = "-- sub/go.mod --\n"
		bad   = "-- sub/go.mod --\nmodule (\n"
	)
	for _, test := range []struct {
		name, archive string
		units         []string
		broken        string // part of the error of the only broken module; empty: Units fails, as go list does
	}{
		{"no module line", fine + empty, []string{". []", "ok []"}, "no module line"},
		{"only a comment", fine + "-- sub/go.mod --\n// Keeps this folder out.\n", []string{". []", "ok []"}, "no module line"},
		{"syntax", fine + bad, []string{". []", "ok []"}, "sub/go.mod:1"},
		{"outside of the workspace", "-- go.work --\ngo 1.21\nuse .\n" + fine + bad, []string{". []", "ok [GOWORK=off]"}, "sub/go.mod:1"},
		{"a workspace below", fine + "-- sub/go.mod --\nmodule example.com/sub\n-- sub/go.work --\ngo 1.21\nuse (\n\t.\n\t./gone\n)\n", []string{". []", "ok []"}, "use ./gone"},
		{"a workspace of unreadable text below", fine + "-- sub/go.mod --\nmodule example.com/sub\n-- sub/go.work --\nuse (\n", []string{". []", "ok []"}, "sub/go.work:"},
		{"no other module", bad, nil, "sub/go.mod:1"},
		{"in the workspace", "-- go.work --\ngo 1.21\nuse (\n\t.\n\t./sub\n)\n" + fine + bad, nil, ""},
		{"in the workspace, and the only module", "-- go.work --\ngo 1.21\nuse ./sub\n" + bad, nil, ""},
		{"the workspace names a module that is not there", "-- go.work --\ngo 1.21\nuse (\n\t.\n\t./gone\n)\n" + fine, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := tree(t, test.archive)
			_, minds := Go{Dir: dir}.run(t.Context(), "list", "./...")
			units, broken, err := Units(t.Context(), dir, nil)
			if test.broken == "" {
				if err == nil || minds == nil {
					t.Errorf("got %v, %v, and go list fails with %v", units, broken, minds)
				}
				return
			}
			if err != nil || len(broken) != 1 || broken[0].Dir != filepath.Join(dir, "sub") || !strings.Contains(broken[0].Err.Error(), test.broken) {
				t.Fatalf("got %v, %v", broken, err)
			}
			if minds != nil && test.units != nil {
				t.Errorf("go list fails: %v", minds)
			}
			var got []string
			for _, u := range units {
				rel, _ := filepath.Rel(dir, u.Dir)
				got = append(got, fmt.Sprint(rel, " ", u.Env))
			}
			if diff := cmp.Diff(test.units, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestRootIsGitElseWorkspaceElseModuleElseFolder(t *testing.T) {
	dir := tree(t, `
-- git/.git/HEAD --
-- git/m/go.mod --
-- work/go.work --
-- work/m/go.mod --
-- mod/go.mod --
-- mod/sub/x.go --
-- none/sub/x.go --
`)
	for from, want := range map[string]string{
		"git/m": "git", "work/m": "work", "mod/sub": "mod", "none/sub": "none/sub",
	} {
		root, git, err := Root(filepath.Join(dir, from))
		if err != nil || root != filepath.Join(dir, want) || git != (want == "git") {
			t.Errorf("Root(%s) = %s, %v, %v", from, root, git, err)
		}
	}
}

func TestListSortsFilesByRole(t *testing.T) {
	dir := tree(t, `
-- go.mod --
module example.com/m
go 1.21
-- a.go --
package m
import "example.com/missing"
-- a_plan9.go --
package m
-- tagged.go --
//go:build special
package m
-- a_test.go --
package m
-- x_test.go --
package m_test
-- cmd/main.go --
package main
`)
	pkgs, err := Go{Dir: dir}.List(t.Context(), []string{"-find", "-tags=special"}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	want := []*Package{
		{ImportPath: "example.com/m", Name: "m", Dir: dir, ModulePath: "example.com/m",
			GoFiles: []string{"a.go", "tagged.go"}, IgnoredGoFiles: []string{"a_plan9.go"},
			TestGoFiles: []string{"a_test.go"}, XTestGoFiles: []string{"x_test.go"}},
		{ImportPath: "example.com/m/cmd", Name: "main", Dir: filepath.Join(dir, "cmd"), ModulePath: "example.com/m",
			GoFiles: []string{"main.go"}},
	}
	if diff := cmp.Diff(want, pkgs); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestPatternsOfEmbeddedFilesAreListedEvenIfNoneMatches(t *testing.T) {
	dir := tree(t, `
-- go.mod --
module example.com/m
go 1.21
-- a.go --
package m
import _ "embed"
//go:embed missing
var s string
-- a_test.go --
package m
import "embed"
//go:embed all:testdata
var f embed.FS
-- x_test.go --
package m_test
import "embed"
//go:embed *.txt in
var f embed.FS
`)
	for _, flags := range [][]string{nil, {"-find"}} {
		pkgs, err := Go{Dir: dir}.List(t.Context(), flags, ".")
		if err != nil {
			t.Fatal(err)
		}
		p := pkgs[0]
		got := [][]string{p.EmbedPatterns, p.TestEmbedPatterns, p.XTestEmbedPatterns, p.Errors}
		if diff := cmp.Diff([][]string{{"missing"}, {"all:testdata"}, {"*.txt", "in"}, nil}, got); diff != "" {
			t.Errorf("%q: -want +got:\n%s", flags, diff)
		}
	}
}

const twins = `
-- go.mod --
module example.com/m
go 1.21
-- a/x/x.go --
package x
func F() int { return 1 }
-- a/x/x_test.go --
package x
import "testing"
func TestF(t *testing.T) { if F() != 2 { t.Fatal(F()) } }
-- b/x/x_test.go --
package x
import "testing"
func TestG(*testing.T) {}
-- c/c.go --
package c
-- instead --
package x
func F() int { return 2 }
-- broken --
package x
func F() int { return "" }
`

func TestTestBinariesOfTwinsAndOverlay(t *testing.T) {
	dir := tree(t, twins)
	build := TestBuild{
		Overlay:  map[string]string{filepath.Join(dir, "a", "x", "x.go"): filepath.Join(dir, "instead")},
		Packages: []string{"example.com/m/a/x", "example.com/m/b/x", "example.com/m/c"},
		Out:      t.TempDir(),
	}
	binaries, err := Go{Dir: dir}.TestBinaries(t.Context(), build)
	if err != nil {
		t.Fatal(err)
	}
	if len(binaries) != 2 || binaries["example.com/m/a/x"] == "" || binaries["example.com/m/b/x"] == "" {
		t.Fatalf("got %v", binaries)
	}
	if out, err := exec.Command(binaries["example.com/m/a/x"]).CombinedOutput(); err != nil {
		t.Errorf("the overlay is not in the binary: %s", out)
	}
}

func TestBuildErrorNamesTheFileBehindTheOverlay(t *testing.T) {
	dir := tree(t, twins)
	_, err := Go{Dir: dir}.TestBinaries(t.Context(), TestBuild{
		Overlay:  map[string]string{filepath.Join(dir, "a", "x", "x.go"): filepath.Join(dir, "broken")},
		Packages: []string{"example.com/m/a/x"},
		Out:      t.TempDir(),
	})
	var build *BuildError
	if !errors.As(err, &build) || !strings.Contains(build.Output, filepath.Join("a", "x", "x.go")+":2:23") {
		t.Fatalf("got %v", err)
	}
}

func TestBinariesOfOneNameAreBuiltApart(t *testing.T) {
	got := batches([]string{"m/a/x", "m/b/x", "m/x/v2", "m/x/v1", "m/y"})
	want := [][]string{{"m/a/x", "m/x/v1", "m/y"}, {"m/b/x"}, {"m/x/v2"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestMissingGoIsSaidSo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := (Go{Dir: t.TempDir()}).Version(t.Context()); !errors.Is(err, ErrNoGo) {
		t.Fatalf("got %v", err)
	}
}

func TestCancelledCommandReturnsTheCause(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if _, err := (Go{Dir: t.TempDir()}).Version(ctx); !errors.Is(err, stop) {
		t.Fatalf("got %v", err)
	}
}

func TestUnknownFlagIsACommandError(t *testing.T) {
	_, err := Go{Dir: t.TempDir()}.List(t.Context(), []string{"-nonsense"}, ".")
	var failed *CommandError
	if !errors.As(err, &failed) || !slices.Contains(failed.Args, "-nonsense") {
		t.Fatalf("got %v", err)
	}
}

func TestTestsAreKnownByTheirNames(t *testing.T) {
	for name, want := range map[string]bool{
		"Test": true, "TestA": true, "Test_a": true, "Test1": true, "TestÜber": true, "Test世界": true, "ExampleÉ_é": true, "FuzzЯ": true,
		"Testing": false, "Testé": false, "BenchmarkA": false, "über": false, "TestA is next": false, "TestA/sub": false, "": false,
	} {
		if IsTest(name) != want {
			t.Errorf("IsTest(%q) = %t", name, !want)
		}
	}
}
