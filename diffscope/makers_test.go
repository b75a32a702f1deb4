package diffscope

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
)

// two is a module of which three files change. One has a name that diffs have to quote, one is renamed, and one is
// deleted. A function changes in each of the first two.
const two = `
-- base/go.mod --
module example.com/m
-- base/grün/ä b.go --
package m

func A() int {
	return 1
}
-- base/old.go --
package m

func B() int {
	return 1
}

func C() int {
	println("c")
	println("and more, so that the file is still similar")
	return 2
}
-- base/sub/gone.go --
package m

func Gone() {}
-- head/go.mod --
module example.com/m
-- head/grün/ä b.go --
package m

func A() int {
	return 2
}
-- head/new.go --
package m

func B() int {
	return 3
}

func C() int {
	println("c")
	println("and more, so that the file is still similar")
	return 2
}
`

// The scope is the same, whatever program made the diff and with whatever options.
func TestDiffsOfManyMakers(t *testing.T) {
	repo := repository(t, txtar.Parse([]byte(two)))
	commit(t, repo, "head: with a subject\n\nAnd a body\n--- that looks like a diff\n+++ but is none")
	plain := t.TempDir()
	write(t, plain, txtar.Parse([]byte(two)), "head/")
	for name, diff := range map[string]string{
		"plain":               gitIn(t, repo, "diff", "base", "HEAD"),
		"without prefixes":    gitIn(t, repo, "diff", "--no-prefix", "base", "HEAD"),
		"other prefixes":      gitIn(t, repo, "diff", "--src-prefix=old/", "--dst-prefix=new/", "base", "HEAD"),
		"mnemonic prefixes":   gitIn(t, repo, "-c", "diff.mnemonicPrefix=true", "diff", "base"),
		"quoted paths":        gitIn(t, repo, "-c", "core.quotePath=true", "diff", "base", "HEAD"),
		"unquoted paths":      gitIn(t, repo, "-c", "core.quotePath=false", "diff", "base", "HEAD"),
		"no context":          gitIn(t, repo, "diff", "-U0", "base", "HEAD"),
		"much context":        gitIn(t, repo, "diff", "-U100", "base", "HEAD"),
		"renames":             gitIn(t, repo, "diff", "--find-renames=10%", "base", "HEAD"),
		"no renames":          gitIn(t, repo, "diff", "--no-renames", "base", "HEAD"),
		"copies":              gitIn(t, repo, "diff", "-C", "--find-copies-harder", "base", "HEAD"),
		"binary":              gitIn(t, repo, "diff", "--binary", "--full-index", "base", "HEAD"),
		"patience":            gitIn(t, repo, "diff", "--patience", "base", "HEAD"),
		"function context":    gitIn(t, repo, "diff", "-W", "base", "HEAD"),
		"show":                gitIn(t, repo, "show", "HEAD"),
		"log":                 gitIn(t, repo, "log", "-p", "-1"),
		"format-patch":        gitIn(t, repo, "format-patch", "--stdout", "base"),
		"format-patch, stat":  gitIn(t, repo, "format-patch", "--stdout", "--stat", "--summary", "base"),
		"Windows line ends":   strings.ReplaceAll(gitIn(t, repo, "diff", "base", "HEAD"), "\n", "\r\n"),
		"GNU diff":            gnuDiff(t, repo),
		"without index lines": withoutLines(gitIn(t, repo, "diff", "--no-renames", "base", "HEAD"), "index ", "diff --git "),
	} {
		t.Run(name, func(t *testing.T) {
			if diff == "" {
				t.Skip("there is no diff command")
			}
			s, err := find(t, Config{Dir: plain, HaveDiff: true, Diff: []byte(diff + "\n")})
			if err != nil {
				t.Fatalf("%v\n%s", err, diff)
			}
			if got, want := ids(s), []string{"example.com/m/grün.A", "example.com/m.B"}; !slices.Equal(got, want) {
				t.Errorf("got %v, want %v\n%s", got, want, diff)
			}
			if !slices.Contains(s.Notes, "deleted: Gone in sub/gone.go") {
				t.Errorf("notes are %q", s.Notes)
			}
		})
	}
}

// gnuDiff returns the output of diff -ruN for the two trees, which includes timestamps, or "" without a diff command.
func gnuDiff(t *testing.T, repo string) string {
	t.Helper()
	path, err := exec.LookPath("diff")
	if err != nil {
		return ""
	}
	dir := t.TempDir()
	for _, side := range []string{"base", "head"} {
		if err := os.Mkdir(filepath.Join(dir, side), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, side), txtar.Parse([]byte(two)), side+"/")
	}
	cmd := exec.Command(path, "-ruN", "base", "head")
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Skip("this diff command cannot do that:", err)
	}
	return strings.TrimSpace(string(out))
}

// withoutLines drops the lines that begin with any of the prefixes.
func withoutLines(text string, prefixes ...string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(line, p) }) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func TestDiffsThatCannotServe(t *testing.T) {
	repo := repository(t, txtar.Parse([]byte(small)))
	commit(t, repo, "head")
	gitIn(t, repo, "checkout", "--quiet", "-b", "side", "base")
	conflicting := filepath.Join(repo, "a.go")
	if err := os.WriteFile(conflicting, []byte("package m\n\nfunc A() int {\n\t// three\n\treturn 3\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	commit(t, repo, "side")
	gitIn(t, repo, "merge", "--quiet", "--strategy=ours", "-m", "merge", "main")
	if err := os.WriteFile(conflicting, []byte("package m\n\nfunc A() int {\n\t// four\n\treturn 4\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	gitIn(t, repo, "commit", "--quiet", "--all", "--amend", "-m", "merge")
	for _, test := range []struct{ name, diff, says string }{
		{"combined", gitIn(t, repo, "show", "HEAD"), "combined diff of a merge"},
		{"series", gitIn(t, repo, "format-patch", "--stdout", "base..HEAD^1") + "\n" + gitIn(t, repo, "diff", "HEAD^1", "HEAD"), "a.go more than once"},
		{"out of the tree", strings.ReplaceAll(smallDiff, "a.go", "../../a.go"), "outside the source tree"},
		{"absolute", strings.NewReplacer("a/a.go", "/etc/a.go", "b/a.go", "/etc/a.go").Replace(smallDiff), "outside the source tree"},
		{"context diff", "*** a.go\n--- a.go\n***************\n*** 1,2 ****\n", "not a unified diff"},
		{"ed script", "3c\n\treturn 2\n.\n", "not a unified diff"},
		{"NUL bytes", "\x00\x01\x02", "not a unified diff"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := find(t, Config{Dir: repo, HaveDiff: true, Diff: []byte(test.diff)})
			if !fault.Is(err, fault.BrokenDiff) || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), "\nhint: ") {
				t.Errorf("got %v, %v, want one that says %q", s, err, test.says)
			}
		})
	}
}
