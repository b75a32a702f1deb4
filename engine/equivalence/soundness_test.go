package equivalence

import (
	"flag"
	"fmt"
	"go/ast"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/internal/stabledir"
)

var programs = flag.Int("programs", 60, "how many random functions TestProvedMutantsOfRandomFunctionsReturnTheSame makes")

// The test compiles random functions of small integers, and those of their mutants that are proved to be equivalent. It
// calls them with many arguments: a mutant has to return what its original returns, or panic where that panics.
func TestProvedMutantsOfRandomFunctionsReturnTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := stabledir.Make(t)
	file := filepath.Join(dir, "p.go")
	src := "package main\n\n"
	for i := range *programs {
		src += (&author{random: rand.New(rand.NewPCG(5, uint64(i)))}).function(fmt.Sprintf("f%d", i))
	}
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.22\n")
	write(t, file, src+"func main() {}\n")
	pkg := load(t, dir, ".")[0]
	p, err := New(pkg)
	if err != nil {
		t.Fatal(err, pkg.Errors)
	}
	clones, calls, proved, all := "", "", 0, 0
	for _, d := range pkg.Syntax[0].Decls {
		decl := d.(*ast.FuncDecl)
		start, end := pkg.Fset.Position(decl.Pos()).Offset, pkg.Fset.Position(decl.End()).Offset
		f := &mutate.Function{Source: []byte(src), Fset: pkg.Fset, Pkg: pkg.Types, Info: pkg.TypesInfo, Syntax: pkg.Syntax[0], Decl: decl}
		for _, m := range mutate.Mutants(f) {
			all++
			why := p.reason(file, &m)
			if why == "" {
				continue
			}
			proved++
			name := fmt.Sprintf("g%d", proved)
			clones += strings.Replace(src[start:m.Offset], decl.Name.Name, name, 1) + m.Replacement + src[m.EndOffset:end] + "\n"
			calls += fmt.Sprintf("\tsame(%q, %s, %s)\n", decl.Name.Name+": "+m.Original+" as "+m.Replacement+": "+why, decl.Name.Name, name)
		}
	}
	write(t, file, src+clones+compareAll+"func main() {\n"+calls+"}\n")
	cmd := exec.CommandContext(t.Context(), "go", "run", "-gcflags=-N", ".") // Go 1.26.8 optimizes one of 600 functions wrongly
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s\nof\n%s", err, out, src)
	}
	t.Logf("%d of %d mutants are proved to be equivalent", proved, all)
	if proved < *programs/10 {
		t.Errorf("%d of %d mutants are proved to be equivalent, which tests little", proved, all)
	}
}

// compareAll is the source of same, which calls two functions with many arguments and prints the first difference.
const compareAll = `
func same(what string, f, g func(a, b int8, u uint8, s string) int8) {
	for a := -128; a < 128; a += 1 + (a&7)*2 {
		for b := -128; b < 128; b += 1 + (b&3)*3 {
			for u := 0; u < 256; u += 51 {
				s := "a  bc!"[:(a+b+u)&3*2]
				x, y := call(f, int8(a), int8(b), uint8(u), s), call(g, int8(a), int8(b), uint8(u), s)
				if x != y {
					println(what, a, b, u, s, x, y)
					return
				}
			}
		}
	}
}

func call(f func(a, b int8, u uint8, s string) int8, a, b int8, u uint8, s string) (r int) {
	defer func() {
		if recover() != nil {
			r = 1000
		}
	}()
	return int(f(a, b, u, s))
}
`

// author writes random functions. All their loops end.
type author struct {
	random *rand.Rand
	loops  int
}

func (a *author) pick(list ...string) string { return list[a.random.IntN(len(list))] }

func (a *author) function(name string) string {
	text := "func " + name + "(a, b int8, u uint8, s string) int8 {\n\tvar c, d int8\n\tvar t, o struct{ c, d int8 }\n\tp := &t\n\tif a > b {\n\t\tp = &o\n\t}\n\tset := func(v int8) { p.c = v }\n"
	for range 3 + a.random.IntN(4) {
		text += a.statement(3)
	}
	return text + "\t_, _ = c, d\n\tset(t.c)\n\treturn " + a.number() + "\n}\n\n"
}

