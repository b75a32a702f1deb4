package equivalence

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// ranges holds the values that the integers of a function may have (Cousot, Cousot: Abstract Interpretation, POPL
// 1977). Each register has one interval. Where it is used, the conditions that hold there narrow it.
type ranges struct {
	*Package
	of    map[ssa.Value]interval // of registers that instructions set; nil: nothing was found out
	known map[*ssa.BasicBlock][]fact
}

// fact is a comparison of integers, or with nil, that holds.
type fact struct {
	x  ssa.Value
	op token.Token
	y  ssa.Value
}

// Rounds of the search for ranges. After widenAfter rounds, a bound that still moves is widened. The narrowing rounds
// then undo what was widened too far. If a function needs more than maxRounds, nothing is said of its integers.
const (
	widenAfter = 3
	narrowing  = 2
	maxRounds  = 100
)

// rangesOf returns the ranges of fn; nil while they are being computed.
func (p *Package) rangesOf(fn *ssa.Function) *ranges {
	if r, ok := p.ranges[fn]; ok {
		return r
	}
	p.ranges[fn] = nil
	if len(fn.Blocks) > maxBlocks {
		return nil
	}
	r := &ranges{Package: p, of: map[ssa.Value]interval{}, known: map[*ssa.BasicBlock][]fact{}}
	var values []ssa.Value
	for _, b := range fn.DomPreorder() { // operands come first, except those of phis
		for _, instr := range b.Instrs {
			if v, ok := instr.(ssa.Value); ok && integer(v.Type()) {
				values = append(values, v)
				r.of[v] = interval{}
			}
		}
	}
	if !r.grow(values) || !r.shrink(values) {
		r.of = nil
	}
	p.ranges[fn] = r
	return r
}

// maxBlocks bounds the functions that are analysed: each block keeps the conditions that lead to it.
const maxBlocks = 2000

// grow widens the intervals until each contains all that follows from the others. It reports whether that ended.
func (r *ranges) grow(values []ssa.Value) bool {
	for round := range maxRounds {
		changed := false
		for _, v := range values {
			old, found := r.of[v], r.transfer(v)
			if found.within(old) {
				continue
			}
			found = found.join(old)
			if _, phi := v.(*ssa.Phi); phi && round >= widenAfter {
				found = widen(old, found, r.full(v.Type()))
			}
			r.of[v], changed = found, true
		}
		if !changed {
			return true
		}
	}
	return false
}

// widen moves a bound that has changed to the end of the type's range, but first only to the value next to it: a loop
// that counts to a bound of its type does not get further.
func widen(old, found, all interval) interval {
	if old.empty() {
		return found
	}
	if inner := plus(all.lo, one); less(found.lo, old.lo) {
		found.lo = pick(less(inner, old.lo) && !less(found.lo, inner), inner, all.lo)
	}
	if inner := minus(all.hi, one); less(old.hi, found.hi) {
		found.hi = pick(less(old.hi, inner) && !less(inner, found.hi), inner, all.hi)
	}
	return found
}

// shrink undoes what widening did too far. It reports whether each interval still contains all that follows from the
// others.
func (r *ranges) shrink(values []ssa.Value) bool {
	for range narrowing {
		for _, v := range values {
			r.of[v] = r.transfer(v)
		}
	}
	for _, v := range values {
		if !r.transfer(v).within(r.of[v]) {
			return false
		}
	}
	return true
}

// transfer returns the values of an instruction, computed from those of its operands.
func (r *ranges) transfer(v ssa.Value) (found interval) {
	block := v.(ssa.Instruction).Block()
	if phi, ok := v.(*ssa.Phi); ok {
		for i, pred := range block.Preds {
			found = found.join(r.at(phi.Edges[i], r.edge(pred, block)))
		}
		return found
	}
	facts := r.facts(block)
	return r.result(v, func(x ssa.Value) interval { return r.at(x, facts) })
}

// at returns the values that v, an integer, may have where facts hold.
func (r *ranges) at(v ssa.Value, facts []fact) interval {
	i, t := r.base(v), termOf(v)
	if size, ok := filled(v, facts); ok {
		i = i.meet(only(size))
	}
	for _, f := range facts {
		if !integer(f.x.Type()) {
			continue
		}
		if termOf(f.x) == t {
			i = i.where(f.op, r.base(f.y))
		}
		if termOf(f.y) == t {
			i = i.where(mirrored(f.op), r.base(f.x))
		}
	}
	return i
}

