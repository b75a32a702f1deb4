package diffscope

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// maxCalls is how many calls deep a changed test is followed. Every function of a package is reached from somewhere
// at some depth; what a test is about is usually near. The number is a guess.
const maxCalls = 4

// addReached adds the functions that changed tests reach within their package, by calls or mentions, and records the
// tests.
func (f *finder) addReached(head []*file) error {
	dirs := map[string]bool{}
	for _, file := range head {
		if file.test() && f.leaveOut(file) == "" {
			dirs[f.folder(file)] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		g, err := f.callGraph(f.packages[dir])
		if err != nil {
			return err
		}
		changed, grown := g.affected((*decl).isChanged), g.affected((*decl).grows)
		if len(changed) > 0 && len(grown) == 0 {
			f.notes.add("changed tests that check nothing more than before", f.packages[dir].ImportPath)
		}
		for _, obj := range changed {
			if d := g.nodes[obj]; d.test() {
				f.scope.Tests = append(f.scope.Tests, f.packages[dir].ImportPath+"."+d.name)
			}
		}
		tests := f.withoutBenchmarks(grown, g)
		reached := g.reach(tests)
		if len(tests) > 0 && len(reached) == 0 {
			f.notes.add("changed tests that reach no function of their own package", f.packages[dir].ImportPath)
		}
		for _, d := range reached {
			if f.leaveOut(d.file) == "" {
				f.add(d, results.ReasonTestChanged)
			}
		}
	}
	slices.Sort(f.scope.Tests)
	return nil
}

// test reports whether d is a test, a fuzz target or an example.
func (d *decl) test() bool { return d.runs(gotool.IsTest) }

// benchmark reports whether d is a benchmark, which checks nothing.
func (d *decl) benchmark() bool {
	return d.runs(func(name string) bool { return strings.HasPrefix(name, "Benchmark") })
}

func (d *decl) runs(named func(string) bool) bool {
	fn, ok := d.node.(*ast.FuncDecl)
	return ok && d.file.test() && fn.Recv == nil && named(fn.Name.Name)
}

// withoutBenchmarks returns changed without benchmarks, and notes these. Functions that only a changed benchmark
// reaches stay out of scope.
func (f *finder) withoutBenchmarks(changed []types.Object, g *callGraph) []types.Object {
	return slices.DeleteFunc(changed, func(obj types.Object) bool {
		d := g.nodes[obj]
		if d.benchmark() {
			f.notes.add("changed benchmarks, which judge nothing", d.name+" in "+d.file.name)
		}
		return d.benchmark()
	})
}

// callGraph records which declarations of a package and its tests mention which others.
type callGraph struct {
	nodes map[types.Object]*decl // functions; in test files all declarations
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
	g := &callGraph{nodes: map[types.Object]*decl{}, edges: map[types.Object][]types.Object{}}
	g.addAll(inner)
	g.addAll(outer)
	return g, nil
}

func (g *callGraph) addAll(r *resolved) {
	for _, file := range r.files {
		for _, d := range file.decls {
			obj := r.info.Defs[d.ident()]
			if obj == nil || !d.function() && !file.test() {
				continue
			}
			// A variable with function literals has two declarations.
			if known := g.nodes[obj]; known == nil {
				g.order = append(g.order, obj)
				g.nodes[obj] = d
			} else if d.changed {
				g.nodes[obj] = d
			}
			r.uses(d, func(used types.Object) { g.edges[obj] = append(g.edges[obj], used) })
		}
	}
}

// ident is the identifier that declares d.
func (d *decl) ident() *ast.Ident {
	switch n := d.node.(type) {
	case *ast.FuncDecl:
		return n.Name
	case *ast.TypeSpec:
		return n.Name
	case *ast.ValueSpec:
		for _, id := range n.Names {
			if id.Name == d.name {
				return id
			}
		}
	}
	return nil
}

func (d *decl) isChanged() bool { return d.changed }

// grows reports whether the change adds d, or adds tokens to it. A test that only gets other names, strings or
// numbers checks no more of the program than before.
func (d *decl) grows() bool {
	return d.changed && (d.from == nil || strings.Count(d.text, separator) > strings.Count(d.from.text, separator))
}

// affected returns the declarations in test files for which the predicate holds, and those in test files that depend
// on them: a test whose table or helper changed has changed, too.
func (g *callGraph) affected(which func(*decl) bool) []types.Object {
	in := map[types.Object]bool{}
	for grown := true; grown; {
		grown = false
		for _, obj := range g.order {
			d := g.nodes[obj]
			if in[obj] || !d.file.test() {
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
func (g *callGraph) reach(from []types.Object) []*decl {
	seen := map[types.Object]bool{}
	var reached []*decl
	for step := 0; step <= maxCalls; step++ {
		var next []types.Object
		for _, obj := range from {
			d := g.nodes[obj]
			if d == nil || seen[obj] {
				continue
			}
			seen[obj] = true
			if !d.file.test() {
				reached = append(reached, d)
			}
			next = append(next, g.edges[obj]...)
		}
		from = next
	}
	return reached
}
