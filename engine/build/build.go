// Package build makes the test binaries of a program: woven ones with all mutants
// inside, and plain ones.
package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/journal"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// Config is what to build, and where.
type Config struct {
	*program.Program // loaded
	*journal.Journal
	Work string // an existing folder, of the program alone
	Only string // ID of the mutants to make; empty: all
	// Choose returns those of a function's mutants that there are to be, and may set
	// Ignored of them; nil: all.
	Choose func(*mutate.Function, []mutate.Mutant) []mutate.Mutant
}

// Binaries are the test binaries of a program. Weave comes first, then Build; all
// else may be called from several goroutines.
type Binaries struct {
	Config
	Woven   *weave.Woven
	Sources map[string][]byte // by file, relative to the root: its text, as it was mutated

	probePath, probeDir string
	overlay             map[string]string // original file -> woven file on disk
	files               map[string]string // see Files
	builds              atomic.Int64      // with mutants in them

	mu         sync.Mutex
	woven      map[string]string   // import path -> woven test binary; "": there are no tests
	registered map[string][]string // import path -> tests that mutants can be tried on
	unbuilt    []unbuilt           // packages given to Add whose tests do not build
	plainMu    sync.Mutex          // held while plain ones are built
	plain      map[string]string   // import path -> plain test binary
}

// New returns binaries that are not yet made.
func New(c Config) *Binaries {
	b := &Binaries{Config: c, plain: map[string]string{}}
	b.probePath, b.probeDir = b.probeHome()
	b.forget()
	return b
}

// forget forgets what was made so far, but for Woven, which is replaced when all has been woven again.
func (b *Binaries) forget() {
	b.Sources, b.woven, b.registered = map[string][]byte{}, map[string]string{}, map[string][]string{}
	b.builds.Store(0)
}

// Weave makes the mutants and the woven source, and writes its files. If that fails with generated harnesses, which may be
// why, they are dropped.
func (b *Binaries) Weave(ctx context.Context) error {
	err := b.weave(ctx)
	if err != nil && b.dropHarnesses(ctx, err) {
		err = b.weave(ctx)
	}
	return err
}

func (b *Binaries) weave(ctx context.Context) error {
	b.Phase("weave", 0)
	b.forget()
	in := b.harnesses()
	in.Touched = b.Types.Touched
	for i := range b.Functions {
		in.Functions = append(in.Functions, b.mutate(i)...)
	}
	in.Cover = b.between()
	in.Tests = b.testFiles(b.withHarnesses())
	woven, err := weave.Weave(ctx, in)
	if err != nil {
		return fmt.Errorf("weaving %s: %w", b.Dir, err)
	}
	for i := range b.Functions {
		if why := woven.Skipped[b.Functions[i].ID]; why != "" && b.Functions[i].Skipped == "" {
			b.Functions[i].Skipped = why
		}
	}
	maps.Copy(b.registered, woven.Tests)
	if b.overlay, err = WriteOverlay(filepath.Join(b.Work, "woven"), b.withFiles(woven.Overlay)); err != nil {
		return err
	}
	if b.files, err = WriteOverlay(filepath.Join(b.Work, "files"), b.Overlay()); err != nil {
		return err
	}
	b.Woven = woven
	return nil
}

// dropHarnesses takes the generated harnesses back, and reports whether there were any: err may be
// their fault, and no program is to be left unanalysed for that.
func (b *Binaries) dropHarnesses(ctx context.Context, err error) bool {
	if len(b.Program.Files) == 0 || ctx.Err() != nil {
		return false
	}
	b.Say("once more without the harnesses that were made: %v", err)
	b.DropHarnesses()
	return true
}

// harnesses is what to weave of the fuzz targets.
func (b *Binaries) harnesses() weave.Input {
	return weave.Input{
		Root: b.Tree, Targets: b.Types.Targets, Std: b.Types.Std, Own: b.Own, Sources: b.Overlay(), ProbePath: b.probePath, ProbeDir: b.probeDir,
	}
}

// Harnesses weaves nothing but the fuzz targets, so that what they observe can be
// read although the code under test is plain. It returns an overlay.
func (b *Binaries) Harnesses(ctx context.Context) (map[string]string, error) {
	in := b.harnesses()
	in.HarnessOnly, in.Layout = true, b.Woven.Layout
	woven, err := weave.Weave(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("weaving the harnesses of %s: %w", b.Dir, err)
	}
	return WriteOverlay(filepath.Join(b.Work, "harness"), b.withFiles(woven.Overlay))
}

