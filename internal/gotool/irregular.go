package gotool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// CheckFiles looks for files below root, and for go.mod and go.work above it,
// that the go command would open though they are no regular files: it would wait
// for a named pipe for ever, and read a device without end. The error is a
// *FileError that names the first, and is regular.ErrNot; or that of the context.
func CheckFiles(ctx context.Context, root string) error {
	for dir := root; ; dir = filepath.Dir(dir) {
		for _, name := range moduleNames {
			if err := checkFile(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("looking through %s: %w", root, context.Cause(ctx))
		case err != nil: // the go command will say what it cannot read
			return nil
		case d.IsDir() && path != root && d.Name() != "vendor" && Ignored(d.Name()):
			return fs.SkipDir
		case d.Type().IsRegular() || !opened(d.Name()):
			return nil
		}
		return checkFile(path)
	})
}

// moduleNames are files that say what a module or a workspace is.
var moduleNames = []string{"go.mod", "go.sum", "go.work", "go.work.sum"}

// sources are the ends of the names of files in which the go command looks for
// build constraints, in Go or not.
var sources = []string{
	".go", ".c", ".cc", ".cxx", ".cpp", ".m", ".s", ".S", ".sx", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90", ".swig", ".swigcxx",
}

// opened reports whether the go command opens a file for its name.
func opened(name string) bool {
	if strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
		return false
	}
	return slices.Contains(moduleNames, name) || name == "modules.txt" || slices.Contains(sources, filepath.Ext(name))
}

// checkFile returns an error if there is something at path that is neither a
// regular file nor a folder, nor a link to one.
func checkFile(path string) error {
	info, err := os.Stat(path)
	if err != nil || info.Mode().IsRegular() || info.IsDir() {
		return nil
	}
	return &FileError{File: path, Err: regular.ErrNot}
}

// StoppedError is a go command that was ended because its context was done.
type StoppedError struct {
	Args []string // without "go"
	Dir  string
	Err  error // the context's cause
}

// Error gives the command without its arguments, the folder and the cause.
func (e *StoppedError) Error() string {
	if errors.Is(e.Err, context.DeadlineExceeded) {
		return fmt.Sprintf("go %s in %s did not end in time", e.Args[0], e.Dir)
	}
	return fmt.Sprintf("go %s in %s was stopped: %v", e.Args[0], e.Dir, e.Err)
}

// Unwrap gives the cause.
func (e *StoppedError) Unwrap() error { return e.Err }
