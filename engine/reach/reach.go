// Package reach decides which tests and fuzz targets may reach which functions: first by imports, then by the call
// graph, which it builds on first use.
package reach

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/mutantfuzz/mutantfuzz/engine/callgraph"
	"github.com/mutantfuzz/mutantfuzz/engine/journal"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
)

// Unknown is the distance of tests of which the call graph does not know what they reach.
const Unknown = math.MaxInt

// graphPart is the part of the remaining time that the call graph may take. It needs export data of everything that the
// tests of the program import. That takes seconds, or longer if it has to be compiled first.
const graphPart = 0.1

// Reach knows what tests may reach. Its methods, except Tests, must not be called concurrently.
type Reach struct {
	*program.Program // must be listed
	*journal.Journal
	// Dependents says that the tests of packages that depend on touched ones run, too.
	Dependents bool
	// Everything says that no test is left out because of the call graph.
	Everything bool
	// Unfuzzed says that nothing is fuzzed. Then only fuzz targets in touched packages count, which are built anyway:
	// loading and building other packages, which may be large, would cost more than it gives.
	Unfuzzed bool

	mu      sync.Mutex       // held by Tests
	graph   *callgraph.Graph // nil: not built
	noGraph bool             // the graph cannot be built
	late    bool             // there was no time to build it
	walks   map[string]walk  // see reached
	called  map[string]walk  // see Calls
}

// calls returns the call graph. It returns nil if the graph cannot be built; then imports alone decide what tests may
// reach.
func (r *Reach) calls(ctx context.Context) *callgraph.Graph {
	if r.graph != nil || r.noGraph {
		return r.graph
	}
	harnesses := slices.Concat(r.withTargets(), r.Touched)
	if r.Dependents {
		harnesses = append(harnesses, r.Importers()...)
	}
	slices.Sort(harnesses)
	part, cancel := deadline.Part(ctx, graphPart)
	defer cancel()
	var err error
	if r.graph, err = callgraph.Build(part, r.Program, slices.Compact(harnesses)); err != nil {
		r.noGraph, r.late = true, part.Err() != nil
		if ctx.Err() == nil {
			r.Say("the call graph could not be built, so imports alone decide which tests may reach the change: %v", err)
		}
	}
	return r.graph
}

// walk is what the call graph says tests may reach, by ID, and in how many calls.
type walk struct {
	distances map[string]int
	known     bool
}

// reached returns what tests of pkg may reach. Each walk through the graph is done once.
func (r *Reach) reached(graph *callgraph.Graph, pkg string, names []string) walk {
	key := keyOf(pkg, names)
	w, done := r.walks[key]
	if !done {
		w.distances, w.known = graph.Reach(pkg, names...)
		if r.walks == nil {
			r.walks = map[string]walk{}
		}
		r.walks[key] = w
	}
	return w
}

// Steps returns the number of calls from tests of pkg to the nearest of functions, which are IDs; names selects tests,
// none means all. may is false if the tests cannot reach any of the functions. If that is not known, it returns Unknown
// and true.
func (r *Reach) Steps(ctx context.Context, functions map[string]bool, pkg string, names ...string) (steps int, may bool) {
	graph := r.calls(ctx)
	if graph == nil || ctx.Err() != nil { // walking the graph takes time and cannot be interrupted
		return Unknown, true
	}
	walk := r.reached(graph, pkg, names)
	if !walk.known {
		return Unknown, true
	}
	steps = Unknown
	for id, d := range walk.distances {
		if functions[id] {
			steps, may = min(steps, d), true
		}
	}
	return steps, may
}

// MayReach reports whether tests of pkg may reach a function, given by its ID, as far as is known by now: it takes no time.
func (r *Reach) MayReach(pkg, function string) bool {
	walk, done := r.walks[keyOf(pkg, nil)]
	_, reaches := walk.distances[function]
	return r.Everything || !done || !walk.known || reaches
}

// Calls returns the number of calls from tests of pkg to each function that they may call, by ID. Like
// [callgraph.Graph.Calls] it leaves out what only reflection could call. names selects tests, none means all. known is
// false if that is not known. Each walk through the graph is done once, also if time is over: what it says decides what
// the report may say. The caller must not change the map.
func (r *Reach) Calls(ctx context.Context, pkg string, names ...string) (distances map[string]int, known bool) {
	if r.graph == nil && ctx.Err() != nil { // building it takes time
		return nil, false
	}
	graph := r.calls(ctx)
	if graph == nil {
		return nil, false
	}
	key := keyOf(pkg, names)
	w, done := r.called[key]
	if !done {
		w.distances, w.known = graph.Calls(pkg, names...)
		if r.called == nil {
			r.called = map[string]walk{}
		}
		r.called[key] = w
	}
	return w.distances, w.known
}