// withFiles adds those files that only the analysis knows to a woven overlay that weaving left as
// they are.
func (b *Binaries) withFiles(overlay map[string][]byte) map[string][]byte {
	all := b.Overlay()
	maps.Copy(all, overlay)
	return all
}

// TargetsOfUser reports whether some of the woven fuzz targets are the user's.
func (b *Binaries) TargetsOfUser() bool {
	return slices.ContainsFunc(b.Woven.Targets, func(t weave.Target) bool {
		_, made := b.Made(t.File, t.Func)
		return len(made.For) == 0
	})
}

// Files is the overlay for plain builds: the harnesses that only the analysis knows.
func (b *Binaries) Files() map[string]string { return b.files }

// mutate makes the mutants of the i-th function, or returns none and says why in
// its Skipped. Several functions come of a variable with several function literals.
func (b *Binaries) mutate(i int) (list []weave.Function) {
	f := &b.Functions[i]
	if f.Skipped != "" {
		return nil
	}
	functions, err := b.Types.Declarations(f)
	if err != nil {
		f.Skipped = err.Error()
		return nil
	}
	for _, src := range functions {
		for _, l := range f.Changed {
			src.Changed = append(src.Changed, mutate.Lines(l))
		}
		for _, s := range f.Fresh {
			src.Fresh = append(src.Fresh, mutate.Span(s))
		}
		for _, h := range b.Hunks {
			if h.File == f.File && h.First <= f.EndLine && h.First+max(h.Count, 1) > f.StartLine {
				src.Hunks = append(src.Hunks, mutate.Hunk{First: h.First, Count: h.Count, Old: h.Old})
			}
		}
		src.Imported, src.Gone = b.Importable(f.Package, f.Imports), b.gone(f)
		b.Sources[src.File] = src.Source
		mutants := mutate.Mutants(src)
		if b.Only != "" {
			mutants = slices.DeleteFunc(mutants, func(m mutate.Mutant) bool { return m.ID != b.Only })
		}
		if b.Choose != nil {
			mutants = b.Choose(src, mutants)
		}
		list = append(list, weave.Function{Function: *src, Path: f.Path, Mutants: mutants})
	}
	return list
}

// gone are the declarations of the base that the package of a function does not have.
func (b *Binaries) gone(f *diffscope.Function) map[string]mutate.Gone {
	all := map[string]mutate.Gone{}
	for _, g := range b.Gone {
		if g.Dir == path.Dir(f.File) {
			all[g.Name] = mutate.Gone{Kind: g.Kind, Type: g.Type, Value: g.Value, Imported: b.Importable(f.Package, g.Imports)}
		}
	}
	return all
}

// probeHome is where the probe lives: directly below the first module whose
// packages are woven, for all modules of a workspace can import from it.
func (b *Binaries) probeHome() (path, dir string) {
	m := b.Modules[0]
	for _, f := range b.Functions {
		if mod := b.Module(f.Package); mod != nil {
			m = *mod
			break
		}
	}
	path = weave.FreeProbePath(m.Path, slices.Collect(maps.Keys(b.Packages)))
	return path, filepath.Join(m.Dir, strings.TrimPrefix(path, m.Path+"/"))
}

// between returns the packages of the program that are on an import path from a
// package with targets to a touched one: what connects harness and mutants.
func (b *Binaries) between() []weave.CoverPackage {
	var cover []weave.CoverPackage
	for _, p := range b.Sorted() {
		if b.connects(p) {
			cover = append(cover, b.coverPackage(p, p.GoFiles))
		}
	}
	return cover
}

// testFiles returns the test files of packages.
func (b *Binaries) testFiles(paths []string) []weave.CoverPackage {
	var list []weave.CoverPackage
	for _, path := range paths {
		p := b.Packages[path]
		list = append(list, b.coverPackage(p, p.TestFiles()))
	}
	return list
}

