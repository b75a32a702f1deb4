// Package suggestion makes tests that notice a mutant, to suggest them to a maintainer: a row
// for the table of a test that makes the very call already, in the form of the rows that are
// there, or else a test function, and a place for it in the test file of the callee. What it makes is
// a guess from types and names. Whoever offers it has to compile it and to run it before.
package suggestion

import (
	"go/ast"
	"go/constant"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"
)

// Call is a call on which a mutant differs from the program, with what the program returns.
type Call struct {
	Callee  *types.Func
	Package string // import path of the package that the call stands in, "_test" included
	Recv    Value  // of a method; the zero value: unknown, or there is none
	Args    []Value
	Results []Result
}

// Value is an operand of a call.
type Value struct {
	Source string // a Go expression that imports packages by their names; empty: it has no such form
	Name   string // of the constant that has the value, as in Source; empty: none is known
	Text   string // as the call has it, with white space folded
}

// Result is a result of a call.
type Result struct {
	Source  string // as of a Value
	Name    string // likewise
	Error   string // text of an error that is not nil
	Differs bool   // the mutant returns something else
}

// Fails reports whether the call returns an error.
func (c *Call) Fails() bool { return c.failure() != "" }

// failure is the text of the error that the call returns; empty: none, or one without text.
func (c *Call) failure() string {
	for _, r := range c.Results {
		if r.Error != "" {
			return r.Error
		}
	}
	return ""
}

// CallAt finds the call in the packages that begins in a line of a file and reads as source
// does, with white space folded; nil: there is none.
func CallAt(pkgs []*packages.Package, file string, line int, source string) (p *packages.Package, call *ast.CallExpr) {
	for _, pkg := range pkgs {
		for _, f := range pkg.Syntax {
			if pkg.Fset.PositionFor(f.FileStart, false).Filename != file {
				continue
			}
			text := newText(pkg, f)
			ast.Inspect(f, func(n ast.Node) bool {
				c, ok := n.(*ast.CallExpr)
				if ok && call == nil && pkg.Fset.PositionFor(c.Pos(), false).Line == line && fold(text.of(c)) == source {
					p, call = pkg, c
				}
				return call == nil
			})
		}
		if call != nil {
			return p, call
		}
	}
	return nil, nil
}

// DeclaredAt is the function whose declaration begins in a line of a file; nil: there is none.
func DeclaredAt(pkgs []*packages.Package, file string, line int) *types.Func {
	for _, pkg := range pkgs {
		for _, f := range pkg.Syntax {
			if pkg.Fset.PositionFor(f.FileStart, false).Filename != file {
				continue
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && pkg.Fset.PositionFor(fn.Pos(), false).Line == line {
					callee, _ := pkg.TypesInfo.Defs[fn.Name].(*types.Func)
					return callee
				}
			}
		}
	}
	return nil
}

// Callee is the function that a call of a package calls; nil: that is not known.
func Callee(p *packages.Package, call *ast.CallExpr) *types.Func {
	f, _ := typeutil.Callee(p.TypesInfo, call).(*types.Func)
	return f
}

// Constant is the value of an argument that is a constant or nil, as Go source; empty: it
// is neither.
func Constant(p *packages.Package, e ast.Expr) string {
	tv := p.TypesInfo.Types[e]
	switch {
	case tv.IsNil():
		return "nil"
	case tv.Value == nil:
		return ""
	case tv.Value.Kind() == constant.String:
		return strconv.Quote(constant.StringVal(tv.Value))
	}
	return tv.Value.ExactString()
}

// fold writes white space as single spaces.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// valueOf is the constant that a source is, whatever its type; nil: it is none.
func valueOf(source string) constant.Value {
	e, err := parser.ParseExpr(source)
	if err != nil {
		return nil
	}
	return literal(e)
}

// literal is the value of a literal, which may stand in a conversion.
func literal(e ast.Expr) constant.Value {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.UnaryExpr:
		if v := literal(e.X); v != nil && e.Op == token.SUB && v.Kind() != constant.String {
			return constant.UnaryOp(token.SUB, v, 0)
		}
	case *ast.Ident:
		if e.Name == "true" || e.Name == "false" {
			return constant.MakeBool(e.Name == "true")
		}
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			return literal(e.Args[0])
		}
	}
	return nil
}

// same reports whether two constants are equal.
func same(a, b constant.Value) bool {
	if a == nil || b == nil {
		return false
	}
	numeric := func(v constant.Value) bool { return v.Kind() == constant.Int || v.Kind() == constant.Float }
	return (a.Kind() == b.Kind() || numeric(a) && numeric(b)) && constant.Compare(a, token.EQL, b)
}

// text is the source text of a file.
type text struct {
	fset *token.FileSet
	file *token.File
	src  []byte
}

func newText(p *packages.Package, f *ast.File) text {
	t := text{fset: p.Fset, file: p.Fset.File(f.FileStart)}
	t.src, _ = readSource(t.file.Name())
	return t
}

// of is the text of a node; empty where the file has changed since it was parsed.
func (t text) of(n ast.Node) string {
	if t.src == nil { // a file that only the analysis knows, which is formatted
		return t.printed(n)
	}
	from, to := t.offset(n.Pos()), t.offset(n.End())
	if from < 0 || to > len(t.src) || from > to {
		return ""
	}
	return string(t.src[from:to])
}

func (t text) printed(n ast.Node) string {
	var b strings.Builder
	if format.Node(&b, t.fset, n) != nil {
		return ""
	}
	return b.String()
}

func (t text) offset(p token.Pos) int { return t.file.Offset(p) }

func (t text) line(p token.Pos) int { return t.file.PositionFor(p, false).Line }

// isTestFile reports whether a file of a package is one of its tests.
func isTestFile(name string) bool { return strings.HasSuffix(filepath.Base(name), "_test.go") }
