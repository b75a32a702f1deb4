package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// brought reports whether the file or folder at path came with a repository: git tracks it, something below it,
// or a symbolic link on the way to it. The author of a change chooses what git tracks. Such a file is therefore
// untrusted: mutantfuzz does not write, remove or run it, and shows it only with a warning.
func brought(ctx context.Context, path string) (bool, error) {
	yes, err := linkBrought(ctx, path)
	if yes || err != nil {
		return yes, err
	}
	path, err = resolve(path)
	if err != nil {
		return false, err
	}
	return tracked(ctx, path)
}

// linkBrought reports whether git tracks path, or a folder on the way to it, as
// a symbolic link.
func linkBrought(ctx context.Context, path string) (bool, error) {
	path, err := absolute(path)
	if err != nil {
		return false, err
	}
	for {
		if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return false, err
			}
			if yes, err := tracked(ctx, filepath.Join(dir, filepath.Base(path))); yes || err != nil {
				return yes, err
			}
		}
		parent := filepath.Dir(path)
		if parent == path {
			return false, nil
		}
		path = parent
	}
}

// notBrought returns a usage error if dir, a folder for the corpus, is a symbolic link that came with the
// repository or is below one. Such a link leads wherever the author of the change wants.
func notBrought(ctx context.Context, dir string) error {
	switch yes, err := linkBrought(ctx, dir); {
	case err != nil:
		return err
	case yes:
		return usagef("--corpus %s is a link that came with the repository, or is below one\nhint: name a folder with --corpus", dir)
	}
	return nil
}

// absolute returns path as an absolute path. It takes a relative path from the current folder with all symbolic
// links resolved: how the user reached that folder has nothing to do with the repository.
func absolute(path string) (string, error) {
	if filepath.IsAbs(path) {
		return filepath.Clean(path), nil
	}
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	return filepath.Join(here, path), err
}

// resolve returns path as an absolute path, with symbolic links resolved in the part of it that exists.
func resolve(path string) (string, error) {
	path, err := absolute(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(real, rest), nil
		}
		parent := filepath.Dir(path)
		if parent == path {
			return filepath.Join(path, rest), nil
		}
		path, rest = parent, filepath.Join(filepath.Base(path), rest)
	}
}

// tracked reports whether git tracks path or something below it. The folder of path must not contain symbolic
// links.
//
// It tells git explicitly which repository to use. Otherwise git could take a folder for a repository that only
// looks like one, and use a configuration that was committed into it. It ignores case, as some file systems do.
func tracked(ctx context.Context, path string) (bool, error) {
	top := topLevel(filepath.Dir(path))
	if top == "" {
		return false, nil
	}
	name, err := filepath.Rel(top, path)
	if err != nil {
		return false, err
	}
	program, err := exec.LookPath("git")
	if err != nil {
		return false, usagef("git command not found on PATH: it has to say whether %s came with the repository\nhint: install git", path)
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, "--git-dir="+filepath.Join(top, ".git"), "--work-tree="+top, "-c", "core.fsmonitor=false",
		"ls-files", "-z", "--", ":(top,literal,icase)"+filepath.ToSlash(name))
	cmd.Dir, cmd.Stderr = top, &stderr
	for _, setting := range os.Environ() {
		if !strings.HasPrefix(setting, "GIT_") { // in a git hook they name another index
			cmd.Env = append(cmd.Env, setting)
		}
	}
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil {
		return false, usagef("git cannot say whether %s came with the repository: %w: %s\nhint: see that git ls-files works in %s", path, err, strings.TrimSpace(stderr.String()), top)
	}
	return len(out) > 0, nil
}

// topLevel returns the nearest folder, dir or one above it, that is the top of a repository. It returns "" if
// there is none.
func topLevel(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
