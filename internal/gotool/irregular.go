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

// CheckFiles looks for files that the go command would open although they are not regular files. It would wait
// for a named pipe for ever, and read a device without end. CheckFiles searches root and all that is below it;
// above root it looks at files such as go.mod and go.work. The error is a *FileError about the first such file,
// which wraps regular.ErrNot, or reports that ctx has ended.
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

// moduleNames are the names of the files that describe a module or a workspace.
var moduleNames = []string{"go.mod", "go.sum", "go.work", "go.work.sum"}

// sources are the extensions of files, of Go and other languages, in which the go command looks for build
// constraints.
var sources = []string{
	".go", ".c", ".cc", ".cxx", ".cpp", ".m", ".s", ".S", ".sx", ".h", ".hh", ".hpp", ".hxx", ".f", ".F", ".for", ".f90", ".swig", ".swigcxx",
}

// opened reports whether the go command opens a file that has this name.
func opened(name string) bool {
	if strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
		return false
	}
	return slices.Contains(moduleNames, name) || name == "modules.txt" || slices.Contains(sources, filepath.Ext(name))
}

// checkFile returns a *FileError if there is something at path, or where a link at path leads, that is neither a
// regular file nor a folder.
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

// Error returns the subcommand, the folder and the cause.
func (e *StoppedError) Error() string {
	if errors.Is(e.Err, context.DeadlineExceeded) {
		return fmt.Sprintf("go %s in %s did not end in time", e.Args[0], e.Dir)
	}
	return fmt.Sprintf("go %s in %s was stopped: %v", e.Args[0], e.Dir, e.Err)
}

// Unwrap returns the cause.
func (e *StoppedError) Unwrap() error { return e.Err }
