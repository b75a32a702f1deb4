package weave

import (
	"bytes"
	"fmt"
	"go/ast"
	"regexp"
	"strings"
)

// Trials is the name of the test that the weaver adds to packages with tests. With a job it runs mutants against the
// package's own tests, in one process; without one it is skipped.
const Trials = "TestMutantfuzzTrials"

// WeaveTests registers the tests of in.Tests with the probe and weaves nothing else. It returns the overlay for their
// files, and the registered tests by import path, as in Woven.Tests. It fails if a file cannot be read or parsed.
func WeaveTests(in Input) (overlay map[string][]byte, registered map[string][]string, err error) {
	w := newWeaver(in)
	for _, p := range in.Tests {
		if err := w.openCovered(p); err != nil {
			return nil, nil, err
		}
	}
	w.registerTests()
	w.finish()
	return w.out.Overlay, w.out.Tests, nil
}

// registerTests registers the tests of each package with the probe, by name, and adds the test called Trials.
func (w *weaver) registerTests() {
	w.out.Tests = map[string][]string{}
	for _, p := range w.in.Tests {
		if w.clashes(p) {
			continue
		}
		for _, name := range p.Files {
			f := w.files[name]
			if f == nil {
				continue // it imports "C"
			}
			tests := testsIn(f)
			if len(tests) == 0 {
				continue
			}
			f.uses = true
			if len(w.out.Tests[p.ImportPath]) == 0 {
				fmt.Fprintf(&f.tail, "\nfunc %s(t *%s.T){%s.Trials(t)}\n", Trials, f.alias, f.alias)
			}
			w.out.Tests[p.ImportPath] = append(w.out.Tests[p.ImportPath], tests...)
			f.tail.add("\nfunc init(){")
			for _, t := range tests {
				fmt.Fprintf(&f.tail, "%s.Register(%q,%s);", f.alias, t, t)
			}
			f.tail.add("}\n")
			guardSubtests(f)
		}
	}
}

// clashes reports whether files of p contain the name Trials, and so may declare it.
func (w *weaver) clashes(p CoverPackage) bool {
	for _, name := range p.Files {
		if f := w.files[name]; f != nil && bytes.Contains(f.src, []byte(Trials)) {
			return true
		}
	}
	return false
}

var testFunction = regexp.MustCompile(`^Test($|[^\p{Ll}])`)

// testsIn returns the names of the tests that f declares.
func testsIn(f *file) (names []string) {
	for _, d := range f.syntax.Decls {
		d, ok := d.(*ast.FuncDecl)
		if ok && d.Recv == nil && d.Type.TypeParams == nil && d.Type.Results == nil && testFunction.MatchString(d.Name.Name) && takesT(f, d.Type) {
			names = append(names, d.Name.Name)
		}
	}
	return names
}

// guardSubtests wraps the function literals that f passes to t.Run in the probe's guard. The file may have no types, so
// any method called Run counts if the literal has the right type.
func guardSubtests(f *file) {
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Run" {
			return true
		}
		if lit, ok := call.Args[1].(*ast.FuncLit); ok && lit.Type.Results == nil && takesT(f, lit.Type) {
			f.edits.wrap(f.offset(lit.Pos()), f.offset(lit.End()), plain(f.alias+".Sub("), ")")
		}
		return true
	})
}

// takesT reports whether a function takes a *testing.T and nothing else, judging by the syntax of its file.
func takesT(f *file, t *ast.FuncType) bool {
	if len(t.Params.List) != 1 || len(t.Params.List[0].Names) > 1 {
		return false
	}
	star, ok := t.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	switch x := star.X.(type) {
	case *ast.SelectorExpr:
		pkg, ok := x.X.(*ast.Ident)
		return ok && x.Sel.Name == "T" && pkg.Name == importName(f, "testing")
	case *ast.Ident:
		return x.Name == "T" && importName(f, "testing") == "."
	}
	return false
}

// importName returns the local name under which f imports a package of the standard library; "" if it does not. The
// package's path must be its name.
func importName(f *file, path string) string {
	for _, imp := range f.syntax.Imports {
		if strings.Trim(imp.Path.Value, "`\"") != path {
			continue
		}
		if imp.Name != nil {
			return imp.Name.Name
		}
		return path
	}
	return ""
}
