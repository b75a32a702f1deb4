package gotool

import (
	"context"
	"go/parser"
	"go/token"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// ListAlone is List without the dependencies of the packages, which need not be present. It resolves nothing, so
// nothing is downloaded. Imports are those of the files of a package. Deps has what can be found from the imports
// of the listed packages; it lacks what only packages of other modules lead to. flags are build flags.
func (g Go) ListAlone(ctx context.Context, flags []string, patterns ...string) ([]*Package, error) {
	list, err := g.List(ctx, append(slices.Clip(flags), "-find"), patterns...)
	if err != nil {
		return nil, err
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, p := range list {
		group.Go(func() error {
			p.Imports = importsOf(p.Dir, slices.Concat(p.GoFiles, p.CgoFiles))
			p.TestImports, p.XTestImports = importsOf(p.Dir, p.TestGoFiles), importsOf(p.Dir, p.XTestGoFiles)
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, context.Cause(ctx)
	}
	addDeps(list)
	return list, nil
}

// importsOf returns the imports of files in dir, sorted. It skips files that cannot be read or parsed.
func importsOf(dir string, files []string) (paths []string) {
	for _, name := range files {
		src, err := regular.Source(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, spec := range file.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil {
				paths = append(paths, path)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// addDeps sets the dependencies of packages as far as the imports of these packages tell.
func addDeps(list []*Package) {
	byPath := map[string]*Package{}
	for _, p := range list {
		byPath[p.ImportPath] = p
	}
	for _, p := range list {
		seen := map[string]bool{}
		next := slices.Clone(p.Imports)
		for len(next) > 0 {
			path := next[len(next)-1]
			next = next[:len(next)-1]
			if seen[path] || path == "C" {
				continue
			}
			seen[path] = true
			p.Deps = append(p.Deps, path)
			if dep := byPath[path]; dep != nil {
				next = append(next, dep.Imports...)
			}
		}
		slices.Sort(p.Deps)
	}
}
