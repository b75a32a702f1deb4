package program

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// HarnessKind makes harnesses in addition to the user's fuzz targets.
type HarnessKind interface {
	// Make returns test files that declare fuzz targets for functions of p, whose types are loaded; there may be no
	// files, and none of their paths may exist. leftOut maps IDs of functions without a harness to the reason.
	Make(ctx context.Context, p *Program) (files []File, leftOut map[string]string, err error)
}

// File is a test file that is not in the tree. It holds harnesses made for the analysis.
type File struct {
	Path    string // absolute; there is no such file
	Package string // import path of the package under test
	Kind    string // the kind of its harnesses, as in results.json
	Source  []byte
	Made    map[string]Made // the harnesses in it, by name
}

// Made says what a harness was made for. The zero value stands for one of the user's targets.
type Made struct {
	Calls string     // name of the function that it calls, as "Func" or "Method"
	For   []string   // IDs of the functions whose mutants it is to expose; empty: the harness was not made
	Inner bool       // other packages cannot make such a call, so callers may never pass such arguments
	Reads bool       // the harness makes values of the bytes in its last argument
	Rows  [][]string // arguments of the harness as a test would pass them, as Go source, without those bytes
}

// Functions returns the IDs of the functions that the harnesses of f were made for.
func (f *File) Functions() (ids []string) {
	for _, m := range f.Made {
		ids = append(ids, m.For...)
	}
	return ids
}

// Overlay returns the sources of Files by path.
func (p *Program) Overlay() map[string][]byte {
	files := map[string][]byte{}
	for _, f := range p.Files {
		files[f.Path] = f.Source
	}
	return files
}

// Made returns the kind of the harnesses in a file, named relative to the tree, and what the harness called name was
// made for. For a file that is not in Files these are results.HarnessTarget and the zero value.
func (p *Program) Made(file, name string) (kind string, made Made) {
	for _, f := range p.Files {
		if p.Rel(f.Path) == file {
			return f.Kind, f.Made[name]
		}
	}
	return results.HarnessTarget, Made{}
}

// AddHarnesses makes harnesses and adds them to the packages of the program. Load must come first. A harness that
// does not compile is left out, with the reason in Undriven.
func (p *Program) AddHarnesses(ctx context.Context, kinds []HarnessKind) error {
	for _, kind := range kinds {
		files, leftOut, err := kind.Make(ctx, p)
		if err != nil {
			return err
		}
		maps.Copy(p.Undriven, leftOut)
		for _, f := range files {
			if err := p.add(f); err != nil {
				p.leaveOut(f, "the driver that was written does not compile: "+err.Error())
			}
		}
	}
	return nil
}

// AddUndriven adds the functions that no harness was made for to the results, sorted by ID.
func (p *Program) AddUndriven(res *results.Results) {
	for _, function := range slices.Sorted(maps.Keys(p.Undriven)) {
		res.Undriven = append(res.Undriven, results.Undriven{Function: function, Why: p.Undriven[function]})
	}
}

// leaveOut records why the functions that the harnesses in f were made for have none.
func (p *Program) leaveOut(f File, why string) {
	for _, function := range f.Functions() {
		p.Undriven[function] = why
	}
}

// add adds a test file to Files and to its touched package, whose types are loaded. The file may import what that
// package imports, directly or not, what the woven code imports, and what driverImports lists. If the file does not type-check, it is added to neither, and add returns the
// error.
func (p *Program) add(f File) error {
	i := slices.IndexFunc(p.Types.Touched, func(pkg *packages.Package) bool { return pkg.PkgPath == f.Package })
	if i < 0 {
		return fmt.Errorf("%s: package %s is not loaded", f.Path, f.Package)
	}
	pkg, l := p.Types.Touched[i], p.Types.loader
	syntax, err := parser.ParseFile(l.fset, f.Path, f.Source, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, spec := range syntax.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if pkg.Imports[path] != nil || path == "unsafe" {
			continue
		}
		if pkg.Imports[path], err = l.needed(pkg, path); err != nil {
			return err
		}
	}
	conf := l.config(pkg)
	if err := types.NewChecker(conf, l.fset, pkg.Types, pkg.TypesInfo).Files([]*ast.File{syntax}); err != nil {
		return err
	}
	pkg.GoFiles, pkg.CompiledGoFiles = append(pkg.GoFiles, f.Path), append(pkg.CompiledGoFiles, f.Path)
	pkg.Syntax = append(pkg.Syntax, syntax)
	if !slices.Contains(p.Types.Targets, pkg) {
		p.Types.Targets = append(p.Types.Targets, pkg)
	}
	p.Files = append(p.Files, f)
	return nil
}

// DropHarnesses removes what AddHarnesses added, because it does not build. Binaries that were woven with it are
// useless afterwards.
func (p *Program) DropHarnesses() {
	for _, f := range p.Files {
		p.leaveOut(f, "the driver that was written does not build")
	}
	added := func(name string) bool {
		return slices.ContainsFunc(p.Files, func(f File) bool { return f.Path == name })
	}
	for _, pkg := range p.Types.Touched {
		for i := len(pkg.CompiledGoFiles) - 1; i >= 0; i-- {
			if added(pkg.CompiledGoFiles[i]) {
				pkg.CompiledGoFiles, pkg.Syntax = slices.Delete(pkg.CompiledGoFiles, i, i+1), slices.Delete(pkg.Syntax, i, i+1)
			}
		}
		pkg.GoFiles = slices.DeleteFunc(pkg.GoFiles, added)
	}
	p.Types.Targets = slices.DeleteFunc(p.Types.Targets, func(pkg *packages.Package) bool {
		return !slices.Contains(p.targets, strings.TrimSuffix(pkg.PkgPath, "_test"))
	})
	p.Files = nil
}
