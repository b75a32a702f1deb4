package program

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// NoteBlind records for each survivor which of the tests named for it check nothing. Without types it does nothing.
func (p *Program) NoteBlind(mutants []results.Mutant) {
	if p.Types == nil {
		return
	}
	known := map[string]bool{}
	for i := range mutants {
		m := &mutants[i]
		if m.Status != results.Survived {
			continue
		}
		for _, test := range m.Evidence.By {
			blind, ok := known[test]
			if !ok {
				blind = p.Types.blind(test)
				known[test] = blind
			}
			if blind {
				m.Evidence.Blind = append(m.Evidence.Blind, test)
			}
		}
	}
}

// blind reports whether a test, given as import/path.TestXxx, checks nothing: it can only fail by a panic. Calls of
// helpers and of third-party packages are not followed and count as checks.
func (t *Types) blind(test string) bool {
	dot := strings.LastIndexByte(test, '.')
	if dot < 0 || !strings.HasPrefix(test[dot+1:], "Test") {
		return false // an example compares what it writes
	}
	for _, pkg := range slices.Concat(t.Touched, t.Tests()) {
		if pkg.PkgPath != test[:dot] && pkg.PkgPath != test[:dot]+"_test" {
			continue
		}
		if fn := declared(pkg, test[dot+1:]); fn != nil {
			return fn.Body != nil && !t.looks(pkg, fn.Body)
		}
	}
	return false
}

// declared returns the declaration of a function of a package; nil if there is none.
func declared(pkg *packages.Package, name string) *ast.FuncDecl {
	for _, f := range pkg.Syntax {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name {
				return fn
			}
		}
	}
	return nil
}

// looks reports whether a call in the body of a test may make it fail.
func (t *Types) looks(pkg *packages.Package, body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && t.mayFail(pkg, call)
		return !found
	})
	return found
}

// mayFail reports whether a call in a test may be there to make it fail.
func (t *Types) mayFail(pkg *packages.Package, call *ast.CallExpr) bool {
	if pkg.TypesInfo.Types[call.Fun].IsType() {
		return false // a conversion
	}
	if slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return elsewhere(pkg, e) }) {
		return true
	}
	switch callee := typeutil.Callee(pkg.TypesInfo, call).(type) {
	case *types.Builtin:
		return callee.Name() == "panic" || callee.Name() == "recover"
	case *types.Func:
		switch path := callee.Pkg(); {
		case path == nil: // Error of an error value
			return false
		case path.Path() == "testing":
			return fails(callee.Name())
		case slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return ofTesting(pkg.TypesInfo.TypeOf(e)) }), fails(callee.Name()):
			return true
		case path.Path() == strings.TrimSuffix(pkg.PkgPath, "_test") || path == pkg.Types:
			return strings.HasSuffix(pkg.Fset.Position(callee.Pos()).Filename, "_test.go") // a helper
		default:
			return !t.IsStandard(path.Path())
		}
	}
	return true // a function value: it may do anything
}

// elsewhere reports whether an argument is a function value other than a literal, such as a subtest from a table.
func elsewhere(pkg *packages.Package, e ast.Expr) bool {
	if _, here := ast.Unparen(e).(*ast.FuncLit); here {
		return false
	}
	typ := pkg.TypesInfo.TypeOf(e)
	if typ == nil {
		return false
	}
	_, ok := typ.Underlying().(*types.Signature)
	return ok
}

// fails reports whether a function is named like those that make a test or a program fail: "Fatalf", "Exit".
func fails(name string) bool {
	return name == "Exit" || slices.ContainsFunc([]string{"Error", "Fatal", "Fail", "Panic"}, func(word string) bool { return strings.HasPrefix(name, word) })
}

// ofTesting reports whether a type is declared by package testing, or is a pointer to such a type.
func ofTesting(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "testing"
}
