// Package callgraph finds the functions that the tests and fuzz targets of a program may reach. It reads the source and
// does not run anything.
//
// The answer is an over-approximation: it has all functions that a test can reach, and some that it cannot. The method
// is that of Bacon, Sweeney: Fast Static Analysis of C++ Virtual Function Calls (rapid type analysis), OOPSLA 1996,
// adapted to programs of which only a part is seen. Of other modules and the standard library only the types are known,
// and their code is assumed to call everything that it can get hold of. Hence a function counts as reached as soon as
// reached code names it, whether it calls the function, stores it or passes it on. When a value is converted to an
// interface, the exported methods of its type and of the types of its parts count as reached too, because reflection
// finds them all.
//
// The analysis does not see programs that tests build and start, test binaries that a package known only by its types
// starts again, or calls that other modules make into the program through assembly, C or link names.
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

// Graph is the call graph between the tests of some packages of a program and the functions of its touched packages. It
// must not be used concurrently.
type Graph struct {
	prog      *ssa.Program
	touched   map[string]bool          // import paths
	harnesses map[string]*harness      // packages whose tests are known
	sources   map[*ssa.Package]*source // packages with function bodies
	nodes     map[*ssa.Function]*node
	types     typeutil.Map    // types.Type -> *valueType
	methods   map[string]bool // cache of interfaceMethods; nil: still empty
	failed    bool            // the SSA builder has panicked, so prog cannot be used
}

// harness is a package with tests: the package itself with its test files, and the external test package.
type harness struct {
	inits []*ssa.Function          // what runs before any test: package initialization and TestMain; may have nils
	tests map[string]*ssa.Function // tests, examples and fuzz targets by name
}

// Build builds the graph for the tests of harnesses, which are import paths of packages of p. It reads these packages
// and what they import of the program; function bodies that cannot lead to a touched package are left out. p must be
// listed. A package that does not type-check or uses cgo is no error: see [Graph.Reach].
func Build(ctx context.Context, p *program.Program, harnesses []string) (g *Graph, err error) {
	// The SSA builder panics if the source breaks rules that the type checker does not check. Its locks then stay
	// locked.
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
		// Not in parallel: a panic in another goroutine could not be recovered.
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if p := g.prog.Package(s.types); p != nil {
			p.Build()
		}
	}
	return g, nil
}

// create adds s to the program without building it, and adds its tests to its harness. A package that does not
// type-check is left out: no package that does imports it, and its functions may lack types.
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

// Tests returns the sorted names of pkg's tests, examples and fuzz targets; nil if they are not known.
func (g *Graph) Tests(pkg string) []string {
	if h := g.harnesses[pkg]; h != nil {
		return slices.Sorted(maps.Keys(h.tests))
	}
	return nil
}

// Targets returns the sorted names of pkg's fuzz targets, which are functions FuzzXxx(*testing.F). The older go-fuzz
// form, FuzzXxx([]byte) int, does not count. known is as for [Graph.Reach].
func (g *Graph) Targets(pkg string) (names []string, known bool) {
	h := g.harnesses[pkg]
	return slices.DeleteFunc(g.Tests(pkg), func(name string) bool {
		in := h.tests[name].Signature.Params()
		return !strings.HasPrefix(name, "Fuzz") || in.Len() != 1 || in.At(0).Type().String() != "*testing.F"
	}), h != nil
}

// Reach returns the functions of touched packages that the named tests of pkg may reach, by ID as in results.json, with
// their distances in steps from a test. Without names it considers all tests of pkg. What runs before every test, such
// as package initialization and TestMain, counts as part of each test.
//
// known is false if pkg has no such test, or if pkg or a package that it imports and that may lead to touched code does
// not type-check or uses cgo.
func (g *Graph) Reach(pkg string, names ...string) (distances map[string]int, known bool) {
	return g.reach(pkg, nil, names)
}

// Calls is like [Graph.Reach], but leaves out methods that only reflection could call. A method is left out if reached
// code only converts a value of its type to an interface, no interface has a method of that name, and no reached code
// asks for methods by name. Code that finds methods in another way is missed, so a function that is not in the result
// is most likely, but not certainly, not called.
func (g *Graph) Calls(pkg string, names ...string) (distances map[string]int, known bool) {
	return g.reach(pkg, g.interfaceMethods(), names)
}

// reach is like [Graph.Reach]. Of the exported methods of a value that is converted to an interface, it only follows
// those named in methods; nil means all.
func (g *Graph) reach(pkg string, methods map[string]bool, names []string) (distances map[string]int, known bool) {
	h := g.harnesses[pkg]
	if h == nil || g.failed {
		return nil, false
	}
	defer func() { // as in Build: the SSA builder makes wrappers and instances on demand
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
