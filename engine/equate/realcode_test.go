package equate

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/equivalence"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/internal/realcode"
	"github.com/mutantfuzz/mutantfuzz/internal/stabledir"
)

var allModules = flag.Bool("all-modules", false, "let tests of equivalence take modules from the proxy too")

// realPackage is a package of a module, with the package whose tests check its mutants.
type realPackage struct {
	query          string // module, or module@version, for go mod download
	folder, judges string // folders in the module: of the package, and of the tests
}

var (
	fewPackages  = []realPackage{{"golang.org/x/mod", "semver", "semver"}}
	morePackages = []realPackage{
		{"github.com/Masterminds/semver/v3@v3.5.0", ".", "."},
		{"github.com/hashicorp/go-version@v1.9.0", ".", "."},
		{"github.com/google/uuid@v1.6.0", ".", "."},
		{"github.com/tidwall/gjson@v1.18.0", ".", "."},
		{"github.com/yuin/goldmark@v1.7.13", "util", "."},
		{"github.com/BurntSushi/toml@v1.6.0", ".", "."},
	}
)

// provedPackages are further packages, for the test of proofs only.
var provedPackages = []realPackage{
	{"golang.org/x/mod", "modfile", "modfile"},
	{"golang.org/x/mod", "zip", "zip"},
	{"github.com/yuin/goldmark@v1.7.13", "text", "."},
	{"github.com/yuin/goldmark@v1.7.13", "parser", "."},
	{"github.com/tidwall/pretty@v1.2.0", ".", "."},
	{"github.com/tidwall/match@v1.1.1", ".", "."},
	{"github.com/google/btree@v1.1.3", ".", "."},
	{"github.com/rivo/uniseg@v0.4.7", ".", "."},
	{"golang.org/x/net@v0.57.0", "html", "html"},
	{"github.com/klauspost/compress@v1.18.0", "flate", "flate"},
	{"github.com/hashicorp/golang-lru@v1.0.2", "simplelru", "simplelru"},
	{"github.com/google/go-cmp@v0.7.0", "cmp", "cmp"},
	{"golang.org/x/text@v0.14.0", "language", "language"},
}

// All mutants are compared with the original, not only survivors: if the comparison overlooks a difference, a test of
// the package fails.
func TestEquivalentMutantsOfRealCodePassItsTests(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module many times over")
	}
	list := fewPackages
	if *allModules {
		list = morePackages
	}
	for _, r := range list {
		t.Run(path.Base(r.query), func(t *testing.T) {
			module := filepath.Join(stabledir.Make(t), "module")
			if err := realcode.Copy(t.Context(), r.query, module); err != nil {
				t.Fatal(err)
			}
			equivalentOfPackage(t, filepath.Join(module, r.folder), filepath.Join(module, r.judges))
		})
	}
}

// equivalentOfPackage compares the machine code of all mutants of the package in dir with the original's. It runs the
// tests in the folder judges on the mutants that are found equivalent.
func equivalentOfPackage(t *testing.T, dir, judges string) {
	p, mutants := mutantsOf(t, dir)
	judge := p.PkgPath
	if judges != dir {
		judge = p.Module.Path
	}
	b := binariesIn(t, dir)
	compared, found := 0, 0
	for list := range slices.Chunk(mutants, 100) {
		if err := compare(t.Context(), b, p.PkgPath, list); err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			if m.Equal {
				t.Logf("%s:%d %s: %q -> %q", m.File, m.Line, m.Operator, m.Original, m.Replacement)
				passes(t, b, judge, judges, m)
				found++
			}
		}
		compared += len(list)
	}
	t.Logf("%d of %d mutants are equivalent", found, compared)
	if found*10 > compared {
		t.Errorf("%d of %d mutants cannot all be equivalent", found, compared)
	}
}

// Here, too, all mutants are tried, not only survivors.
func TestProvedMutantsOfRealCodePassItsTests(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module many times over")
	}
	list := fewPackages
	if *allModules {
		list = slices.Concat(fewPackages, morePackages, provedPackages)
	}
	for _, r := range list {
		t.Run(path.Base(r.query)+"/"+r.folder, func(t *testing.T) {
			module := filepath.Join(stabledir.Make(t), "module")
			if err := realcode.Copy(t.Context(), r.query, module); err != nil {
				t.Fatal(err)
			}
			provedOfPackage(t, filepath.Join(module, r.folder), filepath.Join(module, r.judges))
		})
	}
}

