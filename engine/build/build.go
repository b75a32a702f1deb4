// Package build builds the test binaries of a program: woven ones, which have all mutants inside, and plain ones.
package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/scanner"
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

// Config says what to build, and where.
type Config struct {
	*program.Program // must be loaded
	*journal.Journal
	Work string // an existing folder that nobody else uses
	Only string // ID of the mutants to make; empty: all
	// Choose returns the mutants of a function to build, and may set their Ignored; nil: all.
	Choose func(*mutate.Function, []mutate.Mutant) []mutate.Mutant
}

// Binaries has the test binaries of a program. Call Weave first, then Build. After that, all other methods may be
// called from several goroutines.
type Binaries struct {
	Config
	Woven   *weave.Woven      // set by Weave
	Sources map[string][]byte // contents of the files with mutants, by name relative to the root

	probePath, probeDir string
	overlay             map[string]string // original file -> woven file on disk
	files               map[string]string // see Files
	builds              atomic.Int64      // see Builds

	mu         sync.Mutex          // guards woven, added, registered and unbuilt
	woven      map[string]string   // import path -> woven test binary; "": there are no tests
	added      map[string]bool     // packages given to Add that had no test binary
	registered map[string][]string // import path -> tests that mutants can be tried on
	unbuilt    []unbuilt           // packages given to Add whose tests do not build
	plainMu    sync.Mutex          // guards plain; held during plain builds
	plain      map[string]string   // import path -> plain test binary
}

// New returns binaries of which none is built yet.
func New(c Config) *Binaries {
	b := &Binaries{Config: c, plain: map[string]string{}}
	b.probePath, b.probeDir = b.probeHome()
	b.forget()
	return b
}

// forget drops the sources, woven binaries and registered tests. Woven stays until everything has been woven again.
func (b *Binaries) forget() {
	b.Sources, b.woven, b.registered, b.added = map[string][]byte{}, map[string]string{}, map[string][]string{}, map[string]bool{}
	b.builds.Store(0)
}

// Weave makes the mutants and the woven source, and writes its files. If that fails and there are generated harnesses,
// which may be the cause, it drops them and tries again.
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

// dropHarnesses removes the generated harnesses after a failure err that they may have caused. It reports whether there
// were any, so that another attempt makes sense.
func (b *Binaries) dropHarnesses(ctx context.Context, err error) bool {
	if len(b.Program.Files) == 0 || ctx.Err() != nil {
		return false
	}
	b.Say("building failed; trying again without the generated harnesses: %v", err)
	b.DropHarnesses()
	return true
}

// harnesses returns the input for weaving the fuzz targets alone.
func (b *Binaries) harnesses() weave.Input {
	return weave.Input{
		Root: b.Tree, Targets: b.Types.Targets, Std: b.Types.Std, Own: b.Own, Sources: b.Overlay(), ProbePath: b.probePath, ProbeDir: b.probeDir,
	}
}

// Harnesses weaves only the fuzz targets, so that they report observations although the code under test is plain. It
// returns an overlay. Weave has to come first.
func (b *Binaries) Harnesses(ctx context.Context) (map[string]string, error) {
	in := b.harnesses()
	in.HarnessOnly, in.Layout = true, b.Woven.Layout
	woven, err := weave.Weave(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("weaving the harnesses of %s: %w", b.Dir, err)
	}
	return WriteOverlay(filepath.Join(b.Work, "harness"), b.withFiles(woven.Overlay))
}

// withFiles returns a copy of a woven overlay, with the generated files added that weaving left unchanged.
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

// Files returns the overlay for plain builds. It has the generated harnesses, which are not in the tree.
func (b *Binaries) Files() map[string]string { return b.files }

// mutate makes the mutants of the i-th function. If it cannot, it returns nil and sets the function's Skipped. A
// variable with several function literals gives several functions.
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

// gone returns the declarations of the base that the package of f does not have, or not as they were, by name.
func (b *Binaries) gone(f *diffscope.Function) map[string]mutate.Gone {
	all := map[string]mutate.Gone{}
	for _, g := range b.Gone {
		if g.Dir == path.Dir(f.File) {
			all[g.Name] = mutate.Gone{Kind: g.Kind, Type: g.Type, Value: g.Value, Imported: b.Importable(f.Package, g.Imports)}
		}
	}
	return all
}

// probeHome returns the import path and folder for the probe. They are directly below the module of the first function
// in scope that belongs to one, or else below any module. All modules of a workspace can import from there, unless its
// path has an element "internal", so others are preferred.
func (b *Binaries) probeHome() (path, dir string) {
	var list []diffscope.Module
	for _, f := range b.Functions {
		if m := b.Module(f.Package); m != nil {
			list = append(list, *m)
		}
	}
	list = append(list, b.Modules...)
	m := list[0]
	if i := slices.IndexFunc(list, func(m diffscope.Module) bool { return !slices.Contains(strings.Split(m.Path, "/"), "internal") }); i >= 0 {
		m = list[i]
	}
	path = weave.FreeProbePath(m.Path, slices.Collect(maps.Keys(b.Packages)))
	return path, filepath.Join(m.Dir, strings.TrimPrefix(path, m.Path+"/"))
}

