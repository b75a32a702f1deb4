package corpus

import (
	"context"
	"fmt"
	"go/token"
	"path"
	"strings"

	"golang.org/x/mod/module"
)

// Store is where the entries that builds share are kept: a [Dir], or another implementation. A harness is named
// import/path.FuzzX. A Store is safe for concurrent use, and others may write to what it keeps at the same time.
type Store interface {
	// Load returns the entries of a harness, sorted by ID. A harness without entries is no error. The errors say what
	// was left out and why, or why not everything could be read. What is left out stays where it is. The returned
	// entries are good in any case.
	Load(ctx context.Context, harness string) ([]Entry, []error)
	// Save adds entries to a harness. It keeps entries that are there already, and replaces damaged ones. An entry that
	// Load would refuse is an error, and so is one that cannot be stored; other entries may be stored nevertheless.
	Save(ctx context.Context, harness string, entries []Entry) error
	// Close releases what the store holds, and must be the last call. What Save has stored stays stored.
	Close() error
}

// harnessFolder maps import/path.Name to import/path/Name. Harness names may come from saved results, so anything but
// an import path and an identifier is refused. That leaves no way out of the corpus folder.
func harnessFolder(harness string) (string, error) {
	dot := strings.LastIndexByte(harness, '.')
	if dot < 0 {
		return "", fmt.Errorf("harness %q: want import/path.Name", harness)
	}
	pkg, name := harness[:dot], harness[dot+1:]
	if err := module.CheckImportPath(pkg); err != nil {
		return "", fmt.Errorf("harness %q: %w", harness, err)
	}
	if !token.IsIdentifier(name) {
		return "", fmt.Errorf("harness %q: %q is not a Go identifier", harness, name)
	}
	return path.Join(pkg, name), nil
}
