package diffscope

import (
	"go/types"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

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
