package equivalence

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// comparison is a comparison in the source, with its SSA instruction.
type comparison struct {
	*ranges
	syntax *ast.BinaryExpr
	instr  *ssa.BinOp
	signs  signs // ways in which its operands may compare
}

// comparison finds the instruction of n in one of the functions. It returns nil if there is none or more than one, or
// if nothing can be said of the operands, such as floating-point numbers.
func (p *Package) comparison(n *ast.BinaryExpr, within []*ssa.Function) *comparison {
	if !ordered(n.Op) {
		return nil
	}
	var found []*ssa.BinOp
	for _, fn := range within {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if c, ok := instr.(*ssa.BinOp); ok && c.Pos() == n.OpPos && c.Op == n.Op {
					found = append(found, c)
				}
			}
		}
	}
	if len(found) != 1 || !isNil(found[0].X) && !isNil(found[0].Y) && !exact(found[0].X.Type()) {
		return nil
	}
	r := p.rangesOf(found[0].Parent())
	if r == nil {
		return nil
	}
	c := &comparison{ranges: r, syntax: n, instr: found[0]}
	c.signs = r.compare(c.instr.X, c.instr.Y, r.facts(c.instr.Block()))
	return c
}

// exact reports whether values of t are equal if and only if they are identical. Floating-point numbers are not
// exact: 0 equals -0, and NaN does not equal itself.
func exact(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Info()&(types.IsInteger|types.IsString|types.IsBoolean) != 0
	case *types.Pointer, *types.Chan:
		return true
	}
	return false
}

// isNil reports whether v is the constant nil.
func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// compare returns how x and y may compare where facts hold. Values that differ but have no order are both below and
// above.
func (r *ranges) compare(x, y ssa.Value, facts []fact) signs {
	switch {
	case isNil(y):
		return r.nilness(x, facts)
	case isNil(x):
		return r.nilness(y, facts)
	case !integer(x.Type()):
		return unknown
	}
	s := compare(r.at(x, facts), r.at(y, facts))
	for _, f := range facts {
		switch {
		case same(f.x, x) && same(f.y, y):
			s &= satisfying(f.op)
		case same(f.y, x) && same(f.x, y):
			s &= satisfying(mirrored(f.op))
		}
	}
	if s&above != 0 && r.atMost(x, y, facts) {
		s &^= above
	}
	if s&below != 0 && r.atMost(y, x, facts) {
		s &^= below
	}
	if s == 0 {
		return unknown
	}
	return s
}

// withConstant returns the reason for a comparison with another constant. Both comparisons must agree on the first
// and the last value, and on the values around the two constants: in between, neither changes its outcome.
func (c *comparison) withConstant(changed *change) string {
	x, old, op, now := c.instr.X, c.instr.Y, c.syntax.Op, changed.op
	if changed.left {
		x, old, op, now = old, x, mirrored(op), mirrored(now)
	}
	if !integer(x.Type()) {
		return ""
	}
	values := c.at(x, c.facts(c.instr.Block()))
	before, ok := c.base(old).single()
	if !ok || values.empty() {
		return ""
	}
	points := []constant.Value{values.lo, values.hi}
	for _, v := range []constant.Value{before, changed.constant} {
		points = append(points, minus(v, one), v, plus(v, one))
	}
	for _, v := range points {
		v = larger(values.lo, smaller(values.hi, v))
		if constant.Compare(v, op, before) != constant.Compare(v, now, changed.constant) {
			return ""
		}
	}
	shown := c.syntax.X
	if changed.left {
		shown = c.syntax.Y
	}
	return fmt.Sprintf("`%s` is between %s and %s here, so both conditions are always the same", text(shown), values.lo, values.hi)
}

// why returns in words how the operands compare.
func (c *comparison) why() string {
	x, y := text(c.syntax.X), text(c.syntax.Y)
	if isNil(c.instr.X) || isNil(c.instr.Y) {
		return c.whyNil()
	}
	if name, lowest := c.documented(); name != "" {
		return fmt.Sprintf("%s never returns less than %s", name, lowest)
	}
	where := " here"
	if termOf(c.instr.X).length {
		where = ""
	}
	if c.signs == equal|above && c.base(c.instr.Y).isZero() {
		return fmt.Sprintf("`%s` is never negative%s", x, where)
	}
	says := map[signs]string{
		below: "always less than", equal: "always", above: "always greater than",
		equal | above: "never less than", below | above: "never", below | equal: "never greater than",
	}
	return fmt.Sprintf("`%s` is %s `%s` here", x, says[c.signs], y)
}

