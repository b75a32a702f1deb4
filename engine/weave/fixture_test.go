package weave

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// fixture is a module on disk, with every function of some of its packages mutated and woven.
type fixture struct {
	dir     string
	tool    gotool.Go
	touched []*packages.Package
	in      Input
	woven   *Woven
	overlay map[string]string // the woven files on disk, by the name of the file that each replaces
}

// project is a module on disk, or a workspace of several modules.
type project struct {
	root   string   // file names are relative to it; empty: dir
	dir    string   // of the module that the probe is added to
	module string   // path of that module
	env    []string // added to the environment of the process
	apart  bool     // every mutant has a clone of its own
	fuzzed bool     // the fuzz targets of the packages are woven, too
	// mutants makes the mutants of a function; nil: mutate.Mutants.
	mutants func(*mutate.Function) []mutate.Mutant
}

// alone is the environment for a module outside any workspace.
var alone = []string{"GOFLAGS=-mod=mod", "GOWORK=off"}

// weaveModule weaves the packages of the module in dir that patterns name, with all mutants.
func weaveModule(t testing.TB, dir, module string, patterns ...string) *fixture {
	t.Helper()
	return weaveProject(t, project{dir: dir, module: module, env: alone}, patterns)
}

// weaveProject weaves the packages of a project that patterns name.
func weaveProject(t testing.TB, project project, patterns []string) *fixture {
	t.Helper()
	f := &fixture{dir: project.dir, tool: gotool.Go{Dir: project.dir, Env: append(os.Environ(), project.env...)}}
	touched, external, std := f.load(t, patterns)
	f.touched = touched
	in := Input{
		Root: cmp.Or(project.root, project.dir), Touched: touched, Std: std, Own: func(string) bool { return true },
		ProbePath: project.module + "/mutantfuzzprobe", ProbeDir: filepath.Join(project.dir, "mutantfuzzprobe"),
		apart: project.apart,
	}
	if project.fuzzed {
		in.Targets = slices.Concat(touched, external)
	}
	if project.mutants == nil {
		project.mutants = mutate.Mutants
	}
	for _, p := range touched {
		in.Functions = append(in.Functions, functionsOf(t, p, project.mutants)...)
	}
	woven, err := Weave(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	f.in, f.woven = in, woven
	f.write(t)
	return f
}

// load loads packages, with their in-package tests where they have some, and their external tests. It also returns, by
// path, the packages of the standard library that the probe and the woven code import.
func (f *fixture) load(t testing.TB, patterns []string) (touched, external []*packages.Package, std map[string]*packages.Package) {
	t.Helper()
	cfg := &packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo |
			packages.NeedModule | packages.NeedForTest,
		Dir: f.dir, Env: f.tool.Env, Tests: true,
	}
	list, err := packages.Load(cfg, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	best := map[string]*packages.Package{}
	for _, p := range list {
		for _, err := range p.Errors {
			t.Fatal(err)
		}
		if strings.HasSuffix(p.ID, ".test") {
			continue
		}
		if strings.HasSuffix(p.PkgPath, "_test") {
			external = append(external, p)
			continue
		}
		if best[p.PkgPath] == nil || p.ForTest != "" {
			best[p.PkgPath] = p
		}
	}
	for _, p := range list {
		if best[p.PkgPath] == p {
			touched = append(touched, p)
		}
	}
	paths, err := StdImports()
	if err != nil {
		t.Fatal(err)
	}
	cfg.Tests, cfg.Mode = false, packages.NeedName|packages.NeedTypes|packages.NeedImports
	if list, err = packages.Load(cfg, paths...); err != nil {
		t.Fatal(err)
	}
	std = map[string]*packages.Package{}
	for _, p := range list {
		std[p.PkgPath] = p
	}
	for _, p := range slices.Concat(touched, external) {
		if testing := p.Imports["testing"]; testing != nil {
			std["testing"] = testing // the *packages.Package that the tests import
		}
	}
	return touched, external, std
}

// functionsOf returns the functions of p, and the function literals of its package variables, with their mutants. It
// leaves out test files.
func functionsOf(t testing.TB, p *packages.Package, mutants func(*mutate.Function) []mutate.Mutant) (list []Function) {
	t.Helper()
	for i, syntax := range p.Syntax {
		name := p.CompiledGoFiles[i]
		if strings.HasSuffix(name, "_test.go") || filepath.Ext(name) != ".go" {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for j, n := range functionsIn(syntax) {
			d, ok := n.(*ast.FuncDecl)
			id := p.PkgPath + ".var"
			if ok {
				id = strings.ReplaceAll(p.PkgPath+"."+receiverName(d)+"."+d.Name.Name, "..", ".")
			} else {
				d = mutate.Declare(n.(*ast.FuncLit))
			}
			if d.Body == nil {
				continue
			}
			fn := mutate.Function{
				ID: id, Nth: 1000*i + j, File: name,
				Source: src, Fset: p.Fset, Pkg: p.Types, Info: p.TypesInfo, Syntax: syntax, Decl: d,
			}
			fn.Hunks = hunksOf(&fn)
			list = append(list, Function{Function: fn, Path: name, Mutants: mutants(&fn)})
		}
	}
	return list
}

// functionsIn returns the functions of a file, and the function literals of its package variables.
func functionsIn(f *ast.File) (list []ast.Node) {
	for _, d := range f.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.FuncDecl, *ast.FuncLit:
				list = append(list, n)
				return false
			}
			return true
		})
	}
	return list
}

// hunksOf reads the changed regions of f from the comments at the ends of its lines. "// was: a|b" marks a line that
// replaces the lines a and b, "// new" an added line.
func hunksOf(f *mutate.Function) (list []mutate.Hunk) {
	first, last := f.Fset.Position(f.Decl.Pos()).Line, f.Fset.Position(f.Decl.End()).Line
	for i, line := range strings.Split(string(f.Source), "\n") {
		if i+1 < first || i+1 > last {
			continue
		}
		h := mutate.Hunk{First: i + 1, Count: 1}
		if _, was, ok := strings.Cut(line, "// was: "); ok {
			h.Old = strings.ReplaceAll(was, "|", "\n") + "\n"
		} else if !strings.HasSuffix(line, "// new") {
			continue
		}
		if n := len(list); n > 0 && list[n-1].First+list[n-1].Count == h.First {
			list[n-1].Count++
			list[n-1].Old += h.Old
			continue
		}
		list = append(list, h)
	}
	return list
}

// write writes the woven files into a temporary folder, and sets f.overlay.
func (f *fixture) write(t testing.TB) {
	t.Helper()
	dir := t.TempDir()
	f.overlay = map[string]string{}
	for name, text := range f.woven.Overlay {
		file := filepath.Join(dir, fmt.Sprintf("%d_%s", len(f.overlay), filepath.Base(name)))
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		f.overlay[name] = file
	}
}

// build builds the test binary of a package, plain or woven, and returns its path, "" if the package has no tests.
func (f *fixture) build(t testing.TB, pkg string, woven bool) (binary string) {
	t.Helper()
	b := gotool.TestBuild{Packages: []string{pkg}, Out: t.TempDir()}
	if woven {
		b.Overlay = f.overlay
	}
	binaries, err := f.tool.TestBinaries(context.Background(), b)
	if err != nil {
		t.Fatal(err)
	}
	return binaries[pkg]
}

// receiverName returns the name of the type of d's receiver, or "".
func receiverName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}
