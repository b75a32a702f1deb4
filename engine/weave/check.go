package weave

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// check type-checks the woven packages and records the parts to leave out in the next round. clean is true if there are
// none. It returns an error if a type error lies outside of all such parts: then the weaver itself is at fault.
func (w *weaver) check() (clean bool, err error) {
	ours := &ownPackages{weaver: w, checked: map[string]*types.Package{}}
	clean = true
	checked := map[string]bool{}
	for _, list := range [][]*packages.Package{w.in.Touched, w.in.Targets} {
		for _, p := range list {
			if checked[p.ID] || !w.wovenAnyOf(p) {
				continue
			}
			checked[p.ID] = true
			ok, err := w.checkPackage(p, ours)
			if err != nil {
				return false, err
			}
			clean = clean && ok
		}
	}
	return clean, nil
}

func (w *weaver) wovenAnyOf(p *packages.Package) bool {
	return slices.ContainsFunc(p.CompiledGoFiles, func(name string) bool { return w.out.Overlay[name] != nil })
}

// ownPackages imports the probe's packages from the overlay. It type-checks a package on first use, without function
// bodies.
type ownPackages struct {
	*weaver
	checked map[string]*types.Package // by import path
}

// Import returns a package that the probe may import: one of its own, or a loaded one of the standard library.
func (p *ownPackages) Import(path string) (*types.Package, error) {
	switch std := p.in.Std[path]; {
	case std != nil:
		return std.Types, nil
	case path == "unsafe":
		return types.Unsafe, nil
	case p.checked[path] != nil:
		return p.checked[path], nil
	case p.holds(path):
		return p.check(path)
	}
	return nil, fmt.Errorf("package %s was not loaded", path)
}

// holds reports whether path is the import path of a package of the probe.
func (p *ownPackages) holds(path string) bool { return strings.HasPrefix(path, p.in.ProbePath+"/") }

// check type-checks a package of the probe.
func (p *ownPackages) check(path string) (*types.Package, error) {
	dir := filepath.Join(p.in.ProbeDir, filepath.FromSlash(strings.TrimPrefix(path, p.in.ProbePath)))
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(p.out.Overlay)) {
		if filepath.Dir(name) != dir {
			continue
		}
		if ok, err := matches(name, p.out.Overlay[name]); err != nil || !ok {
			continue
		}
		f, err := parser.ParseFile(fset, name, p.out.Overlay[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	cfg := types.Config{Importer: p, IgnoreFuncBodies: true}
	pkg, err := cfg.Check(path, fset, files, nil)
	if err != nil {
		return nil, err
	}
	p.checked[path] = pkg
	return pkg, nil
}

// matches reports whether the build constraints of a file of the probe include it on this system.
func matches(name string, text []byte) (bool, error) {
	ctx := build.Default
	ctx.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	return ctx.MatchFile(filepath.Split(name))
}

// importer makes a function a types.Importer.
type importer func(string) (*types.Package, error)

// Import calls i.
func (i importer) Import(path string) (*types.Package, error) { return i(path) }

// checkPackage type-checks one package with its woven files.
func (w *weaver) checkPackage(p *packages.Package, ours *ownPackages) (clean bool, err error) {
	var files []*ast.File
	for i, name := range p.CompiledGoFiles {
		syntax := p.Syntax[i]
		if text := w.out.Overlay[name]; text != nil {
			if syntax, err = parser.ParseFile(p.Fset, name, text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
				return false, fmt.Errorf("woven source does not parse: %w", err)
			}
		}
		files = append(files, syntax)
	}
	var fault, cycle error
	clean = true
	cfg := types.Config{
		Importer:  w.importsOf(p, ours),
		Sizes:     p.TypesSizes,
		GoVersion: goVersion(p),
		Error: func(err error) {
			clean = false
			var te types.Error
			switch errors.As(err, &te); {
			case strings.HasPrefix(te.Msg, "initialization cycle"):
				cycle = err // reported at a variable; its functions follow, one by one
				return
			case cycle != nil && strings.HasPrefix(te.Msg, "\t"):
				if w.blameClone(p, te) {
					cycle = nil
				}
				return
			}
			if e := w.blame(p, err); e != nil && fault == nil {
				fault = e
			}
		},
	}
	// cfg.Error has handled the errors one by one.
	_, _ = cfg.Check(p.PkgPath, p.Fset, files, nil)
	if cycle != nil && fault == nil {
		fault = w.blame(p, cycle)
	}
	return clean, fault
}

// blameClone drops the clone that a part of an initialization cycle is in, and reports whether it is in one. An undone
// hunk may refer to a variable whose initial value needs the function.
func (w *weaver) blameClone(p *packages.Package, te types.Error) bool {
	at := p.Fset.PositionFor(te.Pos, false)
	f := w.files[at.Filename]
	if f == nil {
		return false
	}
	o, ok := f.woven.ownerAt(at.Offset)
	if !ok || o.role != aClone && o.role != aSharedClone {
		return false
	}
	w.drop(o, "initialization cycle")
	return true
}

func goVersion(p *packages.Package) string {
	if p.Module == nil || p.Module.GoVersion == "" {
		return ""
	}
	return "go" + p.Module.GoVersion
}

func (w *weaver) importsOf(p *packages.Package, ours *ownPackages) types.Importer {
	return importer(func(path string) (*types.Package, error) {
		switch {
		case ours.holds(path):
			return ours.Import(path)
		case path == "unsafe":
			return types.Unsafe, nil
		case importable(p, path) != nil:
			return importable(p, path), nil
		case w.in.Std[path] != nil:
			return w.in.Std[path].Types, nil
		}
		return nil, fmt.Errorf("package %s was not loaded", path)
	})
}

// importable returns the package that files of p get for an import path, if p imports that path; nil if it does not.
// Files of an external test also get what the package under test imports, since addSentinels lets them import that.
func importable(p *packages.Package, path string) *types.Package {
	imported := p.Imports[path]
	if tested := p.Imports[strings.TrimSuffix(p.PkgPath, "_test")]; imported == nil && tested != nil {
		imported = tested.Imports[path]
	}
	if imported == nil {
		return nil
	}
	return imported.Types
}

// blame finds the owner of the woven text that a type error is in, and drops it. It returns an error if there is none.
func (w *weaver) blame(p *packages.Package, err error) error {
	var te types.Error
	if !errors.As(err, &te) {
		return err
	}
	at := p.Fset.PositionFor(te.Pos, false)
	f := w.files[at.Filename]
	if f == nil {
		return fmt.Errorf("%s: %s", at, te.Msg)
	}
	o, ok := f.woven.ownerAt(at.Offset)
	if !ok {
		return fmt.Errorf("woven source does not type-check: %s: %s", at, te.Msg)
	}
	w.drop(o, te.Msg)
	return nil
}

// drop leaves out what o owns from the next round on. msg is the message of the type checker.
func (w *weaver) drop(o owner, msg string) {
	switch o.role {
	case aFunction:
		w.skipped[w.funcs[o.number].source] = "cannot be woven: " + msg
	case aSharedClone:
		w.unshared[w.funcs[o.number].source] = true
	case aPlaced:
		w.unplaced[o.number] = true
	case aClone:
		w.broken[o.number] = msg
	case aProbe:
		w.unprobed[o.number] = true
	case aSite:
		w.unseen[o.number] = true
	case anAdapter:
		w.undriven[o.number] = true
	}
}

// leftOut returns how many parts are left out.
func (w *weaver) leftOut() int {
	return len(w.skipped) + len(w.unshared) + len(w.unplaced) + len(w.broken) + len(w.unprobed) + len(w.unseen) + len(w.undriven)
}
