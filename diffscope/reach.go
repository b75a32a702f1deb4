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

func isChanged(d *declaration.Decl) bool { return d.Changed }
