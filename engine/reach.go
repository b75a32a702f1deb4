package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/callgraph"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// unknownSteps is the distance of tests of which the call graph cannot tell
// what they reach.
const unknownSteps = math.MaxInt

// graphPart is how much of the time that is left the call graph may take. It needs
// export data of all that the tests of the unit import, which is there in seconds,
// unless it has to be compiled first.
const graphPart = 0.25

// calls returns the unit's call graph, which is built when it is first asked
// for; nil where it cannot be built. Then imports decide what tests may reach.
func (u *unit) calls(ctx context.Context) *callgraph.Graph {
	if u.graph != nil || u.noGraph {
		return u.graph
	}
	harnesses := u.targetPackages()
	if u.cfg.Tests != TestsPackage && u.cfg.Tests != TestsNone {
		harnesses = append(harnesses, u.importers()...)
	}
	slices.Sort(harnesses)
	ctx, cancel := partOf(ctx, graphPart)
	defer cancel()
	var err error
	u.graph, err = callgraph.Build(ctx, callgraph.Config{
		Packages: u.listing, Touched: u.touched, Harnesses: slices.Compact(harnesses),
		GoVersion: u.goVersion,
		Exports: func(ctx context.Context, paths []string) (map[string]string, error) {
			return u.tool.Exports(ctx, u.cfg.BuildFlags, paths)
		},
	})
	if err != nil {
		u.noGraph = true
		u.progress.Say(fmt.Sprintf("imports alone decide which tests may reach what changed: %v", err))
	}
	return u.graph
}

// goVersion returns the language version of a package's module.
func (u *unit) goVersion(pkg string) string {
	if m := u.moduleOf(pkg); m != nil {
		return m.Go
	}
	return ""
}

// steps returns how many calls lie between the tests of pkg, all or those that
// are named, and the nearest of the functions. may is false if they cannot reach
// any.
func (u *unit) steps(ctx context.Context, functions map[string]bool, pkg string, names ...string) (steps int, may bool) {
	graph := u.calls(ctx)
	if graph == nil {
		return unknownSteps, true
	}
	distances, known := graph.Reach(pkg, names...)
	if !known {
		return unknownSteps, true
	}
	steps = unknownSteps
	for id, d := range distances {
		if functions[id] {
			steps, may = min(steps, d), true
		}
	}
	return steps, may
}

// inScope are the IDs of the functions to mutate.
func (u *unit) inScope() map[string]bool {
	ids := map[string]bool{}
	for _, f := range u.functions {
		if f.Skipped == "" {
			ids[f.ID] = true
		}
	}
	return ids
}

// chooseTargets leaves of the packages with fuzz targets those in which some
// target may reach a function in scope. The tests of touched packages are built
// anyway, so they need no look.
func (u *unit) chooseTargets(ctx context.Context, pkgs []string) []string {
	functions := u.inScope()
	return slices.DeleteFunc(pkgs, func(pkg string) bool {
		if slices.Contains(u.touched, pkg) {
			return false
		}
		graph := u.calls(ctx)
		if graph == nil {
			return false
		}
		names, known := graph.Targets(pkg)
		return known && !slices.ContainsFunc(names, func(name string) bool {
			_, may := u.steps(ctx, functions, pkg, name)
			return may
		})
	})
}

// nearest leaves of the packages those with tests that may reach one of some functions,
// the nearest first, and notes these tests in u.reachers.
func (u *unit) nearest(ctx context.Context, pkgs []string, functions map[string]bool) []string {
	if u.cfg.Unpruned || u.cfg.Tests == TestsAll {
		return pkgs
	}
	steps := map[string]int{}
	var chosen []string
	for _, pkg := range pkgs {
		n, may := u.steps(ctx, functions, pkg)
		if !may {
			continue
		}
		chosen, steps[pkg] = append(chosen, pkg), n
		if n != unknownSteps {
			u.reachers[pkg] = slices.DeleteFunc(u.graph.Tests(pkg), func(name string) bool {
				_, may := u.steps(ctx, functions, pkg, name)
				return !may
			})
		}
	}
	slices.SortStableFunc(chosen, func(a, b string) int { return cmp.Compare(steps[a], steps[b]) })
	return chosen
}

// importers returns the packages with tests that import, directly or not, a
// touched package, or are one.
func (u *unit) importers() []string {
	var list []string
	for _, p := range u.sortedListing() {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 && u.leadsToTouched(p) {
			list = append(list, p.ImportPath)
		}
	}
	return list
}

// leadsToTouched reports whether p or its tests import, directly or not, a
// touched package, or are one.
func (u *unit) leadsToTouched(p *gotool.Package) bool {
	return slices.ContainsFunc(u.touched, func(path string) bool { return p.ImportPath == path || u.testsReach(p, path) })
}