// between returns the packages of the program on import paths from a package with targets to a touched one.
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

// withHarnesses returns the import paths of the packages whose tests Build builds: the touched ones and those with
// targets.
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

// Build builds the woven test binaries of the touched packages and of those with targets, in one build for all mutants.
// If they do not build with generated harnesses, it drops these, weaves everything again and builds once more. again
// says that it wove again, so that Woven and Sources have been replaced. Errors are those of gotool.Go.TestBinaries and
// Weave.
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

// TestBuild says which test binaries to build, and how.
type TestBuild struct {
	Kind     string            // prefix of the name of the folder for the binaries
	Dir      string            // the program's folder, or its counterpart in another tree; empty: the program's
	Overlay  map[string]string // original file -> file on disk that replaces it
	Files    map[string][]byte // contents of further files to add or replace, by name
	Packages []string          // import paths
}

// BuildTests builds test binaries, and returns their file names by import path. Errors are those of writing t.Files and
// of gotool.Go.TestBinaries.
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

// Of returns the woven test binary of a package; "" if there is none.
func (b *Binaries) Of(pkg string) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.woven[pkg]
}

// Builds returns how often woven code was built since it was last woven.
func (b *Binaries) Builds() int { return int(b.builds.Load()) }

// Registered returns the tests of a package that mutants can be tried on. The caller owns the slice.
func (b *Binaries) Registered(pkg string) []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.registered[pkg])
}

// Unregister removes the tests of a package from Registered, so that mutants are not tried on them.
func (b *Binaries) Unregister(pkg string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.registered, pkg)
}

// Add builds the woven tests of those of pkgs that have none yet. If they do not build together, it builds each alone.
// Packages that do not parse or build are left out, see LeftOut. It fails if files cannot be written or ctx is done.
func (b *Binaries) Add(ctx context.Context, pkgs []string) error {
	missing := slices.DeleteFunc(slices.Clone(pkgs), func(pkg string) bool { return b.Of(pkg) != "" })
	if len(missing) == 0 {
		return nil
	}
	overlay, err := b.register(missing)
	if err == nil {
		err = b.buildWoven(ctx, overlay, missing)
	}
	b.mu.Lock()
	for _, pkg := range missing {
		b.added[pkg] = true
	}
	b.mu.Unlock()
	var syntax scanner.ErrorList
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case gotool.UnlessBroken(err) != nil && !errors.As(err, &syntax):
		return err
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

// Drop removes the test binaries of those of pkgs for which Add built them. There may be hundreds, of 100 MB each.
func (b *Binaries) Drop(pkgs []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, pkg := range pkgs {
		if file := b.woven[pkg]; b.added[pkg] && file != "" {
			_ = os.Remove(file) // it goes at the end in any case
			delete(b.woven, pkg)
		}
	}
}

// leaveOut records that the tests of a package do not build.
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

// unbuilt is a set of packages whose tests do not build for the same reason.
type unbuilt struct {
	why      string
	packages []string
}

// maxNamed is how many packages LeftOut names for the same reason.
const maxNamed = 3

// LeftOut returns notes for the user about the packages that Add left out, one for each reason.
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

// register registers the tests of further packages. It returns the overlay of the woven code with their test files
// added.
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

// Plain returns the test binary of a package without any weaving, but with the generated harnesses; "" if the package
// has no tests. It builds the binary on the first call. Errors are those of BuildTests.
func (b *Binaries) Plain(ctx context.Context, pkg string) (string, error) {
	b.plainMu.Lock()
	defer b.plainMu.Unlock()
	if _, known := b.plain[pkg]; !known {
		built, err := b.BuildTests(ctx, TestBuild{Kind: "plain", Overlay: b.files, Packages: []string{pkg}})
		if err != nil {
			return "", err
		}
		b.plain[pkg] = built[pkg]
	}
	return b.plain[pkg], nil
}

// Mutated returns the name of the file that m changes, and its contents with m applied.
func (b *Binaries) Mutated(m *weave.Mutant) (path string, text []byte, err error) {
	path = b.Path(m.File)
	src, err := regular.Source(path)
	if err != nil {
		return "", nil, err
	}
	text, err = WithMutant(src, m)
	return path, text, err
}

// WithMutant returns src with m applied. It fails if src does not have the text that m replaces.
func WithMutant(src []byte, m *weave.Mutant) ([]byte, error) {
	if m.EndOffset > len(src) || string(src[m.Offset:m.EndOffset]) != m.Original {
		return nil, fmt.Errorf("%s changed since the analysis began", m.File)
	}
	return m.Apply(src), nil
}

// WriteOverlay writes the files of an overlay into dir, which it creates if necessary. It returns the overlay with the
// names of the written files: original file -> file on disk.
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
