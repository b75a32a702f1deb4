package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// pull is a pull request that was merged: a commit, whose parent is the base.
type pull struct {
	repo   string // OWNER/NAME
	commit string // in full: servers do not accept abbreviated commits
}

var pullLine = regexp.MustCompile(`^([\w.-]+/[\w.-]+)\s+([0-9a-f]{40})$`)

// parsePulls reads a line "OWNER/NAME COMMIT" for each pull request. It ignores empty lines, and what follows a
// "#".
func parsePulls(text string) ([]pull, error) {
	var list []pull
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		line, _, _ := strings.Cut(lines.Text(), "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		fields := pullLine.FindStringSubmatch(line)
		if fields == nil {
			return nil, fmt.Errorf("%q names no commit\nhint: write OWNER/NAME and the 40 digits of the commit", line)
		}
		list = append(list, pull{fields[1], fields[2]})
	}
	if len(list) == 0 {
		return nil, errors.New("the list of pull requests is empty")
	}
	return list, nil
}

func (p pull) String() string { return fmt.Sprintf("%s | %.9s", p.repo, p.commit) }

// folder returns a name for the folder with what is kept of p.
func (p pull) folder() string { return strings.ReplaceAll(p.repo, "/", "-") }

// checkout is a pull request on disk.
type checkout struct {
	pull
	root     string   // of the repository, which is at the commit
	module   string   // the folder of the module whose packages are changed
	packages []string // those with changed code, as patterns relative to module
}

// checkOut fetches p, with two commits of history, into a folder of that name. It returns an error if p changes
// no code, or code of two modules. The caller removes the folder with forget.
func (l *lab) checkOut(ctx context.Context, p pull, name string) (*checkout, error) {
	ctx, cancel := context.WithTimeout(ctx, l.limit)
	defer cancel()
	c := &checkout{pull: p, root: filepath.Join(l.checkouts(p), name)}
	for _, args := range [][]string{
		{"init", "-q", c.root},
		{"-C", c.root, "fetch", "-q", "--depth=2", "--no-tags", l.github + "/" + p.repo, p.commit},
		{"-C", c.root, "checkout", "-q", "--detach", p.commit},
	} {
		if _, err := git(ctx, ".", args...); err != nil {
			return nil, err
		}
	}
	names, err := git(ctx, c.root, "diff", "--name-only", "--no-renames", "--diff-filter=d", p.commit+"^", p.commit)
	if err != nil {
		return nil, err
	}
	folders := codeFolders(strings.Fields(string(names)))
	if len(folders) == 0 {
		return nil, fmt.Errorf("%s changes no code", p)
	}
	c.module = moduleOf(c.root, folders[0])
	for _, f := range folders {
		if moduleOf(c.root, f) != c.module {
			return nil, fmt.Errorf("%s changes code of two modules", p)
		}
		rel, err := filepath.Rel(c.module, filepath.Join(c.root, f))
		if err != nil {
			return nil, err
		}
		c.packages = append(c.packages, "./"+filepath.ToSlash(rel))
	}
	return c, nil
}

// checkouts returns the folder for the checkouts of p.
func (l *lab) checkouts(p pull) string { return filepath.Join(l.dir, "pulls", p.folder()) }

// forget removes the checkouts of p.
func (l *lab) forget(p pull) error { return os.RemoveAll(l.checkouts(p)) }

func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	return command{dir: dir, args: append([]string{"git"}, args...)}.run(ctx)
}

