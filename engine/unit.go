package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/callgraph"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// unit is the analysis of the functions in scope of one unit: what one
// invocation of the go command sees.
type unit struct {
	*run
	diffscope.Unit
	number     int
	tool       gotool.Go
	functions  []diffscope.Function
	listing    map[string]*gotool.Package // every package of the unit, by import path
	touched    []string                   // import paths of the packages with functions to mutate, sorted
	graph      *callgraph.Graph           // nil: not built; see calls
	noGraph    bool                       // it cannot be built
	reachers   map[string][]string        // by import path: tests that may reach a mutant; none: all may
	typed      *typed
	probePath  string
	probeDir   string
	woven      *weave.Woven
	overlay    map[string]string // original file -> woven file on disk
	plain      map[string]string // import path -> plain test binary
	binaries   map[string]string // import path -> woven test binary
	mutants    []*mutant         // by number, from 1: mutants[n-1]
	byID       map[string]*mutant
	bodies     *bodies                    // nil: verdicts are not kept
	registered map[string][]string        // by import path: tests that mutants can be tried on
	tests      map[string]map[string]bool // by import path: names of declared tests; guarded by mu
	builders   []*builder
	judged     *judge.Result // what the tests say; nil: they have not judged
	group      int           // of packages of dependents that were built together last
	overlays   int           // that were written for dependents
	plainMu    sync.Mutex    // guards plain
	tested     bool          // it is known of every mutant which tests may kill it
	untested   string        // why not; empty: for want of time
	short      bool          // there was no time for some mutant, as decide has found
	targets    []*target
	sites      map[int]*observed // by mutant: where it is exposed
	sources    map[string][]byte // by file, relative to the root: its text, as it was mutated
	seconds    map[string]time.Duration
	spent      map[string]time.Duration // by test: what its runs took; guarded by mu

	forTests, forTargets loosened // what tests and fuzzing may do; guarded by mu
}

// prepare loads the packages, makes the mutants and weaves them.
func (u *unit) prepare(ctx context.Context) error {
	if err := u.timed("load", func() error { return u.load(ctx) }); err != nil {
		return err
	}
	return u.timed("weave", func() error { return u.weave(ctx) })
}

// load lists the unit and loads the packages that are mutated or hold fuzz
// targets with their types.
func (u *unit) load(ctx context.Context) error {
	u.progress.Phase("load", 0)
	if _, err := u.folder(); err != nil {
		return err
	}
	if err := u.list(ctx); err != nil {
		return err
	}
	for _, f := range u.functions {
		if f.Skipped == "" && !slices.Contains(u.touched, f.Package) {
			u.touched = append(u.touched, f.Package)
		}
	}
	slices.Sort(u.touched)
	for _, path := range u.touched {
		if p := u.listing[path]; p == nil {
			return &BrokenError{Packages: []string{path}, Output: "the go command does not list this package"}
		} else if len(p.Errors) > 0 {
			return &BrokenError{Packages: []string{path}, Output: strings.Join(p.Errors, "\n")}
		}
	}
	targets := u.chooseTargets(ctx, u.targetPackages())
	var err error
	u.typed, err = loadTyped(ctx, u.tool, u.cfg.BuildFlags, u.touched, targets)
	return err
}

// list fills u.listing.
func (u *unit) list(ctx context.Context) error {
	var patterns []string
	for _, m := range u.Modules {
		rel, err := filepath.Rel(u.Dir, m.Dir)
		if err != nil {
			return err
		}
		patterns = append(patterns, "./"+filepath.ToSlash(filepath.Join(rel, "...")))
	}
	list, err := u.tool.List(ctx, u.cfg.BuildFlags, patterns...)
	if err != nil {
		return err
	}
	u.listing = map[string]*gotool.Package{}
	for _, p := range list {
		u.listing[p.ImportPath] = p
	}
	return nil
}

// targetPackages returns the packages with fuzz targets that import, directly
// or not, a touched package, or are one.
func (u *unit) targetPackages() []string {
	return slices.DeleteFunc(u.importers(), func(path string) bool { return !hasTarget(u.listing[path]) })
}

