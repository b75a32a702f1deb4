package suggestion

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/patch"
)

// most is how many tests that call the callee count for a file.
const most = 100

// Place is the file in which a test of the call belongs, and where in it: after the last test
// there that calls the callee. Of the files in which some do, that is the one named after source or the file with the callee, else the one with the most.
// Ok is false if there is none: then no test of the package that
// the call stands in calls it, no test file is named after source or the file with the callee, and there is no file with tests, or more than one.
// Generated files are left alone.
func Place(pkgs []*packages.Package, c *Call, source, callee string) (path string, at int, ok bool) {
	best, files := 0, 0
	only, end := "", 0
	for _, p := range pkgs {
		if p.PkgPath != c.Package {
			continue
		}
		for _, f := range p.Syntax {
			t := newText(p, f)
			if !isTestFile(t.file.Name()) || t.src == nil || ast.IsGenerated(f) {
				continue
			}
			calls, after := 0, token.NoPos
			if own := c.Callee.Pkg(); own != nil && own.Path() == strings.TrimSuffix(c.Package, "_test") { // else it is called for what others do
				calls, after = callers(p, f, c)
			}
			rank := min(calls, most) + 1
			if calls == 0 {
				rank, after = 0, f.FileEnd
			}
			name, place := t.file.Name(), patch.EndOfLine(t.src, t.offset(after))
			if hasTests(f) {
				files++
				only, end = name, place
			}
			switch base := strings.TrimSuffix(name, "_test.go") + ".go"; {
			case (base == source || base == callee) && calls > 0:
				rank += most
			case base == source:
				rank += 2
			case base == callee:
				rank++
			}
			if rank > best {
				best, path, at = rank, name, place
			}
		}
	}
	if best == 0 && files == 1 {
		return only, end, true
	}
	return path, at, best > 0
}

// hasTests reports whether a file has a test, or what else go test runs.
func hasTests(f *ast.File) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Recv == nil && isTestName.MatchString(fn.Name.Name)
	})
}

// isTestName matches the names of functions that go test runs.
var isTestName = regexp.MustCompile(`^(Test|Fuzz|Benchmark|Example)($|[^a-z])`)

// callers counts the tests of a file that call the callee, and says where the last one ends.
func callers(p *packages.Package, f *ast.File, c *Call) (n int, end token.Pos) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || fn.Recv != nil || !isTest(fn.Name.Name) {
			continue
		}
		found := false
		ast.Inspect(fn.Body, func(node ast.Node) bool {
			if call, ok := node.(*ast.CallExpr); ok && !found {
				callee := Callee(p, call)
				found = callee != nil && callee.Origin().FullName() == c.Callee.Origin().FullName()
			}
			return !found
		})
		if found {
			n, end = n+1, fn.End()
		}
	}
	return n, end
}
