// Package suggestion makes tests that kill a mutant, to suggest them to a maintainer. If a table-driven test makes the
// same call, it makes a row for the table in the form of the existing rows. Otherwise it makes a test function, and
// finds its place in a test file. What it makes is a guess from types and names: callers have to compile and run it
// before they show it.
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
	Package string // import path of the package that the call is in; that of an external test ends in "_test"
	Recv    Value  // of a method; the zero value: unknown, or none
	Args    []Value
	Results []Result
}

// Value is an operand of a call.
type Value struct {
	Source string // Go expression that qualifies names with package names; empty: the value has no such form
	Name   string // of a constant with the value, qualified likewise; empty: none is known
	Text   string // source text in the call, with white space folded
}

// Result is a result of a call.
type Result struct {
	Source  string // as that of a Value
	Name    string // likewise
	Error   string // text of the error; empty: the result is nil or no error
	Differs bool   // the mutant returns something else
}

// Fails reports whether the call returns an error with a text.
func (c *Call) Fails() bool { return c.failure() != "" }

// failure returns the text of the error that the call returns; empty: none, or one without a text.
func (c *Call) failure() string {
	for _, r := range c.Results {
		if r.Error != "" {
			return r.Error
		}
	}
	return ""
}

// CallAt returns the call that begins in a line of a file and whose text, with white space folded, is source; nil:
// there is none. p is the first package of pkgs that has it.
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

// DeclaredAt returns the function whose declaration begins in a line of a file; nil: there is none.
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

// Callee returns the function or method that a call in package p calls; nil: that is not known.
func Callee(p *packages.Package, call *ast.CallExpr) *types.Func {
	f, _ := typeutil.Callee(p.TypesInfo, call).(*types.Func)
	return f
}

// Constant returns the value of an argument that is a constant or nil, as Go source; empty: it is neither.
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

// fold replaces each run of white space by a space, and trims s.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// valueOf returns the value of a literal, as literal does, from its source; nil: source is none.
func valueOf(source string) constant.Value {
	e, err := parser.ParseExpr(source)
	if err != nil {
		return nil
	}
	return literal(e)
}

// literal returns the value of a literal, which may be negative or stand in a conversion; nil: e is none.
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

// same reports whether two constants are known and equal.
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

// of returns the source text of a node; empty if the file has become too short for it since it was parsed.
func (t text) of(n ast.Node) string {
	if t.src == nil { // not on disk: the analysis has generated it
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

// isTestFile reports whether a file has the name of a test file.
func isTestFile(name string) bool { return strings.HasSuffix(filepath.Base(name), "_test.go") }
