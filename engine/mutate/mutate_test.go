package mutate

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// load type-checks a file and describes its first function.
func load(t testing.TB, src string) *Function {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object),
		Uses: make(map[*ast.Ident]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
		Implicits: make(map[ast.Node]types.Object), Scopes: make(map[ast.Node]*types.Scope),
	}
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := config.Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	f := &Function{ID: "p.F", File: "p.go", Source: []byte(src), Fset: fset, Pkg: pkg, Info: info, Syntax: file}
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			f.Decl = fn
			return f
		}
	}
	t.Fatal("no function in the source")
	return nil
}

// apply is the source of the mutated file.
func apply(f *Function, m Mutant) string {
	return string(f.Source[:m.Offset]) + m.Replacement + string(f.Source[m.EndOffset:])
}

// lineTexts are the trimmed lines that mutants make of their first line.
func mutatedLines(f *Function, mutants []Mutant) []string {
	var out []string
	for _, m := range mutants {
		line := strings.Split(apply(f, m), "\n")[m.Line-1]
		out = append(out, strings.TrimSpace(line))
	}
	return out
}

func TestEveryOperatorMakesItsExampleAndItCompiles(t *testing.T) {
	const header = "package p\n\n"
	for _, op := range Operators() {
		t.Run(op.Name, func(t *testing.T) {
			f := load(t, header+op.Before)
			if op == hunkReversal {
				f.Hunks = []Hunk{{First: 4, Count: 1, Old: "\treturn 1\n"}}
			}
			var got []string
			for _, m := range Mutants(f) {
				if m.Operator != op.Name {
					continue
				}
				src := apply(f, m)
				if src == header+op.After {
					load(t, src) // compiles
					return
				}
				got = append(got, src)
			}
			t.Errorf("no mutant is\n%s\ngot:\n%s", op.After, strings.Join(got, "\n"))
		})
	}
}

func TestOperatorsAreDocumentedAndNamedOnce(t *testing.T) {
	seen := make(map[string]bool)
	for _, op := range Operators() {
		if seen[op.Name] || op.Name == "" || op.Category == "" || op.Doc == "" || op.mutate == nil {
			t.Errorf("operator %+v: a name of its own, a category, a doc and a function are required", op)
		}
		seen[op.Name] = true
	}
}
