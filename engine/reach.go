package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/callgraph"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// unknownSteps is the distance of tests of which the call graph cannot tell
// what they reach.
const unknownSteps = math.MaxInt

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
// are named, and the nearest function of which wanted holds. may is false if
// they cannot reach any.
func (u *unit) steps(ctx context.Context, wanted func(id string) bool, pkg string, names ...string) (steps int, may bool) {
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
		if wanted(id) && (!may || d < steps) {
			steps, may = d, true
		}
	}
	return steps, may
}

// inScope reports whether a function is to be mutated.
func (u *unit) inScope(id string) bool {
	return slices.ContainsFunc(u.functions, func(f diffscope.Function) bool { return f.ID == id && f.Skipped == "" })
}

// isOpen reports whether a function has mutants that are still to be judged.
func (u *unit) isOpen(id string) bool {
	return slices.ContainsFunc(u.mutants, func(m *mutant) bool { return m.Function == id && m.live() })
}

// chooseTargets leaves of the packages with fuzz targets those in which some
// target may reach a function in scope. The tests of touched packages are built
// anyway, so they need no look.
func (u *unit) chooseTargets(ctx context.Context, pkgs []string) []string {
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
			_, may := u.steps(ctx, u.inScope, pkg, name)
			return may
		})
	})
}

// nearest leaves of the packages those whose tests may reach a mutant that is
// still to be judged, the nearest first.
func (u *unit) nearest(ctx context.Context, pkgs []string) []string {
	if u.cfg.Unpruned || u.cfg.Tests == TestsAll {
		return pkgs
	}
	type candidate struct {
		pkg   string
		steps int
	}
	var chosen []candidate
	for _, pkg := range pkgs {
		if steps, may := u.steps(ctx, u.isOpen, pkg); may {
			chosen = append(chosen, candidate{pkg, steps})
		}
	}
	slices.SortStableFunc(chosen, func(a, b candidate) int { return cmp.Compare(a.steps, b.steps) })
	list := make([]string, len(chosen))
	for i, c := range chosen {
		list[i] = c.pkg
	}
	return list
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
