package mutate

import (
	"go/ast"
	"go/types"
	"slices"
)

// helpsTests reports whether the function serves tests, though it is in no test file: it takes the calling test as a
// parameter, so that the test shows what it does, or it calls testing.Testing.
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

// isTest reports whether t is testing.T, B, F or TB, or an interface that stands for them: one that can end a test and
// register its cleanup. Smaller interfaces, such as those of assertion packages, belong to code that has tests of its
// own.
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
