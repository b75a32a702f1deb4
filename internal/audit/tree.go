package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// tree is a copy of a repository that may be edited.
type tree struct {
	dir string
}

func copyTree(from string) (*tree, error) {
	dir, err := os.MkdirTemp("", "mutantfuzz-audit-")
	if err != nil {
		return nil, err
	}
	t := &tree{dir}
	if err := os.CopyFS(filepath.Join(dir, "repo"), os.DirFS(from)); err != nil {
		t.close()
		return nil, fmt.Errorf("cannot copy %s: %w", from, err)
	}
	return t, nil
}

func (t *tree) close() { os.RemoveAll(t.dir) }

// path returns the absolute path of a file that the results name.
func (t *tree) path(file string) string {
	return filepath.Join(t.dir, "repo", filepath.FromSlash(file))
}

// mutate returns the source of m's file with m in it.
func (t *tree) mutate(m *results.Mutant) ([]byte, error) {
	src, err := os.ReadFile(t.path(m.File))
	if err != nil {
		return nil, err
	}
	whole := m.Whole()
	m = &whole
	if m.Offset < 0 || m.EndOffset < m.Offset || m.EndOffset > len(src) || string(src[m.Offset:m.EndOffset]) != m.Original {
		return nil, fmt.Errorf("%s:%d does not read %q\nhint: check the repository out as it was analysed", m.File, m.Line, m.Original)
	}
	return bytes.Join([][]byte{src[:m.Offset], src[m.EndOffset:]}, []byte(m.Replacement)), nil
}

// with calls f while files, by absolute path, have other contents. Afterwards it restores them.
func (t *tree) with(files map[string][]byte, f func() error) (err error) {
	for name, text := range files {
		restore, putErr := put(name, text)
		if putErr != nil {
			return putErr
		}
		defer func() {
			if restoreErr := restore(); err == nil {
				err = restoreErr
			}
		}()
	}
	return f()
}

// put writes a file and returns a function that undoes this.
func put(name string, text []byte) (restore func() error, err error) {
	before, err := os.ReadFile(name)
	switch {
	case os.IsNotExist(err):
		restore = func() error { return os.Remove(name) }
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	default:
		restore = func() error { return os.WriteFile(name, before, 0o644) }
	}
	return restore, os.WriteFile(name, text, 0o644)
}
