package corpus

import (
	"context"
	"fmt"
	"go/token"
	"path"
	"strings"

	"golang.org/x/mod/module"
)

// Store is where the entries that builds share are kept: a [Dir], or what else
// implements it. A harness is named import/path.FuzzX. A store is
// safe for concurrent use, and others may write to what it keeps meanwhile.
type Store interface {
	// Load returns the entries of a harness, sorted by ID. A harness without
	// entries is no error. The errors say what was passed over and why, and stays
	// where it is, or why nothing or not everything could be read; the entries
	// are good in any case.
	Load(ctx context.Context, harness string) ([]Entry, []error)
	// Save adds entries to a harness. Entries that are there already stay,
	// damaged ones are replaced. An entry that Load would refuse is an error, and
	// so is what cannot be kept; some entries may be kept nevertheless.
	Save(ctx context.Context, harness string, entries []Entry) error
	// Close releases what the store holds; what Save has kept stays kept. It is
	// the last call.
	Close() error
}

// harnessFolder maps import/path.Name to import/path/Name. Harness names come
// out of saved results too, so whatever is not an import path and an
// identifier is refused; that leaves no way out of the corpus folder.
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
