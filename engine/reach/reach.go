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

// Config says which tests to look at.
type Config struct {
	*program.Program // listed
	*journal.Journal
	// Dependents says that the tests of packages other than the touched ones run, too,
	// besides fuzz targets.
	Dependents bool
	// Everything says that no test is left out because of the call graph.
	Everything bool
}

// Reach knows what tests may reach. Its methods, except Tests, are for one caller at a
// time.
type Reach struct {
	Config
	mu      sync.Mutex       // held in Tests
	graph   *callgraph.Graph // nil: not built
	noGraph bool             // it cannot be built
}

// New returns a Reach without a call graph.
func New(c Config) *Reach { return &Reach{Config: c} }

// calls returns the call graph; nil if it cannot be built. Then imports decide what
// tests may reach.
func (r *Reach) calls(ctx context.Context) *callgraph.Graph {
	if r.graph != nil || r.noGraph {
		return r.graph
	}
	harnesses := slices.Concat(r.WithTargets(), r.Touched)
	if r.Dependents {
		harnesses = append(harnesses, r.Importers()...)
	}
	slices.Sort(harnesses)
	part, cancel := deadline.Part(ctx, graphPart)
	defer cancel()
	var err error
	r.graph, err = callgraph.Build(part, callgraph.Config{
		Packages: r.Packages, Touched: r.Touched, Harnesses: slices.Compact(harnesses), GoVersion: r.GoVersion,
		Exports: func(ctx context.Context, paths []string) (map[string]string, error) {
			return r.Tool.Exports(ctx, r.Flags, paths)
		},
	})
	if err != nil {
		r.noGraph = true
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

// Targets returns the packages with fuzz targets of which some may reach a
// function in scope. Touched packages are not checked: their tests are built anyway.
func (r *Reach) Targets(ctx context.Context) []string {
	functions := r.InScope()
	return slices.DeleteFunc(r.WithTargets(), func(pkg string) bool {
		if slices.Contains(r.Touched, pkg) {
			return false
		}
		graph := r.calls(ctx)
		if graph == nil {
			return false
		}
		names, known := graph.Targets(pkg)
		return known && !slices.ContainsFunc(names, func(name string) bool {
			_, may := r.Steps(ctx, functions, pkg, name)
			return may
		})
	})
}

// Nearest returns those of packages with tests that may reach one of some functions,
// the nearest first.
func (r *Reach) Nearest(ctx context.Context, pkgs []string, functions map[string]bool) []string {
	if r.Everything {
		return pkgs
	}
	var near []string
	steps := map[string]int{}
	for _, pkg := range pkgs {
		if n, may := r.Steps(ctx, functions, pkg); may {
			near, steps[pkg] = append(near, pkg), n
		}
	}
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(steps[a], steps[b]) })
	return near
}

// Tests returns the tests of a package that may reach one of some functions, the
// nearest first; none if that is unknown, or takes longer than the call graph itself
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
	steps := map[string]int{}
	var names []string
	for _, name := range graph.Tests(pkg) {
		if part.Err() != nil {
			return nil
		}
		if n, may := r.Steps(ctx, functions, pkg, name); may {
			names, steps[name] = append(names, name), n
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(steps[a], steps[b]) })
	return names
}

// Others are the packages with tests, other than own, that lead to touched code by
// imports, or all of them; those that import it directly come first.
func (r *Reach) Others(own []string, all bool) []string {
	var direct, indirect []string
	for _, p := range r.Sorted() {
		switch {
		case len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 || slices.Contains(own, p.ImportPath) || len(p.Errors) > 0:
		case !all && !r.LeadsToTouched(p):
		case r.ImportsTouched(p.ImportPath):
			direct = append(direct, p.ImportPath)
		default:
			indirect = append(indirect, p.ImportPath)
		}
	}
	return slices.Concat(direct, indirect)
}
