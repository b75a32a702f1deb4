package mutate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
)

// FuzzMutants checks that the mutants of any source that compiles parse, change something and have different IDs.
func FuzzMutants(f *testing.F) {
	for _, op := range Operators() {
		f.Add("package p\n\n" + op.Before)
	}
	f.Fuzz(func(t *testing.T, src string) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
		if err != nil {
			t.Skip("does not parse")
		}
		config := types.Config{} // without an importer: sources with imports are skipped
		if _, err := config.Check("p", fset, []*ast.File{file}, nil); err != nil {
			t.Skip("does not compile")
		}
		for _, fn := range loadAll(t, src) {
			ids := make(map[string]bool)
			for _, m := range Mutants(fn) {
				mutated := apply(fn, m)
				if _, err := parser.ParseFile(token.NewFileSet(), "", mutated, 0); err != nil {
					t.Errorf("%s: %v\n%s", m.Operator, err, mutated)
				}
				if ids[m.ID] || normalise(mutated) == normalise(src) {
					t.Errorf("%s: ID %s is taken, or nothing changes:\n%s", m.Operator, m.ID, mutated)
				}
				ids[m.ID] = true
			}
		}
	})
}

// FuzzNormalise checks that normalising source twice gives what normalising it once does.
func FuzzNormalise(f *testing.F) {
	f.Add("a +\n\tb // why\n")
	f.Add("f(`x\n`, 'a', 0x1p-2)")
	f.Fuzz(func(t *testing.T, src string) {
		if _, err := parser.ParseExpr(src); err != nil {
			t.Skip("does not parse")
		}
		once := normalise(src)
		if twice := normalise(once); twice != once {
			t.Errorf("%q becomes %q", once, twice)
		}
	})
}