// base returns the values that v may have anywhere.
func (r *ranges) base(v ssa.Value) interval {
	if c, ok := v.(*ssa.Const); ok && c.Value != nil {
		if n := constant.ToInt(c.Value); n.Kind() == constant.Int {
			return only(n)
		}
	}
	if i, ok := r.of[v]; ok {
		return i
	}
	return r.full(v.Type())
}

// full returns all values of an integer type, with the sizes of the build.
func (p *Package) full(t types.Type) interval {
	b, _ := t.Underlying().(*types.Basic)
	if i, ok := p.all[b.Kind()]; ok {
		return i
	}
	bits := uint(8 * p.pkg.TypesSizes.Sizeof(b))
	i := interval{zero, minus(constant.Shift(one, token.SHL, bits), one)}
	if b.Info()&types.IsUnsigned == 0 {
		half := constant.Shift(one, token.SHL, bits-1)
		i = interval{minus(zero, half), minus(half, one)}
	}
	p.all[b.Kind()] = i
	return i
}

// integer reports whether values of t are integers.
func integer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && b.Info()&types.IsUntyped == 0
}

// facts returns the conditions that hold in b: those of the branches that lead to it.
func (r *ranges) facts(b *ssa.BasicBlock) []fact {
	if known, ok := r.known[b]; ok {
		return known
	}
	r.known[b] = nil
	var known []fact
	switch {
	case len(b.Preds) == 1:
		known = r.edge(b.Preds[0], b)
	case b.Idom() != nil:
		known = r.facts(b.Idom())
	}
	r.known[b] = known
	return known
}

// edge returns the facts that hold on the way from a block to the next. They also hold in blocks that the next one
// dominates: a run must pass the condition again before it can compute an operand anew.
func (r *ranges) edge(from, to *ssa.BasicBlock) []fact {
	known := r.facts(from)
	branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] == from.Succs[1] {
		return known
	}
	c, ok := branch.Cond.(*ssa.BinOp)
	if !ok || !ordered(c.Op) || !integer(c.X.Type()) && !isNil(c.X) && !isNil(c.Y) {
		return known
	}
	f := fact{c.X, c.Op, c.Y}
	if to == from.Succs[1] {
		f.op = negated(c.Op)
	}
	return append(known[:len(known):len(known)], f)
}

func ordered(op token.Token) bool {
	switch op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
		return true
	}
	return false
}

// negated returns the comparison that holds exactly where op does not.
func negated(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GEQ
	case token.LEQ:
		return token.GTR
	case token.GTR:
		return token.LEQ
	case token.GEQ:
		return token.LSS
	case token.EQL:
		return token.NEQ
	default: // token.NEQ
		return token.EQL
	}
}

// mirrored returns the comparison that holds if the operands are swapped.
func mirrored(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.LEQ:
		return token.GEQ
	case token.GTR:
		return token.LSS
	case token.GEQ:
		return token.LEQ
	}
	return op
}

// term is a register, or the length of the string or slice in one. That length is the same as long as the register's
// value is.
type term struct {
	v      ssa.Value
	length bool
}

func termOf(v ssa.Value) term {
	call, ok := v.(*ssa.Call)
	if !ok || builtin(call) != "len" {
		return term{v: firstLoad(v)}
	}
	switch t := call.Call.Args[0].Type().Underlying().(type) {
	case *types.Slice:
		return term{firstLoad(call.Call.Args[0]), true}
	case *types.Basic: // a string
		return term{firstLoad(call.Call.Args[0]), t.Info()&types.IsString != 0}
	}
	return term{v: v}
}

// same reports whether two values are the same: one term, or equal integer constants.
func same(x, y ssa.Value) bool {
	c, isConst := x.(*ssa.Const)
	d, areConst := y.(*ssa.Const)
	if isConst && areConst {
		return c.Value != nil && d.Value != nil && integer(c.Type()) && integer(d.Type()) && constant.Compare(c.Value, token.EQL, d.Value)
	}
	return termOf(x) == termOf(y)
}

// builtin returns the name of the predeclared function that is called; "" if it is another function.
func builtin(call *ssa.Call) string {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		return b.Name()
	}
	return ""
}
