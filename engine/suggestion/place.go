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

// most caps how many tests that call the callee count in favour of a file.
const most = 100

// Place returns the test file for a test of the call, and the offset for it: after the last test that calls the callee,
// else at the end. source and callee are paths; test files may be named after them. A file with tests that call the
// callee comes first if it is named so, then the one with the most such tests. Next is a file named after source, which
// ranks like one with a single such test, then one named after callee, then the only file with tests, if there is just
// one. Generated files do not count. ok is false if there is none of these.
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
			if own := c.Callee.Pkg(); own != nil && own.Path() == strings.TrimSuffix(c.Package, "_test") { // else tests call it only on the way to something else
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

// hasTests reports whether a file has a test, or another function that go test runs.
func hasTests(f *ast.File) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Recv == nil && isTestName.MatchString(fn.Name.Name)
	})
}

// isTestName matches the names of functions that go test runs.
var isTestName = regexp.MustCompile(`^(Test|Fuzz|Benchmark|Example)($|[^a-z])`)

// callers returns how many tests of a file call the callee, and where the last of them ends.
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