func (a *author) variable() string { return a.pick("a", "b", "c", "d", "t.c", "t.d", "p.c") }

func (a *author) number() string {
	v := a.variable()
	switch a.random.IntN(10) {
	case 0, 1, 2:
		return v
	case 3:
		return v + a.pick(" + 1", " - 1", " + 3", " * 2", " / 2", " % 5", " & 7", " >> 1", " << 1", " | 1", " ^ 1")
	case 4:
		return a.pick("min", "max") + "(" + v + ", " + a.variable() + ")"
	case 5:
		return "int8(" + a.pick("len(s)", "u", "u >> 1", "u % 9") + ")"
	case 6:
		return v + a.pick(" + ", " - ", " & ", " % ", " / ") + a.variable()
	case 7:
		return "-" + v
	}
	return a.pick("0", "0", "1", "2", "-1", "5", "127", "-128")
}

func (a *author) condition() string {
	switch a.random.IntN(9) {
	case 0:
		return a.comparison() + " && " + a.comparison()
	case 1:
		return a.comparison() + " || " + a.comparison()
	case 2:
		return "!(" + a.comparison() + ")"
	}
	return a.comparison()
}

func (a *author) comparison() string {
	op := a.pick(" < ", " <= ", " > ", " >= ", " == ", " != ")
	switch a.random.IntN(6) {
	case 0:
		return "len(s)" + op + a.pick("0", "1", "4", "int(c)", "int(u)")
	case 1:
		return "u" + op + a.pick("0", "1", "255", "uint8(c)", "uint8(len(s))")
	}
	return a.number() + op + a.variable()
}

func (a *author) statement(depth int) string {
	kind := a.random.IntN(8)
	if depth == 0 {
		kind = 0
	}
	switch kind {
	case 1:
		v, w := a.variable(), a.variable()
		return "if " + v + a.pick(" < ", " > ") + w + " {\n" + v + " = " + w + "\n}\n"
	case 2:
		return "if " + a.condition() + " {\n" + a.statement(depth-1) + "} else {\n" + a.statement(depth-1) + "}\n"
	case 3:
		return "if " + a.condition() + " {\n" + a.pick("", a.statement(depth-1)) + "return " + a.number() + "\n}\n"
	case 4:
		return "if " + a.condition() + " {\n" + a.statement(depth-1) + a.statement(depth-1) + "}\n"
	case 5, 6, 7:
		return a.loop(depth)
	}
	if a.random.IntN(5) == 0 {
		return "set(" + a.number() + ")\n"
	}
	return a.variable() + " = " + a.number() + "\n"
}

func (a *author) loop(depth int) string {
	a.loops++
	i := fmt.Sprintf("i%d", a.loops)
	body := a.statement(depth-1) + a.pick("", "", "if "+a.condition()+" {\ncontinue\n}\n", "if "+a.condition()+" {\nbreak\n}\n") + a.statement(depth-1)
	switch a.random.IntN(4) {
	case 0:
		return "for " + i + " := 0; " + i + " < len(s); " + i + "++ {\nif " + i + a.pick(" == 0", " > 2", " < 0", " < len(s)") + " {\n" + a.statement(0) + "}\n" + body + "}\n"
	case 1:
		v := a.variable()
		return v + " = " + a.number() + "\nfor " + i + " := 0; " + v + a.pick(" < ", " > ") + a.pick("10", "0", a.variable()) + " && " + i + " < 9; " + i + "++ {\n" + v + a.pick("++", "--") + "\n" + a.pick("", body) + "}\n"
	case 2:
		return "for _, x := range s {\nif x " + a.pick("> 0", "< 0", "== 'b'") + " {\n" + a.statement(0) + "}\n" + body + "}\n"
	}
	return i + " := 0\nfor " + i + " < len(s) && s[" + i + "] == ' ' {\n" + i + "++\n}\nif " + i + a.pick(" == ", " < ", " >= ") + "len(s) {\n" + a.statement(depth-1) + "}\n"
}
