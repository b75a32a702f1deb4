package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/tools/txtar"

	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// demoFiles holds the two commits of the demo as txtar archives. The comment of an archive is the commit message.
//
//go:embed demo/base.txtar demo/change.txtar
var demoFiles embed.FS

// Settings of the demo, fixed so that it shows the same things every time. Only the number of executions bounds
// it: a slow machine takes longer but shows just as much.
const (
	demoSeed    = 1
	demoExecs   = 200_000
	demoWorkers = 2
)

func (c *Command) demo() *cobra.Command {
	var keep string
	var quiet bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "analyse a change to a small built-in module",
		Long: `demo makes a small module with a history of two commits in a temporary folder,
analyses the second commit as if it were a pull request, and prints the review.
It needs go and git, no network, and about half a minute.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return analysisError(c.runDemo(cmd.Context(), keep, quiet))
		},
	}
	cmd.Flags().StringVar(&keep, "keep", "", "make the module in `DIR`, and leave it there with the results")
	cmd.Flags().BoolVarP(&quiet, "quiet", "q", false, "no progress")
	return cmd
}

// runDemo creates the module in the folder keep, or in a temporary folder if keep is empty, and analyses its
// second commit.
func (c *Command) runDemo(ctx context.Context, keep string, quiet bool) (err error) {
	dir := keep
	if keep == "" {
		if dir, err = os.MkdirTemp("", "mutantfuzz-demo-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	} else if err := emptyFolder(keep); err != nil {
		return err
	}
	if err := makeDemo(ctx, dir); err != nil {
		return err
	}
	out := filepath.Join(dir, defaultOut)
	r, err := c.analyse(ctx, &runFlags{
		scopeFlags: scopeFlags{dir: dir, base: "HEAD~1"}, quiet: quiet,
		execs: demoExecs, mutantShare: defaultMutantShare, seed: demoSeed,
		workers: demoWorkers, corpus: noCorpus, out: out, tests: string(engine.TestsAuto),
	})
	if err != nil {
		return err
	}
	next := "The module was a temporary one, and is gone. To look around in it and in the\nresults: mutantfuzz demo --keep DIR"
	if keep != "" {
		next = fmt.Sprintf("In %s, git show has the change that was analysed. To see the review of it:\nmutantfuzz report --format markdown --results %s", keep, filepath.Join(out, "results.json"))
	}
	return c.show(fmt.Sprintf("%s\n%s\n", demoTest(r), next))
}

// demoTest returns text with the test of the first finding that comes with one, or "" if none does.
func demoTest(r *results.Results) string {
	for _, f := range finding.Findings(r) {
		if m := f.Mutant; m != nil && m.ExposedBy != nil && m.ExposedBy.Test != "" {
			return fmt.Sprintf("\nThe test to add if %s:%d is meant as it is (explain --test prints it):\n\n%s", m.File, m.Line, m.ExposedBy.Test)
		}
	}
	return ""
}

// emptyFolder creates the folder dir. An empty folder may exist already; any other is a usage error.
func emptyFolder(dir string) error {
	list, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return os.MkdirAll(dir, 0o755)
	case err != nil:
		return usagef("--keep: %w\nhint: name a folder that does not exist yet", err)
	case len(list) > 0:
		return usagef("--keep %s is not empty\nhint: name a folder that does not exist yet", dir)
	}
	return nil
}

// makeDemo creates the module with its two commits in dir.
func makeDemo(ctx context.Context, dir string) error {
	if err := demoGit(ctx, dir, "init", "--quiet"); err != nil {
		return err
	}
	for _, name := range []string{"demo/base.txtar", "demo/change.txtar"} {
		data, err := demoFiles.ReadFile(name)
		if err != nil {
			return err
		}
		archive := txtar.Parse(data)
		for _, f := range archive.Files {
			if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
				return err
			}
		}
		if err := demoGit(ctx, dir, "add", "--all"); err != nil {
			return err
		}
		if err := demoGit(ctx, dir, "commit", "--quiet", "--no-verify", "--message", string(archive.Comment)); err != nil {
			return err
		}
	}
	return nil
}

// demoGit runs git in dir, independent of the user's configuration: without signing and hooks, and with a fixed
// author and date.
func demoGit(ctx context.Context, dir string, args ...string) error {
	path, err := exec.LookPath("git")
	if err != nil {
		return usagef("git command not found on PATH\nhint: install git; the demo analyses a commit")
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Stderr = dir, &stderr
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=Demo", "GIT_AUTHOR_EMAIL=demo@example.com", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=Demo", "GIT_COMMITTER_EMAIL=demo@example.com", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(stderr.String()))
	}
	return nil
}
