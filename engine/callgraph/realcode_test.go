package callgraph

import (
	"context"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/cover"

	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/realcode"
	"github.com/mutantfuzz/mutantfuzz/internal/stabledir"
)

var allModules = flag.Bool("all-modules", false, "let TestWhatTestsOfRealCodeRunIsInTheGraph take modules from the proxy too")

// realModule is a module, with the packages whose tests run.
type realModule struct {
	query    string // module, or module@version, for go mod download
	patterns []string
}

var (
	fewModules  = []realModule{{"golang.org/x/mod", []string{"./semver", "./module", "./modfile"}}}
	moreModules = []realModule{
		{"github.com/yuin/goldmark@v1.7.13", []string{"./..."}},
		{"github.com/pelletier/go-toml/v2@v2.2.4", []string{"./..."}},
		{"github.com/tidwall/gjson@v1.18.0", []string{"."}},
		{"golang.org/x/net@v0.47.0", []string{"./html/...", "./idna", "./http/httpguts"}},
		{"golang.org/x/mod@v0.38.0", []string{"./..."}},
		{"github.com/spf13/cobra@v1.10.2", []string{"./..."}},
		{"github.com/BurntSushi/toml@v1.6.0", []string{"./..."}},
		{"github.com/google/go-cmp@v0.7.0", []string{"./..."}},
		{"github.com/emirpasic/gods/v2@v2.0.0-alpha", []string{"./..."}},
		{"golang.org/x/tools@v0.52.0", []string{"./go/ast/...", "./internal/diff/...", "./internal/typeparams", "./refactor/satisfy", "./txtar"}},
	}
)

// Every function that a test runs has to be among those that the graph says it may reach.
func TestWhatTestsOfRealCodeRunIsInTheGraph(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a module and runs each of its tests alone")
	}
	list := fewModules
	if *allModules {
		list = moreModules
	}
	for _, m := range list {
		t.Run(strings.ReplaceAll(m.query, "/", "_"), func(t *testing.T) { checkModule(t, m) })
	}
}

func checkModule(t *testing.T, m realModule) {
	tool := gotool.Go{Dir: filepath.Join(stabledir.Make(t), "module")}
	if err := realcode.Copy(t.Context(), m.query, tool.Dir); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	g, pkgs, harnesses := graphOf(t, tool, m.patterns)
	built := time.Since(start)
	declared := declaredIn(t, pkgs)
	tests, unknown, ran, reached, missed := 0, 0, 0, 0, 0
	for _, pkg := range harnesses {
		binary := filepath.Join(t.TempDir(), "test")
		build := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-coverpkg=./...", "-o", binary, pkg.ImportPath)
		build.Dir = tool.Dir
		if out, err := build.CombinedOutput(); err != nil {
			t.Logf("left out, its tests do not build: %s\n%s", pkg.ImportPath, out)
			continue
		}
		for _, name := range g.Tests(pkg.ImportPath) {
			covered := coveredBy(t, binary, pkg.Dir, name, declared)
			may, known := g.Reach(pkg.ImportPath, name)
			tests++
			if !known {
				unknown++
				continue
			}
			ran, reached = ran+len(covered), reached+len(may)
			for _, id := range slices.Sorted(maps.Keys(covered)) {
				if _, ok := may[id]; !ok {
					missed++
					t.Errorf("%s.%s runs %s, and the graph does not say so", pkg.ImportPath, name, id)
				}
			}
		}
	}
	t.Logf("%d tests (%d unknown): %d pairs of test and function ran, %d are in the graph, %d are missing; built in %v",
		tests, unknown, ran, reached, missed, built.Round(time.Millisecond))
	if ran == 0 {
		t.Error("no test ran any function")
	}
}

// graphOf builds the graph of the tests of the packages that patterns name, with all functions of the module. It
// returns the graph, all packages of the module and the tested packages.
func graphOf(t *testing.T, tool gotool.Go, patterns []string) (g *Graph, all, harnesses []*gotool.Package) {
	t.Helper()
	all, err := tool.List(t.Context(), nil, "./...")
	if err != nil {
		t.Fatal(err)
	}
	listed, err := tool.List(t.Context(), nil, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	module := &program.Program{Tool: tool, Packages: map[string]*gotool.Package{}}
	for _, p := range all {
		module.Packages[p.ImportPath] = p
		module.Touched = append(module.Touched, p.ImportPath)
	}
	var tested []string
	for _, p := range listed {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			tested = append(tested, p.ImportPath)
			harnesses = append(harnesses, p)
		}
	}
	if g, err = Build(t.Context(), module, tested); err != nil {
		t.Fatal(err)
	}
	return g, all, harnesses
}

// span says where a function, or the value of a package variable, stands in its file.
type span struct {
	id         string
	start, end int // lines
}

// declaredIn returns the functions and the initialised variables of packages, by file. Files are named as in coverage
// profiles: "import/path/file.go".
func declaredIn(t *testing.T, pkgs []*gotool.Package) map[string][]span {
	t.Helper()
	all := map[string][]span{}
	for _, p := range pkgs {
		for _, name := range p.GoFiles {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			key := p.ImportPath + "/" + name
			add := func(id string, n ast.Node) {
				all[key] = append(all[key], span{p.ImportPath + "." + id, fset.PositionFor(n.Pos(), false).Line, fset.PositionFor(n.End(), false).Line})
			}
			for _, d := range f.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					add(idOf(d), d)
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						if v, ok := spec.(*ast.ValueSpec); ok && d.Tok == token.VAR {
							for i, value := range v.Values {
								add(v.Names[i].Name, value)
							}
						}
					}
				}
			}
		}
	}
	return all
}

func idOf(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	id := ""
	ast.Inspect(d.Recv.List[0].Type, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok && id == "" {
			id = name.Name
		}
		return true
	})
	return id + "." + d.Name.Name
}

// coveredBy runs one test alone and returns the IDs of the functions that it ran.
func coveredBy(t *testing.T, binary, dir, name string, declared map[string][]span) map[string]bool {
	t.Helper()
	profile := filepath.Join(t.TempDir(), "profile")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "-test.short", "-test.run=^"+name+"$", "-test.coverprofile="+profile)
	cmd.Dir = dir
	_ = cmd.Run() // what a failing test ran counts, too
	list, err := cover.ParseProfiles(profile)
	if err != nil {
		t.Logf("%s leaves no profile: %v", name, err)
	}
	covered := map[string]bool{}
	for _, p := range list {
		for _, b := range p.Blocks {
			for _, s := range declared[p.FileName] {
				if b.Count > 0 && s.start <= b.StartLine && b.EndLine <= s.end {
					covered[s.id] = true
				}
			}
		}
	}
	return covered
}
