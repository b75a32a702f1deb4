package scratch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// benchTree makes a repository of 5,000 files in 500 folders, three levels deep.
func benchTree(b *testing.B) string {
	b.Helper()
	root := filepath.Join(b.TempDir(), "repo")
	for i := range 5000 {
		name := benchFile(root, i)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte("package p\n"), 0o644)); err != nil {
			b.Fatal(err)
		}
	}
	return root
}

func benchFile(root string, i int) string {
	return filepath.Join(root, fmt.Sprintf("d%d/e%d/f%d/file%d.go", i%5, i%50, i%500, i))
}

func benchCopy(b *testing.B) (*Copy, string) {
	b.Helper()
	root := benchTree(b)
	c, err := New(root)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	return c, c.Dir(root)
}

func BenchmarkNewAndClose(b *testing.B) {
	root := benchTree(b)
	for b.Loop() {
		c, err := New(root)
		if err != nil {
			b.Fatal(err)
		}
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClose(b *testing.B) {
	root := benchTree(b)
	for b.Loop() {
		b.StopTimer()
		c, err := New(root)
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRestoreOfUnchangedFiles(b *testing.B) {
	for _, watched := range []bool{true, false} {
		b.Run(fmt.Sprintf("watched=%t", watched), func(b *testing.B) {
			c, _ := benchCopy(b)
			if !watched {
				c.unwatch()
			}
			for b.Loop() {
				if err := c.Restore(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRestoreOfTenFiles(b *testing.B) {
	for _, watched := range []bool{true, false} {
		b.Run(fmt.Sprintf("watched=%t", watched), func(b *testing.B) {
			c, dir := benchCopy(b)
			if !watched {
				c.unwatch()
			}
			for b.Loop() {
				for i := range 10 {
					if err := os.WriteFile(benchFile(dir, i*499), []byte("changed"), 0o644); err != nil {
						b.Fatal(err)
					}
				}
				if err := c.Restore(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