// keyOf returns the key of a walk from tests of pkg.
func keyOf(pkg string, names []string) string { return pkg + "\x00" + strings.Join(names, "\x00") }

// withTargets returns the packages with fuzz targets that count, see Unfuzzed.
func (r *Reach) withTargets() []string {
	return slices.DeleteFunc(r.WithTargets(), func(pkg string) bool { return r.Unfuzzed && !slices.Contains(r.Touched, pkg) })
}

// Targets returns the packages with a fuzz target that may reach a function in scope. Touched packages with targets are
// always among them, because their tests are built anyway. Others are left out if there was no time for the call graph:
// then everything that they import would have to be compiled first.
func (r *Reach) Targets(ctx context.Context) []string {
	functions := r.InScope()
	all := r.withTargets()
	near := slices.DeleteFunc(slices.Clone(all), func(pkg string) bool {
		if slices.Contains(r.Touched, pkg) {
			return false
		}
		graph := r.calls(ctx)
		if graph == nil {
			return r.late
		}
		names, known := graph.Targets(pkg)
		if !known || len(names) == 0 {
			return known
		}
		_, may := r.Steps(ctx, functions, pkg, names...)
		return !may
	})
	if r.late && len(near) < len(all) {
		r.Warn("fuzz targets of packages that the change does not touch are left out: there was no time to build the call graph that says which of them reach it")
	}
	return near
}

// Nearest returns those of pkgs whose tests may reach one of functions, the nearest first. With Everything it returns
// pkgs.
func (r *Reach) Nearest(ctx context.Context, pkgs []string, functions map[string]bool) []string {
	if r.Everything {
		return pkgs
	}
	return byDistance(pkgs, func(pkg string) (int, bool) { return r.Steps(ctx, functions, pkg) })
}

// Queue is a queue of packages whose tests are to run, the nearest first.
type Queue struct {
	*Reach
	Left  []string // packages still in the queue, in any order
	First []string // packages that come first, however near the others are
	size  int      // bound on the size of the last group
}

// Next removes and returns the next packages whose tests may reach one of functions. It returns at most least packages,
// and twice as many with each further call: a repository may have hundreds, and few are needed. It drops packages that
// reach none of functions, and returns none if there are no more.
func (q *Queue) Next(ctx context.Context, functions map[string]bool, least int) []string {
	near := q.Nearest(ctx, q.Left, functions)
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(q.place(a), q.place(b)) })
	q.size = max(2*q.size, least)
	group := near[:min(q.size, len(near))]
	q.Left = near[len(group):]
	return group
}

// place returns 0 for packages that come first, 1 for others.
func (q *Queue) place(pkg string) int {
	if slices.Contains(q.First, pkg) {
		return 0
	}
	return 1
}

// Tests returns the tests of pkg that may reach one of functions, the nearest first. It returns nil, as opposed to an
// empty slice, with Everything, if the answer is not known, or if it takes longer than the call graph itself may: each
// test needs a walk through the graph.
func (r *Reach) Tests(ctx context.Context, pkg string, functions map[string]bool) []string {
	if r.Everything {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	graph := r.calls(ctx)
	if graph == nil {
		return nil
	}
	part, cancel := deadline.Part(ctx, graphPart)
	defer cancel()
	late, all := false, graph.Tests(pkg)
	names := byDistance(all, func(name string) (int, bool) {
		if late = late || part.Err() != nil; late {
			return 0, false
		}
		return r.Steps(ctx, functions, pkg, name)
	})
	if late || len(all) == 0 {
		return nil
	}
	return append([]string{}, names...) // not nil, even if empty
}

// byDistance returns the names for which steps reports true, sorted by the number it returns.
func byDistance(names []string, steps func(name string) (n int, may bool)) (list []string) {
	distance := map[string]int{}
	for _, name := range names {
		if n, may := steps(name); may {
			list, distance[name] = append(list, name), n
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(distance[a], distance[b]) })
	return list
}

// Others returns the packages with tests, except own, that import touched packages, directly or not; with all, it
// returns every package with tests. Those that import a touched package directly come first. Packages with errors are
// left out.
func (r *Reach) Others(own []string, all bool) []string {
	var direct, indirect []string
	for _, p := range r.Sorted() {
		switch {
		case !p.HasTests() || slices.Contains(own, p.ImportPath) || len(p.Errors) > 0:
		case !all && !r.LeadsToTouched(p):
		case slices.ContainsFunc(r.Touched, func(path string) bool {
			return slices.Contains(p.Imports, path) || slices.Contains(p.TestImports, path) || slices.Contains(p.XTestImports, path)
		}):
			direct = append(direct, p.ImportPath)
		default:
			indirect = append(indirect, p.ImportPath)
		}
	}
	return slices.Concat(direct, indirect)
}
