package equivalence

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

// change is what a mutant does to a condition, or to a comparison in it.
type change struct {
	cond   ast.Expr        // the original condition
	within []*ssa.Function // functions that may hold it: the declared one and the literals in it
	flags  flags           // boolean variables whose values are known there

	always   bool           // if op is token.ILLEGAL: whether the mutant's condition always holds or never does
	op       token.Token    // the mutant's operator, if it has another one: of comparisons, or token.LAND or token.LOR
	constant constant.Value // the mutant's value of one operand; nil: the operands are the same
	left     bool           // that operand is the left one
}

// change returns what m does; an error if that is not a change to a condition.
func (p *Package) change(file *ast.File, m *mutate.Mutant) (*change, error) {
	if m.Hunk != nil {
		return p.withoutCheck(file, m)
	}
	if m.Form.Kind != mutate.Rewrites { // only Rewrites promises an expression in place of an expression
		return nil, errNoChange
	}
	tok := p.pkg.Fset.File(file.FileStart)
	start, end := tok.Pos(m.Offset), tok.Pos(m.EndOffset)
	path, ok := astutil.PathEnclosingInterval(file, start, end)
	if !ok {
		return nil, errNoChange
	}
	old, ok := path[0].(ast.Expr)
	if !ok || old.Pos() != start || old.End() != end {
		return nil, errNoChange
	}
	replaced, err := parser.ParseExpr(m.Replacement)
	if err != nil {
		return nil, err
	}
	c := &change{within: p.functions(path), flags: p.flagsAt(path)}
	if n, ok := ast.Unparen(replaced).(*ast.BinaryExpr); ok {
		if c.forces(p.pkg.Types, m, old, n) || p.compares(c, m, old, n) || c.swaps(m, old, n) {
			return c, nil
		}
	}
	if !p.changesConstant(c, path, m.Replacement) {
		return nil, errNoChange
	}
	return c, nil
}

// withoutCheck returns the change of a mutant that undoes part of the diff, if that only removes an if statement. The
// statement has no init and no else, and evaluating its condition has no effect. In the mutant, the condition never
// holds.
func (p *Package) withoutCheck(file *ast.File, m *mutate.Mutant) (*change, error) {
	tok := p.pkg.Fset.File(file.FileStart)
	start, end := tok.Pos(m.Offset), tok.Pos(m.EndOffset)
	var found *change
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || found != nil || n.End() <= start || n.Pos() >= end {
			return false
		}
		for _, statement := range statementsOf(n) {
			check, ok := statement.(*ast.IfStmt)
			if !ok || check.Pos() < start || check.End() > end || check.Init != nil || check.Else != nil || !p.quiet(check.Cond) {
				continue
			}
			without := m.Original[:check.Pos()-start] + m.Original[check.End()-start:]
			if len(m.Needs) == 0 && mutate.SameCode(without, m.Replacement) {
				path, _ := astutil.PathEnclosingInterval(file, check.Pos(), check.End())
				found = &change{cond: check.Cond, within: p.functions(path), flags: p.flagsAt(path)}
			}
		}
		return true
	})
	if found == nil {
		return nil, errNoChange
	}
	return found, nil
}

// statementsOf returns the list of statements that a node holds.
func statementsOf(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// quiet reports whether evaluating a condition has no effect and cannot panic.
func (p *Package) quiet(cond ast.Expr) bool {
	switch e := cond.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return p.quiet(e.X)
	case *ast.UnaryExpr:
		return e.Op == token.NOT && p.quiet(e.X)
	case *ast.BinaryExpr:
		logical := e.Op == token.LAND || e.Op == token.LOR
		return (logical || ordered(e.Op) && p.comparable(e)) && p.quiet(e.X) && p.quiet(e.Y)
	case *ast.CallExpr:
		name, ok := e.Fun.(*ast.Ident)
		return ok && p.pkg.TypesInfo.Uses[name] == types.Universe.Lookup("len") && p.quiet(e.Args[0])
	}
	return false
}

// comparable reports whether a comparison surely cannot panic: it is with nil, or of basic types.
func (p *Package) comparable(e *ast.BinaryExpr) bool {
	x, y := p.pkg.TypesInfo.Types[e.X], p.pkg.TypesInfo.Types[e.Y]
	basic := func(t types.Type) bool { _, ok := t.Underlying().(*types.Basic); return ok }
	return x.IsNil() || y.IsNil() || basic(x.Type) && basic(y.Type)
}

