// Package realcode gets code that others wrote for tests and experiments that need
// it: modules from the module proxy, and packages that are type-checked.
package realcode

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// Copy downloads a module, as in "path@version", or without a version the one
// that the module of the current folder requires, and copies it to dir, which
// must not exist: in the module cache nothing may change, and the go command
// refuses overlays. A module from before modules gets a go.mod.
func Copy(ctx context.Context, query, dir string) error {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", query)
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s cannot be downloaded: %w\n%s", query, err, out)
	}
	var module struct{ Path, Dir string }
	if err := json.Unmarshal(out, &module); err != nil {
		return fmt.Errorf("%s: %w", query, err)
	}
	if err := os.CopyFS(dir, os.DirFS(module.Dir)); err != nil {
		return err
	}
	if err := filepath.WalkDir(dir, makeWritable); err != nil {
		return err
	}
	file := filepath.Join(dir, "go.mod")
	if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.WriteFile(file, []byte("module "+module.Path+"\n"), 0o644)
}

// makeWritable is a [fs.WalkDirFunc]: copies from the module cache are read-only, as
// the files there are.
func makeWritable(name string, _ fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	return os.Chmod(name, 0o755)
}
