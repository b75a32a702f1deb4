package engine

import (
	"context"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// typed holds the packages that are loaded with syntax and types.
type typed struct {
	touched []*packages.Package // one variant each: with in-package tests where there are any
	targets []*packages.Package // variants whose test files may hold fuzz targets
	std     map[string]*packages.Package
}

// BrokenError says that the analysed program does not build.
type BrokenError struct {
	Packages []string
	Output   string // what the go command says
}

func (e *BrokenError) Error() string {
	return fmt.Sprintf("%s does not build:\n%s\nhint: make \"go vet ./...\" pass first", strings.Join(e.Packages, ", "), e.Output)
}

// said is e without a position where it has none.
func said(e packages.Error) string {
	if e.Pos == "" || e.Pos == "-" {
		return e.Msg
	}
	return e.Error()
}

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule |
	packages.NeedForTest

// loadTyped loads the touched packages and those with targets in one go, so
// that they agree on the types they share.
func loadTyped(ctx context.Context, tool gotool.Go, flags, touched, targets []string) (*typed, error) {
	std, err := weave.StdImports()
	if err != nil {
		return nil, err
	}
	cfg := &packages.Config{
		Context: ctx, Mode: loadMode, Dir: tool.Dir, Env: tool.Env, BuildFlags: flags, Tests: true,
	}
	patterns := slices.Concat(touched, targets)
	slices.Sort(patterns)
	list, err := packages.Load(cfg, slices.Compact(patterns)...)
	if err != nil {
		return nil, err
	}
	cfg.Tests = false
	cfg.Mode = packages.NeedName | packages.NeedTypes | packages.NeedImports
	stdList, err := packages.Load(cfg, std...)
	if err != nil {
		return nil, err
	}
	t := &typed{std: map[string]*packages.Package{}}
	for _, p := range stdList {
		t.std[p.PkgPath] = p
	}
	// The probe's functions take a *testing.F, and it has to be the one that
	// the test files mean.
	for _, p := range list {
		if testing := p.Imports["testing"]; testing != nil {
			t.std["testing"] = testing
		}
	}
	return t, t.sort(list, touched, targets, tool.Dir)
}

// sort picks the variants of each package: "p [p.test]" before plain p, since
// it holds the same files and the in-package tests.
func (t *typed) sort(list []*packages.Package, touched, targets []string, dir string) error {
	best := map[string]*packages.Package{}
	for _, p := range list {
		if strings.HasSuffix(p.ID, ".test") {
			continue
		}
		if len(p.Errors) > 0 {
			return brokenPackage(p, dir)
		}
		if best[p.PkgPath] == nil || p.ForTest != "" {
			best[p.PkgPath] = p
		}
	}
	for _, path := range touched {
		if best[path] == nil {
			return &BrokenError{Packages: []string{path}, Output: "the go command finds no Go files in it"}
		}
		t.touched = append(t.touched, best[path])
	}
	for _, path := range targets {
		for _, variant := range []string{path, path + "_test"} {
			if p := best[variant]; p != nil {
				t.targets = append(t.targets, p)
			}
		}
	}
	return nil
}

// brokenPackage says what is wrong with p, with file names relative to dir. An
// import that cannot be loaded says more than the errors that follow from it,
// and these more than the go command's summary of them.
func brokenPackage(p *packages.Package, dir string) error {
	var imports, own, summary []string
	for _, path := range slices.Sorted(maps.Keys(p.Imports)) {
		for _, e := range p.Imports[path].Errors {
			if e.Kind == packages.ListError {
				imports = append(imports, said(e))
			}
		}
	}
	for _, e := range p.Errors {
		if e.Kind == packages.ListError {
			summary = append(summary, said(e))
		} else {
			own = append(own, said(e))
		}
	}
	lines := summary
	for _, better := range [][]string{own, imports} {
		if len(better) > 0 {
			lines = better
		}
	}
	output := strings.ReplaceAll(strings.Join(lines, "\n"), dir+string(filepath.Separator), "")
	return &BrokenError{Packages: []string{p.PkgPath}, Output: output}
}

// function finds f's declaration. The error says in a user's words why there
// is none that can be mutated.
func (t *typed) function(f *diffscope.Function) (*mutate.Function, error) {
	for _, p := range t.touched {
		if p.PkgPath != f.Package {
			continue
		}
		for i, syntax := range p.Syntax {
			if p.CompiledGoFiles[i] != f.Path {
				continue
			}
			src, err := os.ReadFile(f.Path)
			if err != nil {
				return nil, err
			}
			fn := &mutate.Function{
				ID: f.ID, File: f.File, Source: src, Fset: p.Fset, Pkg: p.Types, Info: p.TypesInfo, Syntax: syntax,
			}
			fn.Decl = declaredAt(p, syntax, f)
			if fn.Decl == nil {
				return nil, fmt.Errorf("function literals in package variables are not mutated yet")
			}
			return fn, nil
		}
	}
	return nil, fmt.Errorf("no build of the package compiles %s as it is", f.File)
}

func declaredAt(p *packages.Package, syntax *ast.File, f *diffscope.Function) *ast.FuncDecl {
	for _, d := range syntax.Decls {
		d, ok := d.(*ast.FuncDecl)
		if ok && d.Body != nil && p.Fset.PositionFor(d.Pos(), false).Line == f.StartLine {
			return d
		}
	}
	return nil
}
