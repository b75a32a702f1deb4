package equivalence

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// indifferent reports whether it does not matter which branch is taken after the comparison, if its operands compare
// in one of the given ways. There must be at least one. Both branches must lead, without any effect or panic, to the
// same block with the same values, or return the same results. Facts found on the branches themselves are not used:
// they hold in runs of the original, which take only one of the two.
func (c *comparison) indifferent(ways signs) bool {
	block := c.instr.Block()
	branch, ok := block.Instrs[len(block.Instrs)-1].(*ssa.If)
	if len(*c.instr.Referrers()) == 0 {
		return true // nothing depends on the comparison
	}
	if !ok || branch.Cond != c.instr || len(*c.instr.Referrers()) != 1 || ways == 0 || block.Succs[0] == block.Succs[1] {
		return false
	}
	for _, way := range []signs{below, equal, above} {
		if ways&way == 0 {
			continue
		}
		a, b := c.path(way), c.path(way)
		if a == nil || b == nil {
			return false
		}
		a.run(block, block.Succs[0], nil)
		if !b.run(block, block.Succs[1], a) {
			return false
		}
	}
	return true
}

// path is the way of a run after a comparison, as far as it is known. It enters no block twice, and none that
// dominates the comparison. So a register used on the path has one value: that from before the path, or that which
// the path computes.
type path struct {
	*ranges
	known   []fact
	start   *ssa.BasicBlock
	same    map[ssa.Value]ssa.Value // registers that equal another, or a constant
	values  map[ssa.Value]interval  // integers
	lengths map[ssa.Value]ssa.Value // registers with the length of a string or slice
	entered map[*ssa.BasicBlock][]outcome
	results []outcome // what it returns; nil: it was not followed to a return
}

// outcome is a value at the end of a path.
type outcome struct {
	v      ssa.Value
	values interval // of integers
}

// path returns the path on which the operands compare in the given way; nil if they never do.
func (c *comparison) path(way signs) *path {
	p := &path{
		ranges: c.ranges, known: c.facts(c.instr.Block()), start: c.instr.Block(), same: map[ssa.Value]ssa.Value{},
		values: map[ssa.Value]interval{}, lengths: map[ssa.Value]ssa.Value{}, entered: map[*ssa.BasicBlock][]outcome{},
	}
	x, y := c.instr.X, c.instr.Y
	for _, v := range []ssa.Value{x, y} {
		if t := termOf(v); t.length && p.lengths[t.v] == nil {
			p.lengths[t.v] = v
		}
	}
	if integer(x.Type()) {
		op := map[signs]token.Token{below: token.LSS, equal: token.EQL, above: token.GTR}[way]
		xs, ys := p.at(x, p.known), p.at(y, p.known)
		p.values[x], p.values[y] = xs.where(op, ys), ys.where(mirrored(op), xs)
		if p.values[x].empty() {
			return nil
		}
	}
	x, y = p.resolve(x), p.resolve(y)
	if _, ok := x.(*ssa.Const); ok {
		x, y = y, x
	}
	if way == equal && x != y {
		p.same[x] = y
	}
	return p
}

// run follows the path from a block to the next and on. If other is not nil, it reports whether both paths come to
// the same.
func (p *path) run(from, to *ssa.BasicBlock, other *path) bool {
	for {
		if p.entered[to] != nil {
			return false
		}
		p.enter(from, to)
		if other != nil && other.entered[to] != nil {
			return alike(p.entered[to], other.entered[to])
		}
		if to.Dominates(p.start) {
			return false
		}
		for _, instr := range to.Instrs[:len(to.Instrs)-1] {
			if !p.step(instr) {
				return false
			}
		}
		switch last := to.Instrs[len(to.Instrs)-1].(type) {
		case *ssa.Jump:
			from, to = to, to.Succs[0]
		case *ssa.If:
			holds, ok := p.decide(last.Cond)
			if !ok || to.Succs[0] == to.Succs[1] {
				return false
			}
			next := to.Succs[1]
			if holds {
				next = to.Succs[0]
			}
			from, to = to, next
		case *ssa.Return:
			p.results = p.outcomes(last.Results)
			return other != nil && other.results != nil && alike(p.results, other.results)
		default:
			return false
		}
	}
}

// enter gives the phis of a block the values that they have when the run comes from another block.
func (p *path) enter(from, to *ssa.BasicBlock) {
	var phis, edges []ssa.Value
	for i, pred := range to.Preds {
		for _, instr := range to.Instrs {
			if phi, ok := instr.(*ssa.Phi); ok && pred == from {
				phis, edges = append(phis, phi), append(edges, phi.Edges[i])
			}
		}
	}
	list := p.outcomes(edges)
	p.entered[to] = list
	for i, phi := range phis {
		p.same[phi] = list[i].v
		if integer(phi.Type()) {
			p.values[phi] = list[i].values
		}
	}
}

func (p *path) outcomes(list []ssa.Value) []outcome {
	all := make([]outcome, len(list))
	for i, v := range list {
		all[i].v = p.resolve(v)
		if integer(v.Type()) {
			all[i].values = p.get(v)
		}
	}
	return all
}

