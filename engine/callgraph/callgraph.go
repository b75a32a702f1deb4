// Package callgraph says which functions the tests and fuzz targets of a program
// may reach, by its source and without running it.
//
// The answer is an over-approximation: what a test can reach is in it, and some of
// what it cannot. It is found as in Bacon, Sweeney: Fast Static Analysis of C++
// Virtual Function Calls (rapid type analysis), OOPSLA 1996, but for programs
// of which only a part is seen. Code of other modules and of the standard
// library is known by its types alone and taken to call whatever it can get
// hold of. Hence a function counts as reached as soon as code that is reached
// names it, whether it calls it, stores it or hands it on; and so do the
// exported methods of each type of which a value is made an interface, and of
// the types of its parts, since reflection finds them all.
//
// Not seen are programs that tests build and start, test binaries that a
// package known by its types starts anew, and calls that other modules make
// into the program by assembly, C or link names.
package callgraph

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// Graph is what is known of the calls between the tests of some packages of a
// program and the functions of its touched packages. It serves one caller at a
// time.
type Graph struct {
	prog      *ssa.Program
	touched   map[string]bool          // import paths
	harnesses map[string]*harness      // those that could be understood
	sources   map[*ssa.Package]*source // those with bodies
	nodes     map[*ssa.Function]*node
	types     typeutil.Map    // types.Type -> *valueType
	methods   map[string]bool // names of all methods that interfaces have; nil: not looked for
	failed    bool            // the program cannot be used any more
}

// harness is a package with tests: the package itself with its test files, and
// the external test package.
type harness struct {
	inits []*ssa.Function          // what runs before any test: the packages' initialization, and TestMain
	tests map[string]*ssa.Function // and examples and fuzz targets
}

// Build reads the harnesses, packages of p whose tests are asked for, and what of
// the program they import, without function bodies where these cannot lead to a
// touched package. p is listed. A package that does not type-check, or uses cgo,
// is no error: see [Graph.Reach].
func Build(ctx context.Context, p *program.Program, harnesses []string) (g *Graph, err error) {
	// The builder panics where source breaks rules that the type checker does
	// not know of. What it has locked then stays locked.
	defer func() {
		if r := recover(); r != nil {
			g, err = nil, fmt.Errorf("call graph: %v", r)
		}
	}()
	l, err := load(ctx, p, harnesses)
	if err != nil {
		return nil, fmt.Errorf("call graph: %w", err)
	}
	g = &Graph{
		prog:    ssa.NewProgram(l.fset, ssa.InstantiateGenerics|ssa.BuildSerially),
		touched: l.touched, harnesses: map[string]*harness{},
		sources: map[*ssa.Package]*source{}, nodes: map[*ssa.Function]*node{},
	}
	for p := range l.outside.Packages() {
		g.prog.CreatePackage(p, nil, nil, true)
	}
	for _, path := range harnesses {
		if l.unit[path].testErr == nil {
			g.harnesses[path] = &harness{tests: map[string]*ssa.Function{}}
		}
	}
	for _, s := range l.order {
		g.create(s)
	}
	for _, s := range l.order {
		// One after the other: a panic in another goroutine could not be caught.
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if p := g.prog.Package(s.types); p != nil {
			p.Build()
		}
	}
	return g, nil
}

// create adds s to the program, not yet built, and its tests to its harness. What could not be
// understood is left out: nothing that could imports it, and functions in it may have no type.
func (g *Graph) create(s *source) {
	if s.err != nil {
		return
	}
	if !s.full {
		g.prog.CreatePackage(s.types, nil, nil, true)
		return
	}
	p := g.prog.CreatePackage(s.types, s.files, s.info, true)
	g.sources[p] = s
	h := g.harnesses[s.path]
	if h == nil {
		return
	}
	h.inits = append(h.inits, p.Func("init"), p.Func("TestMain"))
	for name, m := range p.Members {
		f, ok := m.(*ssa.Function)
		if ok && gotool.IsTest(name) && strings.HasSuffix(g.prog.Fset.PositionFor(f.Pos(), false).Filename, "_test.go") {
			h.tests[name] = f
		}
	}
}

// Tests returns the names of pkg's tests, examples and fuzz targets, sorted;
// none where they are not known.
func (g *Graph) Tests(pkg string) []string {
	if h := g.harnesses[pkg]; h != nil {
		return slices.Sorted(maps.Keys(h.tests))
	}
	return nil
}

// Targets returns the names of pkg's fuzz targets, functions FuzzXxx with a
// *testing.F, sorted. Functions of the older kind, FuzzXxx([]byte) int, are
// none. known is as for [Graph.Reach].
func (g *Graph) Targets(pkg string) (names []string, known bool) {
	h := g.harnesses[pkg]
	return slices.DeleteFunc(g.Tests(pkg), func(name string) bool {
		in := h.tests[name].Signature.Params()
		return !strings.HasPrefix(name, "Fuzz") || in.Len() != 1 || in.At(0).Type().String() != "*testing.F"
	}), h != nil
}

// Reach returns how far away the functions are that the named tests of pkg may
// reach, in steps from the test, by ID as results.json has them; without names
// those that any of its tests may reach. What runs before every test, as the
// initialization of packages and TestMain, is counted as part of each.
//
// known is false if the source does not show it: the package, or one that it
// imports and that may lead to touched code, could not be type-checked, uses
// cgo, or has no such test.
func (g *Graph) Reach(pkg string, names ...string) (distances map[string]int, known bool) {
	return g.reach(pkg, nil, names)
}

// Calls is [Graph.Reach] without the methods that only reflection could call: that a value of their type is an interface
// somewhere is all that leads to them, no interface has a method of their name, and nothing that is reached asks for methods by
// name. Code that finds methods in another way is missed, so what is not in the answer is most likely not called.
func (g *Graph) Calls(pkg string, names ...string) (distances map[string]int, known bool) {
	return g.reach(pkg, g.interfaceMethods(), names)
}

// reach is [Graph.Reach], of exported methods of values that are interfaces only for those with one of some names; nil: with any.
func (g *Graph) reach(pkg string, methods map[string]bool, names []string) (distances map[string]int, known bool) {
	h := g.harnesses[pkg]
	if h == nil || g.failed {
		return nil, false
	}
	defer func() { // see Build: wrappers and instances are built on demand
		if recover() != nil {
			g.failed, distances, known = true, nil, false
		}
	}()
	if len(names) == 0 {
		names = g.Tests(pkg)
	}
	w := &walk{graph: g, harness: h, methods: methods, steps: map[*ssa.Function]int{}, values: map[*valueType]bool{}, invoked: map[string]bool{}}
	for _, f := range h.inits {
		w.reach(f, 0)
	}
	for _, name := range names {
		if h.tests[name] == nil {
			return nil, false
		}
		w.reach(h.tests[name], 0)
	}
	w.run()
	if methods != nil && w.asksForMethods() {
		return g.reach(pkg, nil, names)
	}
	return w.distances(), true
}
