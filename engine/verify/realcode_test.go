package verify

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

	"github.com/mutantfuzz/mutantfuzz/engine/equivalence"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/realcode"
)

var allModules = flag.Bool("all-modules", false, "let tests of equivalence take modules from the proxy too")

// realPackage is a package of a module, and the one whose tests judge it.
type realPackage struct {
	query          string // as go mod download takes it
	folder, judges string
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

// provedPackages are those of which proofs are looked for besides.
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

// The comparison is made of all mutants and not only of survivors, so that a
// comparison that overlooks anything shows: some test would notice.
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
			module := filepath.Join(t.TempDir(), "module")
			if err := realcode.Copy(t.Context(), r.query, module); err != nil {
				t.Fatal(err)
			}
			equivalentOfPackage(t, filepath.Join(module, r.folder), filepath.Join(module, r.judges))
		})
	}
}

// equivalentOfPackage compares all mutants of the package in dir and runs the
// tests in the folder judges on those that are said to be equivalent.
func equivalentOfPackage(t *testing.T, dir, judges string) {
	p, changes := changesOf(t, dir)
	judge := p.PkgPath
	if judges != dir {
		judge = p.Module.Path
	}
	b := Builder{Tool: gotool.Go{Dir: dir}, Dir: t.TempDir()}
	compared, found := 0, 0
	for len(changes) > 0 {
		n := min(len(changes), 100)
		equal, err := b.Equivalent(t.Context(), p.PkgPath, changes[:n])
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range equal {
			t.Logf("%s:%d %s: %q -> %q", c.File, c.Line, c.Operator, c.Original, c.Replacement)
			passes(t, &b, judge, judges, c)
		}
		compared, found = compared+n, found+len(equal)
		changes = changes[n:]
	}
	t.Logf("%d of %d mutants are equivalent", found, compared)
	if found*10 > compared {
		t.Errorf("%d of %d mutants cannot all be equivalent", found, compared)
	}
}

// The proofs, too, are looked for of all mutants.
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
			module := filepath.Join(t.TempDir(), "module")
			if err := realcode.Copy(t.Context(), r.query, module); err != nil {
				t.Fatal(err)
			}
			provedOfPackage(t, filepath.Join(module, r.folder), filepath.Join(module, r.judges))
		})
	}
}

// provedOfPackage runs the tests in the folder judges on the mutants of the package in dir
// that are proved to be equivalent.
func provedOfPackage(t *testing.T, dir, judges string) {
	pkg, changes := mutantsOf(t, dir)
	judge := pkg.PkgPath
	if judges != dir {
		judge = pkg.Module.Path
	}
	b := Builder{Tool: gotool.Go{Dir: dir}, Dir: t.TempDir()}
	p, err := equivalence.New(pkg)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, c := range changes {
		why := p.Reason(c.Path, c.Mutant)
		if why == "" || c.Ignored != "" || !typeChecks(t, pkg, c) {
			continue
		}
		found++
		t.Logf("%s:%d %s: %q -> %q: %s", c.File, c.Line, c.Operator, c.Original, c.Replacement, why)
		passes(t, &b, judge, judges, c)
	}
	t.Logf("%d of %d mutants are proved to be equivalent", found, len(changes))
}

// passes fails where the package's tests notice the change.
func passes(t *testing.T, b *Builder, pkg, dir string, c *Change) {
	built, err := b.Build(t.Context(), c, nil, []string{pkg})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), built[pkg], "-test.short", "-test.timeout=2m")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s:%d: %q -> %q is killed, but judged equivalent: %v\n%s", c.File, c.Line, c.Original, c.Replacement, err, out)
	}
}

// changesOf returns the mutants of all functions of the package in dir that
// compile.
func changesOf(t *testing.T, dir string) (*packages.Package, []*Change) {
	t.Helper()
	p, changes := mutantsOf(t, dir)
	return p, slices.DeleteFunc(changes, func(c *Change) bool { return !typeChecks(t, p, c) })
}

// mutantsOf returns the mutants of all functions of the package in dir.
func mutantsOf(t *testing.T, dir string) (*packages.Package, []*Change) {
	t.Helper()
	list, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: dir}, ".")
	if err != nil || len(list) != 1 || len(list[0].Errors) > 0 {
		t.Fatal(list, err)
	}
	p := list[0]
	var changes []*Change
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
				changes = append(changes, &Change{Path: name, Mutant: &mutants[i]})
			}
		}
	}
	return p, changes
}

func typeChecks(t *testing.T, p *packages.Package, c *Change) bool {
	t.Helper()
	src, err := c.Source()
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.CompiledGoFiles {
		var text any
		if name == c.Path {
			text = src
		}
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return false
		}
		files = append(files, f)
	}
	cfg := types.Config{Importer: imports(p.Imports), Sizes: p.TypesSizes}
	_, err = cfg.Check(p.PkgPath, fset, files, nil)
	return err == nil
}

// imports imports what a package imports.
type imports map[string]*packages.Package

func (i imports) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return i[path].Types, nil
}