func (b *Binaries) coverPackage(p *gotool.Package, files []string) weave.CoverPackage {
	c := weave.CoverPackage{ImportPath: p.ImportPath, GoVersion: b.GoVersion(p.ImportPath)}
	for _, name := range files {
		c.Files = append(c.Files, filepath.Join(p.Dir, name))
	}
	return c
}

// withHarnesses are the import paths of the packages whose test binaries are built
// in any case: the touched ones and those with targets.
func (b *Binaries) withHarnesses() []string {
	paths := slices.Clone(b.Touched)
	for _, p := range b.Types.Targets {
		if path := strings.TrimSuffix(p.PkgPath, "_test"); !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

func (b *Binaries) connects(p *gotool.Package) bool {
	reaches := slices.ContainsFunc(b.Touched, func(path string) bool {
		return p.ImportPath == path || slices.Contains(p.Deps, path)
	})
	return reaches && slices.ContainsFunc(b.Types.Targets, func(t *packages.Package) bool {
		path := strings.TrimSuffix(t.PkgPath, "_test")
		return path == p.ImportPath || b.Packages[path] != nil && b.TestsImport(b.Packages[path], p.ImportPath)
	})
}

// Build builds the woven test binaries of the touched packages and of those with
// targets, one build for all mutants. If they do not build with generated harnesses, these are dropped; again says
// that all was therefore woven once more, so that Woven and Sources are others now. Errors are those of
// gotool.Go.TestBinaries and of Weave.
func (b *Binaries) Build(ctx context.Context) (again bool, err error) {
	b.Phase("build", 0)
	err = b.build(ctx)
	if broken := (*gotool.BuildError)(nil); !errors.As(err, &broken) || !b.dropHarnesses(ctx, err) {
		return false, err
	}
	if err := b.weave(ctx); err != nil {
		return false, err
	}
	return true, b.build(ctx)
}

func (b *Binaries) build(ctx context.Context) error {
	all := slices.Clone(b.Touched)
	for _, t := range b.Woven.Targets {
		if !slices.Contains(all, t.Package) {
			all = append(all, t.Package)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return b.buildWoven(ctx, b.overlay, all)
}

func (b *Binaries) buildWoven(ctx context.Context, overlay map[string]string, pkgs []string) error {
	b.builds.Add(1)
	built, err := b.BuildTests(ctx, TestBuild{Kind: "woven", Overlay: overlay, Packages: pkgs})
	b.mu.Lock()
	defer b.mu.Unlock()
	maps.Copy(b.woven, built)
	return err
}

// TestBuild is a build of test binaries.
type TestBuild struct {
	Kind     string            // what the folder of the binaries is called after
	Dir      string            // the program's folder, or its counterpart in another tree; empty: the program's
	Overlay  map[string]string // original file -> file on disk that stands for it
	Files    map[string][]byte // added or replaced besides, by name
	Packages []string
}

// BuildTests builds test binaries, and returns them by import path. Errors are those of
// gotool.Go.TestBinaries.
func (b *Binaries) BuildTests(ctx context.Context, t TestBuild) (map[string]string, error) {
	out, err := os.MkdirTemp(b.Work, t.Kind+"-")
	if err != nil {
		return nil, err
	}
	written, err := WriteOverlay(out, t.Files)
	if err != nil {
		return nil, err
	}
	overlay := map[string]string{}
	maps.Copy(overlay, t.Overlay)
	maps.Copy(overlay, written)
	tool := b.Tool
	tool.Dir = cmp.Or(t.Dir, tool.Dir)
	return tool.TestBinaries(ctx, gotool.TestBuild{Overlay: overlay, Packages: t.Packages, Out: out, Flags: b.Flags})
}

// Of is the woven test binary of a package; "" where there is none.
func (b *Binaries) Of(pkg string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.woven[pkg]
}

// Builds is how often woven code was built.
func (b *Binaries) Builds() int { return int(b.builds.Load()) }

// Registered are the tests of a package that mutants can be tried on.
func (b *Binaries) Registered(pkg string) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.registered[pkg])
}

// Unregister has no mutant be tried on tests of a package any more.
func (b *Binaries) Unregister(pkg string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.registered, pkg)
}

// Add builds the woven tests of those packages for which there are none yet. If
// they do not build together each is built alone, and those that do not are left
// out: see LeftOut.
func (b *Binaries) Add(ctx context.Context, pkgs []string) error {
	missing := slices.DeleteFunc(slices.Clone(pkgs), func(pkg string) bool { return b.Of(pkg) != "" })
	if len(missing) == 0 {
		return nil
	}
	overlay, err := b.register(missing)
	if err != nil {
		return err
	}
	err = b.buildWoven(ctx, overlay, missing)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && len(missing) > 1:
		for _, pkg := range missing {
			if err := b.Add(ctx, []string{pkg}); err != nil {
				return err
			}
		}
	case err != nil:
		b.leaveOut(missing[0], err)
	}
	return nil
}

