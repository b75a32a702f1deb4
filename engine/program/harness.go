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

// HarnessKind makes harnesses beside the user's fuzz targets.
type HarnessKind interface {
	// Make returns test files that declare fuzz targets for functions of p, which is
	// loaded with its types, and why there is none for others, by their IDs. No file of
	// theirs may exist; there may be none.
	Make(ctx context.Context, p *Program) (files []File, leftOut map[string]string, err error)
}

// File is a test file that is not in the tree: harnesses that were made for the
// analysis.
type File struct {
	Path    string // absolute; there is no such file
	Package string // import path of the package under test
	Kind    string // of harness, as results.json has it
	Source  []byte
	Made    map[string]Made // the harnesses in it, by name
}

// Made is what a harness was made for.
type Made struct {
	Calls string     // name of the function that it calls, as in Func or Method
	For   []string   // IDs of the functions whose mutants it is to show; empty: it is not a made one
	Inner bool       // other packages cannot call that function, or not with what the driver makes: its arguments may be none of a caller's
	Reads bool       // the last argument of the harness is bytes that it makes values of
	Rows  [][]string // arguments of it, as Go source and without those bytes, as a test would pass them
}

// Functions are the IDs of the functions that the harnesses of f were made for.
func (f *File) Functions() (ids []string) {
	for _, m := range f.Made {
		ids = append(ids, m.For...)
	}
	return ids
}

// Overlay is the text of Files by path.
func (p *Program) Overlay() map[string][]byte {
	files := map[string][]byte{}
	for _, f := range p.Files {
		files[f.Path] = f.Source
	}
	return files
}

// Made returns the kind of the harnesses in a file, named relative to the tree, and what the one of a
// name was made for.
func (p *Program) Made(file, name string) (kind string, made Made) {
	for _, f := range p.Files {
		if p.Rel(f.Path) == file {
			return f.Kind, f.Made[name]
		}
	}
	return results.HarnessTarget, Made{}
}

// AddHarnesses makes harnesses and adds them to the packages of the program, whose types are loaded.
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

// AddUndriven adds the functions that have no harness that was made for them to the results.
func (p *Program) AddUndriven(res *results.Results) {
	for _, function := range slices.Sorted(maps.Keys(p.Undriven)) {
		res.Undriven = append(res.Undriven, results.Undriven{Function: function, Why: p.Undriven[function]})
	}
}

// leaveOut notes why functions have none of the harnesses in f.
func (p *Program) leaveOut(f File, why string) {
	for _, function := range f.Functions() {
		p.Undriven[function] = why
	}
}

// add adds a test file that only the analysis knows to a touched package, whose types are loaded, and
// to Files. It may import what that package or the woven code imports. Nothing is added if it does not
// type-check.
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
		types, err := l.exports.Import(path)
		if err != nil {
			return err
		}
		pkg.Imports[path] = &packages.Package{PkgPath: path, Name: types.Name(), Types: types}
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

// DropHarnesses takes back what AddHarnesses has added, since it does not build. Binaries that were woven
// with it are of no use any more.
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