// documented returns the function whose result is the left operand, if its documentation rules out that it is below
// the right one, and its least result. The name is "" if there is none.
func (c *comparison) documented() (name string, lowest constant.Value) {
	call, ok := c.instr.X.(*ssa.Call)
	if !ok {
		return "", nil
	}
	name = callee(call)
	known, ok := documented[name]
	if !ok || compare(known, c.base(c.instr.Y))&below != 0 {
		return "", nil
	}
	return name, known.lo
}

// whyNil returns in words that an operand is, or is not, nil.
func (c *comparison) whyNil() string {
	v, shown := c.instr.X, c.syntax.X
	if isNil(v) {
		v, shown = c.instr.Y, c.syntax.Y
	}
	switch {
	case c.signs != equal:
		return fmt.Sprintf("`%s` is never nil here", text(shown))
	case !c.alwaysNil(v, map[ssa.Value]bool{}):
		return fmt.Sprintf("`%s` is always nil here", text(shown))
	}
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	call, ok := v.(*ssa.Call)
	switch {
	case ok && call.Call.IsInvoke():
		return "a hash.Hash never returns an error"
	case ok && call.Call.StaticCallee() != nil:
		return fmt.Sprintf("%s always returns nil for `%s`", call.Call.StaticCallee().RelString(c.ssa.Pkg), text(shown))
	}
	return fmt.Sprintf("`%s` is always nil here", text(shown))
}

// text returns the source of an expression, for people.
func text(e ast.Expr) string { return types.ExprString(e) }

// proof is a proof that values are never greater than a limit.
type proof struct {
	*ranges
	limit   ssa.Value
	assumed map[*ssa.Phi]bool // induction hypotheses: phis of loops taken to be at most limit
}

// atMost reports whether x is proved never to be greater than y where facts hold. Either facts say so, or x starts at
// most at y and grows by one only where it is less.
func (r *ranges) atMost(x, y ssa.Value, facts []fact) bool {
	p := proof{r, y, map[*ssa.Phi]bool{}}
	return p.holds(x, facts)
}

func (p *proof) holds(x ssa.Value, facts []fact) bool {
	if termOf(x) == termOf(p.limit) || compare(p.at(x, facts), p.at(p.limit, facts))&above == 0 || p.says(x, token.LEQ, facts) {
		return true
	}
	switch x := x.(type) {
	case *ssa.BinOp:
		n, ok := p.base(x.Y).single()
		switch {
		case !ok:
		case x.Op == token.ADD && constant.Compare(n, token.EQL, one):
			return p.says(x.X, token.LSS, facts) || p.says(x.X, token.NEQ, facts) && p.holds(x.X, facts)
		case x.Op == token.SUB && constant.Sign(n) >= 0:
			from := p.at(x.X, facts)
			return !from.empty() && !less(minus(from.lo, n), p.full(x.Type()).lo) && p.holds(x.X, facts)
		}
	case *ssa.Phi:
		return p.loops(x)
	}
	return false
}

// says reports whether one of facts implies "x op limit".
func (p *proof) says(x ssa.Value, op token.Token, facts []fact) bool {
	stronger := map[token.Token][]token.Token{
		token.LEQ: {token.LEQ, token.LSS, token.EQL}, token.LSS: {token.LSS}, token.NEQ: {token.NEQ},
	}
	for _, f := range facts {
		for _, said := range stronger[op] {
			if f.op == said && termOf(f.x) == termOf(x) && termOf(f.y) == termOf(p.limit) ||
				mirrored(f.op) == said && termOf(f.y) == termOf(x) && termOf(f.x) == termOf(p.limit) {
				return true
			}
		}
	}
	return false
}

// loops reports whether every value that enters phi is at most the limit. The limit must stay the same while the loop
// runs.
func (p *proof) loops(phi *ssa.Phi) bool {
	if p.assumed[phi] {
		return true
	}
	if limit, ok := termOf(p.limit).v.(ssa.Instruction); ok {
		if limit.Block() == phi.Block() || !limit.Block().Dominates(phi.Block()) {
			return false
		}
	}
	p.assumed[phi] = true
	for i, pred := range phi.Block().Preds {
		if !p.holds(phi.Edges[i], p.edge(pred, phi.Block())) {
			delete(p.assumed, phi)
			return false
		}
	}
	return true
}
