package mutate

import (
	"go/ast"
	"go/types"
	"slices"
)

// helpsTests reports whether the function is for tests, though in no test file: it takes the test that calls it, so that what it
// does shows there, or asks whether it is called in one.
func (p *pass) helpsTests() bool {
	for _, field := range p.Decl.Type.Params.List {
		if t := p.Info.TypeOf(field.Type); t != nil && isTest(t) {
			return true
		}
	}
	asks := false
	ast.Inspect(p.Decl, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			f := p.callee(call)
			asks = asks || f != nil && f.FullName() == "testing.Testing"
		}
		return !asks
	})
	return asks
}

// isTest reports whether t is one of the types of package testing for what runs, or an interface that stands for them:
// one through which a test can be ended, and told what to clean up. Interfaces with less, as those of packages of
// assertions, are for code that is itself to be tested.
func isTest(t types.Type) bool {
	for _, name := range []string{"T", "B", "F", "TB"} {
		if isNamed(t, "testing", name) {
			return true
		}
	}
	return has(t, "Cleanup") && (has(t, "Fatal") || has(t, "Fatalf") || has(t, "FailNow"))
}

// has reports whether t is an interface with a method of that name.
func has(t types.Type, method string) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && slices.ContainsFunc(slices.Collect(i.Methods()), func(m *types.Func) bool { return m.Name() == method })
}