func (u *unit) sortedListing() []*gotool.Package {
	list := make([]*gotool.Package, 0, len(u.listing))
	for _, p := range u.listing {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *gotool.Package) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return list
}

// testsReach reports whether p's code or tests import path, directly or not.
func (u *unit) testsReach(p *gotool.Package, path string) bool {
	if slices.Contains(p.Deps, path) {
		return true
	}
	for _, list := range [][]string{p.TestImports, p.XTestImports} {
		for _, imp := range list {
			if imp == path || u.listing[imp] != nil && slices.Contains(u.listing[imp].Deps, path) {
				return true
			}
		}
	}
	return false
}

// hasTarget reports whether a test file of p looks as if it held a fuzz
// target.
func hasTarget(p *gotool.Package) bool {
	for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
		src, err := regular.Source(filepath.Join(p.Dir, name))
		if err == nil && strings.Contains(string(src), "testing.F") {
			return true
		}
	}
	return false
}

// weave makes the mutants and the woven source, and writes its files.
func (u *unit) weave(ctx context.Context) error {
	u.progress.Phase("weave", 0)
	in := weave.Input{
		Root: u.scope.Tree, Touched: u.typed.touched, Targets: u.typed.targets, Std: u.typed.std,
		Own: func(path string) bool { return u.listing[path] != nil },
	}
	u.probePath, u.probeDir = u.probeHome()
	in.ProbePath, in.ProbeDir = u.probePath, u.probeDir
	for i := range u.functions {
		in.Functions = append(in.Functions, u.mutate(&u.functions[i])...)
	}
	in.Cover = u.between()
	in.Tests = u.testFiles(u.harnessPaths())
	woven, err := weave.Weave(ctx, in)
	if err != nil {
		return fmt.Errorf("weaving %s: %w", u.Dir, err)
	}
	u.woven = woven
	u.noteSkipped()
	u.addMutants()
	u.registered = woven.Tests
	u.overlay, err = writeOverlay(filepath.Join(u.work, fmt.Sprintf("woven%d", u.number)), woven.Overlay)
	return err
}

// probeHome is where the probe lives: directly below the first module whose
// packages are woven, for all modules of a workspace can import from it.
func (u *unit) probeHome() (path, dir string) {
	m := u.Modules[0]
	for _, f := range u.functions {
		if mod := u.moduleOf(f.Package); mod != nil {
			m = *mod
			break
		}
	}
	used := make([]string, 0, len(u.listing))
	for p := range u.listing {
		used = append(used, p)
	}
	path = weave.FreeProbePath(m.Path, used)
	return path, filepath.Join(m.Dir, strings.TrimPrefix(path, m.Path+"/"))
}

func (u *unit) moduleOf(pkg string) *diffscope.Module {
	p := u.listing[pkg]
	if p == nil {
		return nil
	}
	for i := range u.Modules {
		if u.Modules[i].Path == p.ModulePath {
			return &u.Modules[i]
		}
	}
	return nil
}

// mutate makes the mutants of f, or returns none and says why in f.Skipped.
// Several functions come of a variable with several function literals.
func (u *unit) mutate(f *diffscope.Function) (list []weave.Function) {
	if f.Skipped != "" {
		return nil
	}
	functions, err := u.typed.functions(f)
	if err != nil {
		f.Skipped = err.Error()
		return nil
	}
	for _, src := range functions {
		for _, l := range f.Changed {
			src.Changed = append(src.Changed, mutate.Lines(l))
		}
		for _, h := range u.scope.Hunks {
			if h.File == f.File && h.First <= f.EndLine && h.First+max(h.Count, 1) > f.StartLine {
				src.Hunks = append(src.Hunks, mutate.Hunk{First: h.First, Count: h.Count, Old: h.Old})
			}
		}
		u.sources[src.File] = src.Source
		mutants := mutate.Mutants(src)
		if u.cfg.only != "" {
			mutants = slices.DeleteFunc(mutants, func(m mutate.Mutant) bool { return m.ID != u.cfg.only })
		}
		list = append(list, weave.Function{Function: *src, Path: f.Path, Mutants: mutants})
	}
	return list
}

