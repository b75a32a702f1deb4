package change

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
)

// git runs the git command in one repository.
type git struct {
	root string   // top level of the working tree
	env  []string // nil: os.Environ()
}

// killGrace is how long processes started by a cancelled git may keep its output open before the output is closed.
const killGrace = 2 * time.Second

// run runs git in the root and returns its standard output. extra is added to the environment.
func (g git) run(ctx context.Context, extra []string, args ...string) ([]byte, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, fault.New(fault.NoGit, "install git, or pass the change with --diff", "git command not found on PATH")
	}
	// In a container the checkout often belongs to another user, and git
	// refuses to read it. The user asked for this very folder.
	args = append([]string{"-c", "safe.directory=" + g.root}, args...)
	var stdout, stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = g.root
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Env = g.env
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	// No refresh of the user's index, no question on a terminal, no download
	// of large files.
	quiet := []string{"GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_LFS_SKIP_SMUDGE=1"}
	cmd.Env = append(append(cmd.Env[:len(cmd.Env):len(cmd.Env)], quiet...), extra...)
	cmd.WaitDelay = killGrace
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("git %s in %s was stopped: %w", strings.Join(args[2:], " "), g.root, context.Cause(ctx))
		}
		said := strings.TrimSpace(stderr.String())
		hint := ""
		if strings.Contains(said, "unable to read") {
			hint = "git fetch --refetch brings what this clone lacks"
		}
		return nil, &fault.Error{Kind: fault.GitFailed, Msg: fmt.Sprintf("git %s in %s: %s", strings.Join(args[2:], " "), g.root, said), Hint: hint, Err: err}
	}
	return stdout.Bytes(), nil
}

// text is run for one line of output, without the newline.
func (g git) text(ctx context.Context, args ...string) (string, error) {
	out, err := g.run(ctx, nil, args...)
	return strings.TrimSpace(string(out)), err
}

// revision returns the commit that rev names.
func (g git) revision(ctx context.Context, rev string) (string, error) {
	sha, err := g.text(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if !fault.Is(err, fault.GitFailed) {
		return sha, err
	}
	hint := "git fetch what is missing, or check the spelling with git rev-parse"
	if g.shallow(ctx) {
		hint = shallowHint
	}
	return "", fault.New(fault.UnknownRevision, hint, "unknown revision %q in %s", rev, g.root)
}

// shallowHint says what to do if history is missing.
const shallowHint = "the clone is shallow; check out with fetch-depth: 0, or run git fetch --unshallow"

func (g git) shallow(ctx context.Context) bool {
	out, err := g.text(ctx, "rev-parse", "--is-shallow-repository")
	return err == nil && out == "true"
}

// mergeBase returns the best common ancestor of two commits; if there are several, git's first.
func (g git) mergeBase(ctx context.Context, base, head string) (string, error) {
	sha, err := g.text(ctx, "merge-base", base, head)
	if !fault.Is(err, fault.GitFailed) {
		return sha, err
	}
	hint := "choose another --base; these two branches share no history"
	if g.shallow(ctx) {
		hint = shallowHint
	}
	return "", fault.New(fault.NoMergeBase, hint, "no merge base of %.12s and %.12s in %s", base, head, g.root)
}

// diff returns the changes to Go files between two commits, or between a commit and the working tree if head is
// empty. It uses git's plumbing commands, whose output does not depend on the user's configuration.
func (g git) diff(ctx context.Context, base, head string) ([]byte, error) {
	return g.compare(ctx, base, head, []string{"*.go"}, "--patch", "--unified=0", "--inter-hunk-context=0", "--find-renames", "--no-color",
		"--no-ext-diff", "--no-textconv", "--text", "--src-prefix=a/", "--dst-prefix=b/")
}

// maxData is how many names of changed files without Go code are kept.
const maxData = 1000

// data returns the names of changed files without Go code, in the same way. Of the working tree, the plumbing command would
// name each file that is newer than the index, too, as all are after a copy, so git diff is asked, which reads them.
func (g git) data(ctx context.Context, base, head string) ([]string, error) {
	paths, flags := []string{".", ":(exclude)*.go"}, []string{"--name-only", "--no-renames", "-z"}
	var out []byte
	var err error
	if head == "" {
		args := []string{"-c", "diff.autoRefreshIndex=true", "diff", "--no-ext-diff", "--no-relative"}
		out, err = g.run(ctx, nil, slices.Concat(args, flags, []string{base, "--"}, paths)...)
	} else {
		out, err = g.compare(ctx, base, head, paths, flags...)
	}
	names := namesIn(out)
	if err == nil && head == "" {
		var untracked []string
		untracked, err = g.untracked(ctx, paths...)
		names = append(names, untracked...)
	}
	return names[:min(len(names), maxData)], err
}

// namesIn returns the names in output that ends each with a zero byte.
func namesIn(out []byte) []string {
	return slices.DeleteFunc(strings.Split(string(out), "\x00"), func(name string) bool { return name == "" })
}

// compare compares the files that paths select of two commits, or of a commit and the working tree if head is empty.
func (g git) compare(ctx context.Context, base, head string, paths []string, flags ...string) ([]byte, error) {
	args := []string{"diff-index"}
	if head != "" {
		args = []string{"diff-tree", "-r"}
	}
	args = append(append(args, flags...), base)
	if head != "" {
		args = append(args, head)
	}
	return g.run(ctx, nil, append(append(args, "--"), paths...)...)
}

// untracked returns those files that paths select and that are neither tracked nor ignored, relative to the root.
func (g git) untracked(ctx context.Context, paths ...string) ([]string, error) {
	out, err := g.run(ctx, nil, append([]string{"ls-files", "--others", "--exclude-standard", "-z", "--"}, paths...)...)
	return namesIn(out), err
}

// pristine reports whether the tracked files of the working tree equal HEAD.
func (g git) pristine(ctx context.Context) bool {
	_, err := g.run(ctx, nil, "diff", "--quiet", "--no-ext-diff", "HEAD")
	return err == nil
}

// differing returns the tracked files of the working tree that differ from HEAD, relative to the root.
func (g git) differing(ctx context.Context) ([]string, error) {
	out, err := g.run(ctx, nil, "diff", "--name-only", "--no-ext-diff", "-z", "HEAD")
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}

// checkout writes the files of a commit to the existing folder dir. It uses the given index file, so it leaves no
// trace in the repository. It returns files that the clone lacks as missing, for instance if it was made without
// large files. A missing file that the go command reads is an error.
func (g git) checkout(ctx context.Context, commit, dir, index string) (missing []string, err error) {
	own := []string{"GIT_INDEX_FILE=" + index}
	if _, err := g.run(ctx, own, "-c", "core.sparseCheckout=false", "read-tree", commit); err != nil {
		return nil, err
	}
	_, failed := g.run(ctx, own, "checkout-index", "--all", "--force", "--prefix="+dir+string(os.PathSeparator))
	if !fault.Is(failed, fault.GitFailed) {
		return nil, failed
	}
	out, err := g.run(ctx, own, "ls-files", "--stage", "-z")
	if err != nil {
		return nil, failed
	}
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		mode, name, _ := strings.Cut(entry, "\t")
		if strings.HasPrefix(mode, "160000 ") { // a submodule has no file
			continue
		}
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 || slices.ContainsFunc(missing, ofGo) {
		return nil, failed
	}
	return missing, nil
}

// ofGo reports whether the go command reads a file of that name to load or build packages.
func ofGo(name string) bool {
	base := path.Base(name)
	return strings.HasSuffix(base, ".go") || base == "go.mod" || base == "go.sum" || base == "go.work" || base == "modules.txt"
}
