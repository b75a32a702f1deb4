package mutate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// functionsOf loads packages and returns all their functions that have bodies.
func functionsOf(t testing.TB, patterns ...string) []*Function {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	var out []*Function
	for _, pkg := range pkgs {
		for _, err := range pkg.Errors {
			t.Fatal(err)
		}
		for _, file := range pkg.Syntax {
			out = append(out, functionsIn(t, pkg, file)...)
		}
	}
	return out
}

func functionsIn(t testing.TB, pkg *packages.Package, file *ast.File) (out []*Function) {
	name := pkg.Fset.PositionFor(file.Pos(), false).Filename
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
			out = append(out, &Function{
				ID: pkg.PkgPath + "." + fn.Name.Name, File: name, Source: src, Fset: pkg.Fset,
				Pkg: pkg.Types, Info: pkg.TypesInfo, Syntax: file, Decl: fn,
			})
		}
	}
	return out
}

// compiles returns an error if f with [from, to) of the file replaced does not type-check. It checks f where it stands,
// as a function literal that takes the receiver as its first parameter.
func compiles(f *Function, from, to int, replacement string) error {
	offset := func(pos token.Pos) int { return f.Fset.PositionFor(pos, false).Offset }
	body := f.Decl.Body
	signature := string(f.Source[offset(f.Decl.Type.Params.Pos()):offset(body.Pos())])
	if recv := f.Decl.Recv; recv != nil && len(recv.List[0].Names) > 0 {
		text := string(f.Source[offset(recv.Pos()):offset(recv.List[0].End())])
		signature = text + ", " + strings.TrimPrefix(signature, "(")
	}
	src := "func" + signature + string(f.Source[offset(body.Pos()):from]) + replacement + string(f.Source[to:offset(body.End())])
	fset := token.NewFileSet()
	lit, err := parser.ParseExprFrom(fset, "", src, 0)
	if err != nil {
		return err
	}
	return types.CheckExpr(fset, f.Pkg, body.Pos()+1, lit, &types.Info{Types: make(map[ast.Expr]types.TypeAndValue)})
}

func TestRealCode(t *testing.T) {
	functions := functionsOf(t, "strconv", "net/url", "container/list", "text/tabwriter")
	t.Run("mutants compile", func(t *testing.T) { testMutantsCompile(t, functions) })
	t.Run("mutants are what their fields say", func(t *testing.T) { testMutantsAreConsistent(t, functions) })
	t.Run("probes type-check", func(t *testing.T) { testProbesTypeCheck(t, functions) })
}

func testMutantsCompile(t *testing.T, functions []*Function) {
	total, bad := 0, 0
	for _, f := range functions {
		start := f.Fset.PositionFor(f.Decl.Body.Pos(), false).Offset
		if compiles(f, start, start, "") != nil {
			continue // f does not compile as a literal
		}
		for _, m := range Mutants(f) {
			total++
			if err := compiles(f, m.Offset, m.EndOffset, m.Replacement); err != nil {
				bad++
				t.Logf("%s:%d:%d: %s: %q: %v", f.File, m.Line, m.Column, m.Operator, m.Replacement, err)
			}
		}
	}
	if total < 1000 || bad*100 > total {
		t.Errorf("%d of %d mutants do not compile", bad, total)
	}
}

func TestUncompilableMutantsAreSeenByTheTestAbove(t *testing.T) {
	f := load(t, "package p\n\nfunc f() int {\n\treturn 1\n}\n")
	at := strings.Index(string(f.Source), "return")
	for _, text := range []string{"", "x := 1; return 1", "return nil", "L: return 1"} {
		if compiles(f, at, at+len("return 1"), text) == nil {
			t.Errorf("%q compiles", text)
		}
	}
}

func testMutantsAreConsistent(t *testing.T, functions []*Function) {
	for _, f := range functions {
		ids, texts := make(map[string]bool), make(map[string]bool)
		start := f.Fset.PositionFor(f.Decl.Pos(), false).Offset
		end := f.Fset.PositionFor(f.Decl.End(), false).Offset
		original := normalise(string(f.Source[start:end]))
		last := 0
		for _, m := range Mutants(f) {
			where := f.File + ":" + m.Operator + ": " + m.Original + " → " + m.Replacement
			if ids[m.ID] || len(m.ID) != 12 {
				t.Errorf("%s: ID %s is not unique", where, m.ID)
			}
			src := normalise(string(f.Source[start:m.Offset]) + m.Replacement + string(f.Source[m.EndOffset:end]))
			if texts[src] {
				t.Errorf("%s: made twice", where)
			}
			if src == original {
				t.Errorf("%s: changes nothing", where)
			}
			if m.Offset < last || string(f.Source[m.Offset:m.EndOffset]) != m.Original {
				t.Errorf("%s: out of order, or its range is not what it replaces", where)
			}
			if strings.Count(m.Original, "\n") != strings.Count(m.Replacement, "\n") {
				t.Errorf("%s: changes the number of lines", where)
			}
			ids[m.ID], texts[src], last = true, true, m.Offset
		}
	}
}

func testProbesTypeCheck(t *testing.T, functions []*Function) {
	probes := 0
	for _, f := range functions {
		p := newPass(f)
		for _, m := range Mutants(f) {
			if m.Probe == nil {
				continue
			}
			probes++
			if fault := probeFault(p, m.Probe); fault != "" {
				t.Errorf("%s:%d: %s: %+v: %s", f.File, m.Line, m.Operator, *m.Probe, fault)
			}
		}
	}
	if probes < 500 {
		t.Errorf("only %d probes", probes)
	}
}

// constantFault returns what is wrong with a probe that watches a constant, which takes its type from the variable beside
// it, or "".
func constantFault(p *pass, probe *Probe, pos token.Pos, watched types.TypeAndValue) string {
	variable, ok := p.eval(pos, probe.Mutated)
	if !ok || variable.Value != nil || probe.Kind != Differs || !assignable(watched, variable.Type) {
		return "what is watched is a constant beside no variable of its type"
	}
	return ""
}

// probeFault returns what is wrong with a probe, or "".
func probeFault(p *pass, probe *Probe) string {
	pos := p.Fset.File(p.Decl.Pos()).Pos(probe.Offset)
	watched, ok := p.eval(pos, string(p.Source[probe.Offset:probe.EndOffset]))
	if !ok {
		return "what is watched is no expression"
	}
	if watched.Value != nil {
		return constantFault(p, probe, pos, watched)
	}
	if probe.Kind != Differs {
		if b, ok := watched.Type.Underlying().(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 {
			return "what is watched is no condition"
		}
		return ""
	}
	mutated, ok := p.eval(pos, probe.Mutated)
	if !ok || !assignable(mutated, types.Default(watched.Type)) {
		return "the mutated expression is of another type"
	}
	if strings.Contains(probe.Mutated, "\n") {
		return "the mutated expression has several lines"
	}
	return ""
}