// codeFolders returns the folders of those files that the go command builds into programs.
func codeFolders(files []string) []string {
	var list []string
	for _, f := range files {
		if !strings.HasSuffix(f, ".go") || strings.HasSuffix(f, "_test.go") || slices.ContainsFunc(strings.Split(f, "/"), passedOver) {
			continue
		}
		list = append(list, path.Dir(f))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// passedOver reports whether the pattern "./..." leaves out files and folders of this name.
func passedOver(name string) bool {
	return name == "vendor" || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// moduleOf returns the folder with the nearest go.mod at or above folder, or root.
func moduleOf(root, folder string) string {
	for ; folder != "."; folder = path.Dir(folder) {
		if _, err := os.Stat(filepath.Join(root, folder, "go.mod")); err == nil {
			return filepath.Join(root, folder)
		}
	}
	return root
}

// plainTest returns how long go test takes for the packages with changed code, and whether they pass. It uses a
// checkout of its own, because the build cache distinguishes folders. In that checkout, the packages and what
// they import have been built as of the base, but not as of the commit.
func (l *lab) plainTest(ctx context.Context, c *checkout) (took time.Duration, passes bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, l.limit)
	defer cancel()
	root := filepath.Join(filepath.Dir(c.root), "plain")
	if _, err := git(ctx, c.root, "worktree", "add", "-q", "--detach", root, c.commit+"^"); err != nil {
		return 0, false, err
	}
	rel, err := filepath.Rel(c.root, c.module)
	if err != nil {
		return 0, false, err
	}
	test := append([]string{"go", "test", "-count=1"}, c.packages...)
	build := command{dir: filepath.Join(root, rel), args: append(test, "-run=^$")}
	if _, err := build.run(ctx); err != nil {
		return 0, false, err
	}
	if _, err := git(ctx, root, "checkout", "-q", "--detach", c.commit); err != nil {
		return 0, false, err
	}
	_, took, err = command{dir: build.dir, args: test}.timed(ctx)
	if status := exitStatus(err); status > 0 {
		fmt.Fprintf(l.log, "%s: %v\n", c, err)
		return took, false, nil
	}
	return took, err == nil, err
}

// warm fills the build cache with every package and test of the module as of the base. A CI job has just that if
// it restores the cache of the branch that the pull request is merged into.
func (l *lab) warm(ctx context.Context, c *checkout) error {
	ctx, cancel := context.WithTimeout(ctx, l.limit)
	defer cancel()
	if _, err := git(ctx, c.root, "checkout", "-q", "--detach", c.commit+"^"); err != nil {
		return err
	}
	// This compiles but, unlike go build and go test, links nothing: caches do not keep what is linked.
	list := command{dir: c.module, args: []string{"go", "list", "-e", "-export", "-deps", "-test", "./..."}}
	if _, err := list.run(ctx); err != nil {
		return err
	}
	_, err := git(ctx, c.root, "checkout", "-q", "--detach", c.commit)
	return err
}

// outcome is the outcome of a run of mutantfuzz.
type outcome struct {
	*results.Results // nil: there are none
	status           int
	took             time.Duration
}

// mutantfuzz runs the program on c, as continuous integration does.
func (l *lab) mutantfuzz(ctx context.Context, c *checkout, flags ...string) (outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, l.limit)
	defer cancel()
	kept := filepath.Join(l.dir, "out")
	if l.keep != "" {
		kept = l.keep
	}
	out, err := filepath.Abs(filepath.Join(kept, c.folder()))
	if err != nil {
		return outcome{}, err
	}
	if err := os.RemoveAll(out); err != nil {
		return outcome{}, err
	}
	args := append([]string{l.binary, "run", "-q", "--base=" + c.commit + "^", "--fresh", "--time=3m", "--out=" + out}, flags...)
	_, took, err := command{dir: c.root, args: args, log: l.log}.timed(ctx)
	o := outcome{took: took, status: exitStatus(err)}
	if o.status < 0 {
		return o, err
	}
	data, err := os.ReadFile(filepath.Join(out, "results.json"))
	if errors.Is(err, os.ErrNotExist) {
		return o, nil
	}
	if err != nil {
		return o, err
	}
	o.Results, err = results.Decode(data)
	return o, err
}

// exitStatus returns the exit status of a command that ended with err, or -1 if it did not run to its end.
func exitStatus(err error) int {
	if err == nil {
		return 0
	}
	if ended, ok := errors.AsType[*exec.ExitError](err); ok {
		return ended.ExitCode()
	}
	return -1
}

// onDiff reports whether m is on a changed line.
func onDiff(m *results.Mutant) bool { return m.Evidence.OnDiff }

// tooEarly reports whether the time was up before it was known which mutants there are.
func tooEarly(r *results.Results) bool { return r.Partial && len(r.Mutants) == 0 && len(r.Scope) > 0 }

// count returns how many mutants of r satisfy all conditions.
func count(r *results.Results, conditions ...func(*results.Mutant) bool) int {
	n := 0
	for i := range r.Mutants {
		if !slices.ContainsFunc(conditions, func(holds func(*results.Mutant) bool) bool { return !holds(&r.Mutants[i]) }) {
			n++
		}
	}
	return n
}

// is returns the condition that a mutant has this status.
func is(status string) func(*results.Mutant) bool {
	return func(m *results.Mutant) bool { return m.Status == status }
}
