package diffscope

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// maxCalls is how many calls deep a changed test is followed. Every function of a package is reached from somewhere
// at some depth; what a test is about is usually near. The number is a guess.
const maxCalls = 4

// addReached adds the functions that changed tests reach within their package, by calls or mentions, and records the
// tests.
func (f *finder) addReached(head []*declaration.File) error {
	dirs := map[string]bool{}
	for _, file := range head {
		if file.IsTest() && f.leaveOut(file) == "" {
			dirs[f.folder(file)] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		g, err := f.callGraph(f.packages[dir])
		if err != nil {
			return err
		}
		changed, grown := g.affected(isChanged), g.affected((*declaration.Decl).Grows)
		if len(changed) > 0 && len(grown) == 0 {
			f.notes.add("changed tests that check nothing more than before", f.packages[dir].ImportPath)
		}
		for _, obj := range changed {
			if d := g.nodes[obj]; isTest(d) {
				f.scope.Tests = append(f.scope.Tests, f.packages[dir].ImportPath+"."+d.Name)
			}
		}
		tests := f.withoutBenchmarks(grown, g)
		reached := g.reach(tests)
		if len(tests) > 0 && len(reached) == 0 {
			f.notes.add("changed tests that reach no function of their own package", f.packages[dir].ImportPath)
		}
		for _, d := range reached {
			if f.leaveOut(d.File) == "" {
				f.add(d, results.ReasonTestChanged)
			}
		}
	}
	slices.Sort(f.scope.Tests)
	return nil
}

// isTest reports whether d is a test, a fuzz target or an example.
func isTest(d *declaration.Decl) bool { return testNamed(d, gotool.IsTest) }

// isBenchmark reports whether d is a benchmark, which checks nothing.
func isBenchmark(d *declaration.Decl) bool {
	return testNamed(d, func(name string) bool { return strings.HasPrefix(name, "Benchmark") })
}

// testNamed reports whether d is a function of a test file with such a name.
func testNamed(d *declaration.Decl, such func(string) bool) bool {
	fn, ok := d.Node.(*ast.FuncDecl)
	return ok && d.File.IsTest() && fn.Recv == nil && such(fn.Name.Name)
}

// withoutBenchmarks returns changed without benchmarks, and notes these. Functions that only a changed benchmark
// reaches stay out of scope.
func (f *finder) withoutBenchmarks(changed []types.Object, g *callGraph) []types.Object {
	return slices.DeleteFunc(changed, func(obj types.Object) bool {
		d := g.nodes[obj]
		if isBenchmark(d) {
			f.notes.add("changed benchmarks, which judge nothing", d.Name+" in "+d.File.Name)
		}
		return isBenchmark(d)
	})
}

// callGraph records which declarations of a package and its tests mention which others.
type callGraph struct {
	nodes map[types.Object]*declaration.Decl // functions; in test files all declarations
	edges map[types.Object][]types.Object
	order []types.Object // the keys of nodes, in source order
}

// callGraph builds the graph of a package with its tests, external ones included.
func (f *finder) callGraph(p *gotool.Package) (*callGraph, error) {
	own, err := f.loadAll(p.Dir, slices.Concat(p.GoFiles, p.CgoFiles, p.TestGoFiles))
	if err != nil {
		return nil, err
	}
	external, err := f.loadAll(p.Dir, p.XTestGoFiles)
	if err != nil {
		return nil, err
	}
	inner := f.resolve(p.ImportPath, p.Name, own, stubs{})
	outer := f.resolve(p.ImportPath+"_test", p.Name+"_test", external, stubs{p.ImportPath: inner.pkg})
	g := &callGraph{nodes: map[types.Object]*declaration.Decl{}, edges: map[types.Object][]types.Object{}}
	g.addAll(inner)
	g.addAll(outer)
	return g, nil
}

func (g *callGraph) addAll(r *resolved) {
	for _, file := range r.files {
		for _, d := range file.Decls {
			obj := r.info.Defs[d.Ident()]
			if obj == nil || !d.IsFunction() && !file.IsTest() {
				continue
			}
			// A variable with function literals has two declarations.
			if known := g.nodes[obj]; known == nil {
				g.order = append(g.order, obj)
				g.nodes[obj] = d
			} else if d.Changed {
				g.nodes[obj] = d
			}
			r.uses(d, func(used types.Object) { g.edges[obj] = append(g.edges[obj], used) })
		}
	}
}

func isChanged(d *declaration.Decl) bool { return d.Changed }

// affected returns the declarations in test files for which the predicate holds, and those in test files that depend
// on them: a test whose table or helper changed has changed, too.
func (g *callGraph) affected(which func(*declaration.Decl) bool) []types.Object {
	in := map[types.Object]bool{}
	for grown := true; grown; {
		grown = false
		for _, obj := range g.order {
			d := g.nodes[obj]
			if in[obj] || !d.File.IsTest() {
				continue
			}
			uses := slices.ContainsFunc(g.edges[obj], func(used types.Object) bool { return in[used] })
			if which(d) || uses {
				in[obj], grown = true, true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(g.order), func(obj types.Object) bool { return !in[obj] })
}

// reach returns the functions outside test files that the given declarations reach in at most maxCalls steps, nearest
// first.
func (g *callGraph) reach(from []types.Object) []*declaration.Decl {
	seen := map[types.Object]bool{}
	var reached []*declaration.Decl
	for step := 0; step <= maxCalls; step++ {
		var next []types.Object
		for _, obj := range from {
			d := g.nodes[obj]
			if d == nil || seen[obj] {
				continue
			}
			seen[obj] = true
			if !d.File.IsTest() {
				reached = append(reached, d)
			}
			next = append(next, g.edges[obj]...)
		}
		from = next
	}
	return reached
}
