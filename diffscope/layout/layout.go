// Package layout tells how a source tree is divided into units, modules and packages, and which of these are asked for.
package layout

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// Config says which tree to look at, and what is asked for.
type Config struct {
	Tree     string   // absolute
	Dir      string   // absolute: the folder asked for, in Tree
	Where    string   // how errors name Dir
	Packages []string // patterns relative to Dir; empty: the modules around and below Dir
	Env      []string // environment of the go command; nil: os.Environ()
	Flags    []string // build flags that decide which files belong to a package, such as -tags=x
}

// Layout is how the tree is divided into units, modules and packages, and which of them are asked for.
type Layout struct {
	Units []gotool.Unit // around and below Config.Dir

	cfg      Config
	patterns []pattern                 // empty: the modules around and below Config.Dir
	listed   map[int][]*gotool.Package // results of All, by unit
	broken   []gotool.Broken           // modules below Config.Dir that the go command cannot load
}

// New finds the units around and below a folder. It returns an *[fault.Error] if there are none, or if a pattern names a
// folder that does not exist.
func New(ctx context.Context, cfg Config) (l *Layout, err error) {
	l = &Layout{cfg: cfg, listed: map[int][]*gotool.Package{}}
	if err := gotool.CheckFiles(ctx, cfg.Tree); err != nil {
		return nil, goError(err)
	}
	if l.Units, l.broken, err = gotool.Units(ctx, cfg.Dir, cfg.Env); err != nil {
		return nil, goError(err)
	}
	if len(l.Units) == 0 && !slices.ContainsFunc(l.broken, isModule) {
		return nil, fault.New(fault.NoModule, "go mod init makes one", "no module in, above or below %s", cfg.Where)
	}
	for _, text := range cfg.Packages {
		p, err := newPattern(cfg.Dir, text)
		if err != nil {
			return nil, err
		}
		l.patterns = append(l.patterns, p)
	}
	return l, nil
}

// Place is the unit, module and package of a folder.
type Place struct {
	Unit       int // index into Layout.Units
	Module     gotool.Module
	ImportPath string
}

// Place returns the unit, module and import path of a folder of the tree. The module is the nearest one upwards;
// Place is not ok if there is none, or if it is broken.
func (l *Layout) Place(dir string) (Place, bool) {
	best := l.moduleAt(dir)
	rel, err := filepath.Rel(best.Module.Dir, dir)
	if best.Module.Dir == "" || err != nil || l.BrokenAt(dir) != nil {
		return Place{}, false
	}
	best.ImportPath = best.Module.Path
	if rel != "." {
		best.ImportPath += "/" + filepath.ToSlash(rel)
	}
	return best, true
}

// moduleAt returns the nearest of the units' modules upwards from a folder, broken or not; the zero value if none.
func (l *Layout) moduleAt(dir string) (best Place) {
	for i, u := range l.Units {
		for _, m := range u.Modules {
			if len(m.Dir) > len(best.Module.Dir) && within(m.Dir, dir) {
				best = Place{Unit: i, Module: m}
			}
		}
	}
	return best
}

// BrokenAt returns the module that a folder belongs to if that module is broken, else nil.
func (l *Layout) BrokenAt(dir string) (nearest *gotool.Broken) {
	least := len(l.moduleAt(dir).Module.Dir)
	for i, b := range l.broken {
		if len(b.Dir) >= least && within(b.Dir, dir) {
			nearest, least = &l.broken[i], len(b.Dir)
		}
	}
	return nearest
}

// isModule reports whether b is a module, not a folder that a go.mod without a module line keeps out of all modules.
func isModule(b gotool.Broken) bool { return !errors.Is(b.Err, gotool.ErrNoModuleLine) }

// Nested reports whether a unit is below the folder asked for. The go command works in that folder without the unit.
func (l *Layout) Nested(unit int) bool {
	dir := l.Units[unit].Dir
	return dir != l.cfg.Dir && within(l.cfg.Dir, dir)
}

// within reports whether dir is root or below it.
func within(root, dir string) bool {
	rel, err := filepath.Rel(root, dir)
	return err == nil && filepath.IsLocal(rel)
}

// Own reports whether a package may belong to one of the modules.
func (l *Layout) Own(importPath string) bool {
	return slices.ContainsFunc(l.Units, func(u gotool.Unit) bool { return mayHave(u, importPath) })
}

// mayHave reports whether an import path lies in one of a unit's modules, whether or not the package exists.
func mayHave(u gotool.Unit, importPath string) bool {
	return slices.ContainsFunc(u.Modules, func(m gotool.Module) bool {
		return importPath == m.Path || strings.HasPrefix(importPath, m.Path+"/")
	})
}

// Name returns the path of a file in a folder, relative to the tree, slash-separated.
func (l *Layout) Name(dir, base string) string {
	rel, err := filepath.Rel(l.cfg.Tree, filepath.Join(dir, base))
	if err != nil {
		return filepath.ToSlash(filepath.Join(dir, base))
	}
	return filepath.ToSlash(rel)
}
