// Package realcode gets code that others wrote, for tests and experiments that need it: modules from the module
// proxy, and type-checked packages.
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

// Copy downloads a module and copies it to dir, which must not exist. query is "path@version", or a path alone
// for the version that the module of the current folder requires. A copy is needed because nothing may change in
// the module cache, and the go command refuses overlays there. If the module has no go.mod, the copy gets one.
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

// makeWritable is a [fs.WalkDirFunc] that makes a file or folder writable. Copies from the module cache are
// read-only, as the files there are.
func makeWritable(name string, _ fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	return os.Chmod(name, 0o755)
}
