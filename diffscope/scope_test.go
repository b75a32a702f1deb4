package diffscope

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// write removes everything from dir except .git, and then writes the files of an archive whose names begin with prefix.
func write(t *testing.T, dir string, archive *txtar.Archive, prefix string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() != ".git" {
			if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, f := range archive.Files {
		name, ok := strings.CutPrefix(f.Name, prefix)
		if !ok {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// gitIn runs git in dir without the user's configuration, and returns its output.
func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commit commits everything in dir.
func commit(t *testing.T, dir, message string) {
	t.Helper()
	gitIn(t, dir, "add", "--all", "--force")
	gitIn(t, dir, "commit", "--quiet", "--allow-empty", "-m", message)
}

// repository makes a git repository. The base of the archive is committed and tagged "base"; its head is in the working
// tree.
func repository(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	dir := t.TempDir()
	gitIn(t, dir, "init", "--quiet", "--initial-branch=main")
	write(t, dir, archive, "base/")
	commit(t, dir, "base")
	gitIn(t, dir, "tag", "base")
	write(t, dir, archive, "head/")
	return dir
}

// find calls Find with build settings that are the same on every machine, and closes the scope when the test ends.
func find(t *testing.T, cfg Config) (*Scope, error) {
	t.Helper()
	cfg.Env = append(os.Environ(), "CGO_ENABLED=1", "GOOS=linux", "GOARCH=amd64", "GOFLAGS=-tags=sometag")
	s, err := Find(t.Context(), cfg)
	if err == nil {
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return s, err
}

// render returns a scope in the form of the "want" files.
func render(s *Scope) string {
	var b strings.Builder
	for _, f := range s.Functions {
		fmt.Fprintf(&b, "%s:%d %s %s", f.File, f.StartLine, f.ID, f.Reason)
		if f.Skipped != "" {
			fmt.Fprintf(&b, "; skipped: %s", f.Skipped)
		}
		b.WriteString("\n")
	}
	for _, test := range s.Tests {
		fmt.Fprintln(&b, "test:", test)
	}
	for _, note := range s.Notes {
		fmt.Fprintln(&b, "note:", note)
	}
	return b.String()
}

func section(archive *txtar.Archive, name string) string {
	for _, f := range archive.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// The scope has to be the same, whatever source a change comes from.
func TestScopes(t *testing.T) {
	files, err := filepath.Glob("testdata/scope/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want := section(archive, "want")
			dir := repository(t, archive)
			check := func(source string, cfg Config) {
				t.Helper()
				s, err := find(t, cfg)
				if err != nil {
					t.Errorf("%s: %v", source, err)
				} else if diff := cmp.Diff(want, render(s)); diff != "" {
					t.Errorf("%s: -want +got:\n%s", source, diff)
				}
			}
			check("working tree", Config{Dir: dir, Base: "base"})
			commit(t, dir, "head")
			check("clean working tree", Config{Dir: dir, Base: "base"})
			diff := gitIn(t, dir, "diff", "base", "HEAD") + "\n"
			plain := t.TempDir()
			write(t, plain, archive, "head/")
			check("diff without git", Config{Dir: plain, HaveDiff: true, Diff: []byte(diff)})
			gitIn(t, dir, "checkout", "--quiet", "base")
			check("revision", Config{Dir: dir, Base: "base", Head: "main"})
		})
	}
}
