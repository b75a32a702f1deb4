package gotool

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"strings"
)

// AssemblyBuild says which package to compile for its assembly listing.
type AssemblyBuild struct {
	Overlay map[string]string // as in TestBuild
	Package string            // import path
	Out     string            // existing folder, for the overlay file
	Flags   []string          // build flags
}

// Assembly compiles one package, without its tests and without linking, and returns what the compiler prints
// under -S: every symbol that it makes, with its instructions, bytes and relocations. Errors are like those of
// TestBinaries.
func (g Go) Assembly(ctx context.Context, b AssemblyBuild) ([]byte, error) {
	out, err := filepath.Abs(b.Out)
	if err != nil {
		return nil, err
	}
	overlay, err := writeOverlay(out, b.Overlay)
	if err != nil {
		return nil, err
	}
	// Listing a package's export data compiles it. Unlike go build, it does not link a package that is a command.
	args := append([]string{"list", "-export", "-f", "{{.ImportPath}}"}, b.Flags...)
	args = append(args, "-overlay="+overlay, "-gcflags="+b.Package+"=-S -e", b.Package)
	_, listing, err := g.output(ctx, args...)
	var failed *CommandError
	if errors.As(err, &failed) && strings.TrimSpace(failed.Output) != "" && Lack(failed.Output) == nil {
		said := originalNames(g.Dir, b.Overlay).Replace(failed.Output)
		return nil, &BuildError{Packages: []string{b.Package}, Output: said}
	}
	return bytes.TrimSpace(listing), err
}
