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

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/internal/realcode"
)

var allModules = flag.Bool("all-modules", false, "let TestEquivalentMutantsOfRealCodePassItsTests take modules from the proxy too")

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
	p, mutants := mutantsOf(t, dir)
	judge := p.PkgPath
	if judges != dir {
		judge = p.Module.Path
	}
	b := binariesIn(t, dir)
	compared, found := 0, 0
	for list := range slices.Chunk(mutants, 100) {
		if err := equate(t.Context(), b, p.PkgPath, list); err != nil {
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

// passes fails where the package's tests notice the mutant.
func passes(t *testing.T, b *build.Binaries, pkg, dir string, m *evidence.Mutant) {
	text, err := textOf(m, b.Tree)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{pathOf(m, b.Tree): text}
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

// mutantsOf returns the mutants of all functions of the package in dir that
// compile.
func mutantsOf(t *testing.T, dir string) (p *packages.Package, all []*evidence.Mutant) {
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
				m := &evidence.Mutant{Mutant: &weave.Mutant{Mutant: &mutants[i]}}
				text, err := textOf(m, dir)
				if err != nil {
					t.Fatal(err)
				}
				if typeChecks(t, p, name, text) {
					all = append(all, m)
				}
			}
		}
	}
	return p, all
}

// typeChecks reports whether p compiles with a file changed.
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

// imports imports what a package imports.
type imports map[string]*packages.Package

func (i imports) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	return i[path].Types, nil
}