// noteSkipped records which functions the weaver left out.
func (u *unit) noteSkipped() {
	for i := range u.functions {
		if why := u.woven.Skipped[u.functions[i].ID]; why != "" && u.functions[i].Skipped == "" {
			u.functions[i].Skipped = why
		}
	}
}

// between returns the packages of the unit that lie on an import path from a
// package with targets to a touched one: what connects harness and mutants.
func (u *unit) between() []weave.CoverPackage {
	var cover []weave.CoverPackage
	for _, p := range u.sortedListing() {
		if !u.connects(p) {
			continue
		}
		c := weave.CoverPackage{ImportPath: p.ImportPath}
		if m := u.moduleOf(p.ImportPath); m != nil {
			c.GoVersion = m.Go
		}
		for _, name := range p.GoFiles {
			c.Files = append(c.Files, filepath.Join(p.Dir, name))
		}
		cover = append(cover, c)
	}
	return cover
}

// testFiles returns the test files of packages.
func (u *unit) testFiles(paths []string) []weave.CoverPackage {
	var list []weave.CoverPackage
	for _, path := range paths {
		p := u.listing[path]
		c := weave.CoverPackage{ImportPath: path}
		if m := u.moduleOf(path); m != nil {
			c.GoVersion = m.Go
		}
		for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			c.Files = append(c.Files, filepath.Join(p.Dir, name))
		}
		list = append(list, c)
	}
	return list
}

// harnessPaths are the import paths of the packages whose test binaries are
// built in any case: the touched ones and those with targets.
func (u *unit) harnessPaths() []string {
	paths := slices.Clone(u.touched)
	for _, p := range u.typed.targets {
		if path := strings.TrimSuffix(p.PkgPath, "_test"); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

func (u *unit) connects(p *gotool.Package) bool {
	reaches := slices.ContainsFunc(u.touched, func(path string) bool {
		return p.ImportPath == path || slices.Contains(p.Deps, path)
	})
	return reaches && slices.ContainsFunc(u.typed.targets, func(t *packages.Package) bool {
		path := strings.TrimSuffix(t.PkgPath, "_test")
		return path == p.ImportPath || u.listing[path] != nil && u.testsReach(u.listing[path], p.ImportPath)
	})
}

// build builds the woven test binaries of the touched packages and of those with
// targets, one build for all mutants.
func (u *unit) build(ctx context.Context) error {
	return u.timed("build", func() error {
		u.progress.Phase("build", 0)
		all := slices.Clone(u.touched)
		for _, t := range u.woven.Targets {
			if !slices.Contains(all, t.Package) {
				all = append(all, t.Package)
			}
		}
		if len(all) == 0 {
			return nil
		}
		var err error
		u.binaries, err = u.buildTests(ctx, "woven", u.overlay, all)
		return err
	})
}

// buildTests builds test binaries into a folder of their own.
func (u *unit) buildTests(ctx context.Context, name string, overlay map[string]string, pkgs []string) (map[string]string, error) {
	out, err := os.MkdirTemp(u.work, name+"-")
	if err != nil {
		return nil, err
	}
	if overlay != nil {
		u.countBuild()
	}
	return u.tool.TestBinaries(ctx, gotool.TestBuild{Overlay: overlay, Packages: pkgs, Out: out, Flags: u.cfg.BuildFlags})
}

// folderName names a folder of the unit.
func (u *unit) folderName(n int) string { return fmt.Sprintf("%d_%d", u.number, n) }

// writeOverlay writes the files of an overlay into dir.
func writeOverlay(dir string, files map[string][]byte) (map[string]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	overlay := map[string]string{}
	for i, name := range names {
		file := filepath.Join(dir, fmt.Sprintf("%d_%s", i, filepath.Base(name)))
		if err := os.WriteFile(file, files[name], 0o644); err != nil {
			return nil, err
		}
		overlay[name] = file
	}
	return overlay, nil
}
