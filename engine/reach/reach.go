// Package reach decides which tests and fuzz targets may reach which functions: first
// by imports, and then by the call graph, which is built on first use.
package reach

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/mutantfuzz/mutantfuzz/engine/callgraph"
	"github.com/mutantfuzz/mutantfuzz/engine/journal"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
)

// Unknown is the distance of tests for which the call graph does not know what they
// reach.
const Unknown = math.MaxInt

// graphPart is how much of the remaining time the call graph may take. It needs export
// data of all that the tests of the program import, which takes seconds unless it has
// to be compiled first.
const graphPart = 0.1

// Reach knows what tests may reach. Its methods, except Tests, are for one caller at a
// time.
type Reach struct {
	*program.Program // listed
	*journal.Journal
	// Dependents says that the tests of packages other than the touched ones run, too,
	// besides fuzz targets.
	Dependents bool
	// Everything says that no test is left out because of the call graph.
	Everything bool
	// Unfuzzed says that nothing is fuzzed. Fuzz targets then only count where they are built anyway, in touched
	// packages: to load and build others, which may be large, would take longer than what they are for.
	Unfuzzed bool

	mu      sync.Mutex       // held in Tests
	graph   *callgraph.Graph // nil: not built
	noGraph bool             // it cannot be built
	late    bool             // there was no time for it
}

// calls returns the call graph; nil if it cannot be built. Then imports decide what
// tests may reach.
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
			r.Say("there is no call graph, so only imports decide which tests may reach the change: %v", err)
		}
	}
	return r.graph
}

// Steps returns how many calls there are between the tests of pkg, all or those that
// are named, and the nearest of some functions, by ID; or Unknown. May is false if they
// cannot reach any.
func (r *Reach) Steps(ctx context.Context, functions map[string]bool, pkg string, names ...string) (steps int, may bool) {
	graph := r.calls(ctx)
	if graph == nil || ctx.Err() != nil { // a walk takes its time, and cannot be stopped
		return Unknown, true
	}
	distances, known := graph.Reach(pkg, names...)
	if !known {
		return Unknown, true
	}
	steps = Unknown
	for id, d := range distances {
		if functions[id] {
			steps, may = min(steps, d), true
		}
	}
	return steps, may
}

// Calls returns how many calls there are between the tests of pkg, all or those that are named, and the functions that they may
// call, by ID, as [callgraph.Graph.Calls] has it: without what only reflection could call; false: that is not known.
func (r *Reach) Calls(ctx context.Context, pkg string, names ...string) (distances map[string]int, known bool) {
	graph := r.calls(ctx)
	if graph == nil || ctx.Err() != nil {
		return nil, false
	}
	return graph.Calls(pkg, names...)
}

// withTargets are the packages with fuzz targets that count.
func (r *Reach) withTargets() []string {
	return slices.DeleteFunc(r.WithTargets(), func(pkg string) bool { return r.Unfuzzed && !slices.Contains(r.Touched, pkg) })
}

// Targets returns the packages with fuzz targets of which some may reach a
// function in scope. Touched packages are not checked: their tests are built anyway. Others are left out if there was no time
// for the call graph, since all that they import would have to be compiled first.
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
		r.Warn("fuzz targets of packages that the change does not touch are left out: there was no time to find out which of them reach it")
	}
	return near
}

// Nearest returns those of packages with tests that may reach one of some functions,
// the nearest first.
func (r *Reach) Nearest(ctx context.Context, pkgs []string, functions map[string]bool) []string {
	if r.Everything {
		return pkgs
	}
	return byDistance(pkgs, func(pkg string) (int, bool) { return r.Steps(ctx, functions, pkg) })
}

// Queue is packages with tests that are due, the nearest first.
type Queue struct {
	*Reach
	Left  []string // in any order
	First []string // those of them that come before others, however near these are
	size  int      // of the last group
}

// Next takes the next group of packages that may reach one of some functions: as many as least, and each
// time twice as many. A repository has hundreds of packages, and few of them are needed. None: there
// are no more.
func (q *Queue) Next(ctx context.Context, functions map[string]bool, least int) []string {
	near := q.Nearest(ctx, q.Left, functions)
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(q.place(a), q.place(b)) })
	q.size = max(2*q.size, least)
	group := near[:min(q.size, len(near))]
	q.Left = near[len(group):]
	return group
}

// place is 0 for packages that come first.
func (q *Queue) place(pkg string) int {
	if slices.Contains(q.First, pkg) {
		return 0
	}
	return 1
}

// Tests returns the tests of a package that may reach one of some functions, the
// nearest first; nil if that is unknown, or takes longer than the call graph itself
// may: each test is a walk through the graph.
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
	return append([]string{}, names...) // not nil, even if there are none
}

// byDistance returns those names from which steps lead somewhere, the fewest first.
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

// Others are the packages with tests, other than own, that lead to touched code by
// imports, or all of them; those that import it directly come first.
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
