package realcode

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

func TestCopiesCanBeChanged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "errors")
	if err := Copy(context.Background(), "github.com/pkg/errors@v0.9.1", dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"errors.go", "go.mod"} { // the module has no go.mod of its own
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	if err := os.WriteFile(filepath.Join(dir, "new.go"), []byte("package errors\n"), 0o600); err != nil {
		t.Error(err)
	}
}

func TestAModuleThatDoesNotExistIsAnError(t *testing.T) {
	if err := Copy(context.Background(), "example.invalid/m@v1.0.0", filepath.Join(t.TempDir(), "m")); err == nil {
		t.Error("there is none")
	}
}