// leaveOut notes that the tests of a package do not build.
func (b *Binaries) leaveOut(pkg string, err error) {
	why := err.Error()
	var broken *gotool.BuildError
	if errors.As(err, &broken) {
		why = broken.Reason()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.unbuilt, func(u unbuilt) bool { return u.why == why })
	if i < 0 {
		i, b.unbuilt = len(b.unbuilt), append(b.unbuilt, unbuilt{why: why})
	}
	b.unbuilt[i].packages = append(b.unbuilt[i].packages, pkg)
}

// unbuilt are packages whose tests do not build for the same reason.
type unbuilt struct {
	why      string
	packages []string
}

// maxNamed is how many packages are named that are left out for the same reason.
const maxNamed = 3

// LeftOut says which packages of those given to Add are left out, and why: those with the same reason together.
func (b *Binaries) LeftOut() (notes []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, u := range b.unbuilt {
		list := strings.Join(u.packages[:min(len(u.packages), maxNamed)], ", ")
		if more := len(u.packages) - maxNamed; more > 0 {
			list += fmt.Sprintf(" and %d more packages", more)
		}
		notes = append(notes, "left out: tests of "+list+" do not build:\n"+u.why)
	}
	return notes
}

// register returns the overlay for the tests of further packages: that of the
// woven binary, and their test files with the tests registered.
func (b *Binaries) register(pkgs []string) (map[string]string, error) {
	files, registered, err := weave.WeaveTests(weave.Input{Root: b.Tree, ProbePath: b.probePath, Tests: b.testFiles(pkgs)})
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	maps.Copy(b.registered, registered)
	b.mu.Unlock()
	dir, err := os.MkdirTemp(b.Work, "dependents-")
	if err != nil {
		return nil, err
	}
	overlay, err := WriteOverlay(dir, files)
	if err != nil {
		return nil, err
	}
	maps.Copy(overlay, b.overlay)
	return overlay, nil
}

// Plain is the test binary of a package without any weaving, with the harnesses that
// only the analysis knows, which is built when it is first asked for.
func (b *Binaries) Plain(ctx context.Context, pkg string) (string, error) {
	b.plainMu.Lock()
	defer b.plainMu.Unlock()
	if b.plain[pkg] == "" {
		built, err := b.BuildTests(ctx, TestBuild{Kind: "plain", Overlay: b.files, Packages: []string{pkg}})
		if err != nil {
			return "", err
		}
		b.plain[pkg] = built[pkg]
	}
	return b.plain[pkg], nil
}

// Mutated returns the file that m changes, and its text with m in it.
func (b *Binaries) Mutated(m *weave.Mutant) (path string, text []byte, err error) {
	path = b.Path(m.File)
	src, err := regular.Source(path)
	if err != nil {
		return "", nil, err
	}
	text, err = WithMutant(src, m)
	return path, text, err
}

// WithMutant returns the text of a file with m in it. It fails where the file no longer holds
// what m replaces.
func WithMutant(src []byte, m *weave.Mutant) ([]byte, error) {
	if m.EndOffset > len(src) || string(src[m.Offset:m.EndOffset]) != m.Original {
		return nil, fmt.Errorf("%s changed since the analysis began", m.File)
	}
	return m.Apply(src), nil
}

// WriteOverlay writes the files of an overlay into dir, which it makes if it is missing, and
// returns where each is.
func WriteOverlay(dir string, files map[string][]byte) (map[string]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	overlay := map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		file := filepath.Join(dir, fmt.Sprintf("%d_%s", i, filepath.Base(name)))
		if err := os.WriteFile(file, files[name], 0o644); err != nil {
			return nil, err
		}
		overlay[name] = file
	}
	return overlay, nil
}