// provedOfPackage runs the tests in the folder judges on the mutants of the package in dir that are proved to be
// equivalent.
func provedOfPackage(t *testing.T, dir, judges string) {
	pkg, mutants := allMutantsOf(t, dir)
	judge := pkg.PkgPath
	if judges != dir {
		judge = pkg.Module.Path
	}
	b := binariesIn(t, dir)
	p, err := equivalence.New(pkg)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, m := range mutants {
		why := p.Reason(b.Path(m.File), m.Mutant.Mutant)
		if why == "" || m.Ignored != "" || !compiles(t, pkg, m, dir) {
			continue
		}
		found++
		t.Logf("%s:%d %s: %q -> %q: %s", m.File, m.Line, m.Operator, m.Original, m.Replacement, why)
		passes(t, b, judge, judges, m)
	}
	t.Logf("%d of %d mutants are proved to be equivalent", found, len(mutants))
}

// passes fails the test if the tests of pkg, run in dir, kill the mutant.
func passes(t *testing.T, b *build.Binaries, pkg, dir string, m *evidence.Mutant) {
	path, text, err := b.Mutated(m.Mutant)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{path: text}
	built, err := b.BuildTests(t.Context(), build.TestBuild{Files: files, Packages: []string{pkg}})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), built[pkg], "-test.short", "-test.timeout=2m")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s:%d: %q -> %q is killed, but judged equivalent: %v\n%s", m.File, m.Line, m.Original, m.Replacement, err, out)
	}
}

// mutantsOf returns the package in dir with the mutants of its functions, except those that do not compile.
func mutantsOf(t *testing.T, dir string) (*packages.Package, []*evidence.Mutant) {
	t.Helper()
	p, all := allMutantsOf(t, dir)
	return p, slices.DeleteFunc(all, func(m *evidence.Mutant) bool { return !compiles(t, p, m, dir) })
}

// compiles reports whether a mutant of the package in dir compiles.
func compiles(t *testing.T, p *packages.Package, m *evidence.Mutant, dir string) bool {
	t.Helper()
	path, text, err := binariesIn(t, dir).Mutated(m.Mutant)
	if err != nil {
		t.Fatal(err)
	}
	return typeChecks(t, p, path, text)
}

// allMutantsOf returns the package in dir with all mutants of its functions, whether they compile or not.
func allMutantsOf(t *testing.T, dir string) (p *packages.Package, all []*evidence.Mutant) {
	t.Helper()
	list, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: dir}, ".")
	if err != nil || len(list) != 1 || len(list[0].Errors) > 0 {
		t.Fatal(list, err)
	}
	p = list[0]
	for _, file := range p.Syntax {
		name := p.Fset.PositionFor(file.Pos(), false).Filename
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			d, ok := d.(*ast.FuncDecl)
			if !ok || d.Body == nil {
				continue
			}
			f := &mutate.Function{
				ID: p.PkgPath + "." + d.Name.Name, File: filepath.Base(name), Source: src,
				Fset: p.Fset, Pkg: p.Types, Info: p.TypesInfo, Syntax: file, Decl: d,
			}
			mutants := mutate.Mutants(f)
			for i := range mutants {
				all = append(all, &evidence.Mutant{Mutant: &weave.Mutant{Mutant: &mutants[i]}})
			}
		}
	}
	return p, all
}

// typeChecks reports whether p type-checks with src in place of the file changed.
func typeChecks(t *testing.T, p *packages.Package, changed string, src []byte) bool {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.CompiledGoFiles {
		var text any
		if name == changed {
			text = src
		}
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return false
		}
		files = append(files, f)
	}
	cfg := types.Config{Importer: imports(p.Imports), Sizes: p.TypesSizes}
	_, err := cfg.Check(p.PkgPath, fset, files, nil)
	return err == nil
}

// imports is an importer of the packages that a package imports, by path.
type imports map[string]*packages.Package

func (i imports) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return i[path].Types, nil
}