// alike reports whether all values at the ends of two paths are the same.
func alike(a, b []outcome) bool {
	for i := range a {
		if !sameValue(a[i], b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}

func sameValue(a, b outcome) bool {
	if a.v == b.v {
		return true
	}
	if !types.Identical(a.v.Type(), b.v.Type()) {
		return false
	}
	x, one := a.values.single()
	y, other := b.values.single()
	if one && other {
		return constant.Compare(x, token.EQL, y)
	}
	c, isConst := a.v.(*ssa.Const)
	d, areConst := b.v.(*ssa.Const)
	if !isConst || !areConst || (c.Value == nil) != (d.Value == nil) {
		return false
	}
	return c.Value == nil || constant.Compare(c.Value, token.EQL, d.Value)
}

// resolve returns the value that v is known to equal, or v.
func (p *path) resolve(v ssa.Value) ssa.Value {
	for {
		next := p.same[v]
		if t := termOf(v); next == nil && t.length {
			next = p.lengths[p.resolve(t.v)]
		}
		if next == nil || next == v {
			return v
		}
		v = next
	}
}

// get returns the values of an integer. If the path has not computed it, it was computed before the path.
func (p *path) get(v ssa.Value) interval {
	v = p.resolve(v)
	if t := termOf(v); t.length {
		if c, ok := p.resolve(t.v).(*ssa.Const); ok {
			return only(constant.MakeInt64(int64(constantLength(c))))
		}
	}
	if i, ok := p.values[v]; ok {
		return i
	}
	return p.at(v, p.known)
}

// constantLength returns the length of a constant string, or of a nil slice.
func constantLength(c *ssa.Const) int {
	if c.Value == nil {
		return 0
	}
	return len(constant.StringVal(c.Value))
}

// step records the value of an instruction. It reports whether the instruction has no effect, cannot panic, and
// depends on registers only.
func (p *path) step(instr ssa.Instruction) bool {
	switch v := instr.(type) {
	case *ssa.Phi, *ssa.DebugRef:
		return true // phis have their values from enter
	case *ssa.BinOp:
		return p.computes(v)
	case *ssa.Slice:
		return p.wholeSlice(v)
	case *ssa.UnOp:
		if v.Op == token.MUL || v.Op == token.ARROW {
			return false
		}
	case *ssa.Call:
		switch builtin(v) {
		case "len", "cap", "min", "max":
		default:
			return false
		}
	case *ssa.Convert, *ssa.ChangeType, *ssa.Extract, *ssa.Field, *ssa.MakeInterface, *ssa.ChangeInterface:
	default:
		return false
	}
	if v := instr.(ssa.Value); integer(v.Type()) && p.resolve(v) == v {
		p.values[v] = p.result(v, p.get)
	}
	return true
}

// computes is step for operations with two operands.
func (p *path) computes(v *ssa.BinOp) bool {
	switch v.Op {
	case token.QUO, token.REM, token.SHL, token.SHR:
		return false
	}
	if ordered(v.Op) {
		_, basic := v.X.Type().Underlying().(*types.Basic)
		return basic || exact(v.X.Type()) || isNil(v.X) || isNil(v.Y)
	}
	if !integer(v.Type()) {
		return true
	}
	if p.get(v.Y).isZero() && (v.Op == token.ADD || v.Op == token.SUB || v.Op == token.OR || v.Op == token.XOR) {
		p.same[v] = p.resolve(v.X)
		return true
	}
	p.values[v] = p.result(v, p.get)
	return true
}

// wholeSlice is step for slice expressions. One that takes all of a string or slice cannot panic.
func (p *path) wholeSlice(v *ssa.Slice) bool {
	switch t := v.X.Type().Underlying().(type) {
	case *types.Slice:
	case *types.Basic: // a string
		if t.Info()&types.IsString == 0 {
			return false
		}
	default:
		return false
	}
	length := p.lengths[p.resolve(v.X)]
	fromStart := v.Low == nil || p.get(v.Low).isZero()
	toEnd := v.High == nil || length != nil && alike(p.outcomes([]ssa.Value{v.High}), p.outcomes([]ssa.Value{length}))
	if !fromStart || !toEnd || v.Max != nil {
		return false
	}
	p.same[v] = p.resolve(v.X)
	return true
}

// decide returns the value of a condition; ok says whether it is known.
func (p *path) decide(cond ssa.Value) (holds, ok bool) {
	cond = p.resolve(cond)
	if b, constantly := cond.(*ssa.Const); constantly {
		return constant.BoolVal(b.Value), true
	}
	c, isComparison := cond.(*ssa.BinOp)
	if !isComparison || !ordered(c.Op) || !exact(c.X.Type()) && !isNil(c.X) && !isNil(c.Y) {
		return false, false
	}
	ways := unknown
	switch {
	case integer(c.X.Type()):
		if ways = compare(p.get(c.X), p.get(c.Y)); p.resolve(c.X) == p.resolve(c.Y) {
			ways = equal
		}
	case sameValue(outcome{v: p.resolve(c.X)}, outcome{v: p.resolve(c.Y)}):
		ways = equal
	}
	if ways&^satisfying(c.Op) == 0 {
		return true, true
	}
	return false, ways&satisfying(c.Op) == 0
}