// functions returns the SSA form of the declared function that a path leads to, and of the literals in it. Outside of
// functions it takes those in the values of package variables.
func (p *Package) functions(path []ast.Node) []*ssa.Function {
	top := p.ssa.Func("init")
	for _, n := range path {
		if decl, ok := n.(*ast.FuncDecl); ok {
			obj, _ := p.pkg.TypesInfo.Defs[decl.Name].(*types.Func)
			if obj == nil {
				return nil
			}
			top = p.ssa.Prog.FuncValue(obj)
		}
	}
	if top == nil {
		return nil
	}
	list := []*ssa.Function{top}
	for i := 0; i < len(list); i++ {
		list = append(list, list[i].AnonFuncs...)
	}
	return list
}

// forces reports whether n is "old && false" or "old || true". It fills in c.
func (c *change) forces(pkg *types.Package, m *mutate.Mutant, old ast.Expr, n *ast.BinaryExpr) bool {
	value, ok := n.Y.(*ast.Ident)
	if !ok || part(m.Replacement, 1, n.X) != part(m.Original, old.Pos(), old) {
		return false
	}
	if _, obj := pkg.Scope().Innermost(old.Pos()).LookupParent(value.Name, old.Pos()); obj != types.Universe.Lookup(value.Name) {
		return false
	}
	c.cond, c.always = old, n.Op == token.LOR
	return n.Op == token.LOR && value.Name == "true" || n.Op == token.LAND && value.Name == "false"
}

// compares reports whether n is a comparison like old, of the same operands or with another constant on the right. It
// fills in c.
func (p *Package) compares(c *change, m *mutate.Mutant, old ast.Expr, n *ast.BinaryExpr) bool {
	o, ok := ast.Unparen(old).(*ast.BinaryExpr)
	if !ok || !ordered(o.Op) || !ordered(n.Op) || part(m.Original, old.Pos(), o.X) != part(m.Replacement, 1, n.X) {
		return false
	}
	c.cond, c.op = o, n.Op
	y := part(m.Replacement, 1, n.Y)
	if part(m.Original, old.Pos(), o.Y) == y {
		return true
	}
	c.constant = p.evaluate(o.Y, y)
	return c.constant != nil
}

// swaps reports whether n is old with "and" in the place of "or", or the other way round. It fills in c.
func (c *change) swaps(m *mutate.Mutant, old ast.Expr, n *ast.BinaryExpr) bool {
	o, ok := ast.Unparen(old).(*ast.BinaryExpr)
	if !ok || !(o.Op == token.LAND && n.Op == token.LOR || o.Op == token.LOR && n.Op == token.LAND) {
		return false
	}
	c.cond, c.op = o, n.Op
	return part(m.Original, old.Pos(), o.X) == part(m.Replacement, 1, n.X) && part(m.Original, old.Pos(), o.Y) == part(m.Replacement, 1, n.Y)
}

// part returns the text of an expression, without the parentheses around it. src begins at position begin.
func part(src string, begin token.Pos, e ast.Expr) string {
	e = ast.Unparen(e)
	return src[e.Pos()-begin : e.End()-begin]
}

// changesConstant looks for a comparison with a constant operand that path[0] is, or is part of, and fills in c. text
// takes the place of path[0].
func (p *Package) changesConstant(c *change, path []ast.Node, text string) bool {
	for i, n := range path[:len(path)-1] {
		e, ok := n.(ast.Expr)
		if !ok || p.pkg.TypesInfo.Types[e].Value == nil {
			return false
		}
		if i > 0 {
			text = p.with(n, path[i-1], text)
		}
		cmp, ok := path[i+1].(*ast.BinaryExpr)
		if !ok || !ordered(cmp.Op) {
			continue
		}
		value := p.evaluate(e, text)
		c.cond, c.op, c.constant, c.left = cmp, cmp.Op, value, cmp.X == e
		return value != nil
	}
	return false
}

// with returns the text of n with text in place of child. n must be parentheses or an operator around child.
func (p *Package) with(n, child ast.Node, text string) string {
	switch n := n.(type) {
	case *ast.ParenExpr:
		return "(" + text + ")"
	case *ast.UnaryExpr:
		if n.X == child {
			return n.Op.String() + "(" + text + ")"
		}
	}
	return "?" // not an expression, so that evaluate fails
}

// evaluate returns the value of text in place of the integer constant e; nil if either is not a constant, or the
// value does not fit the type of e.
func (p *Package) evaluate(e ast.Expr, text string) constant.Value {
	t := p.pkg.TypesInfo.Types[e]
	v, err := types.Eval(p.pkg.Fset, p.pkg.Types, e.Pos(), text)
	if err != nil || v.Value == nil || t.Value == nil || !integer(t.Type) {
		return nil
	}
	n := constant.ToInt(v.Value)
	if n.Kind() != constant.Int || !only(n).within(p.full(t.Type)) {
		return nil
	}
	return n
}
