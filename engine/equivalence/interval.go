package equivalence

import (
	"go/constant"
	"go/token"
)

// interval is a range of integers, both ends included. The zero value is empty: no run gets to where it holds.
type interval struct{ lo, hi constant.Value }

// between returns the interval from lo to hi, empty if hi is less.
func between(lo, hi constant.Value) interval {
	if less(hi, lo) {
		return interval{}
	}
	return interval{lo, hi}
}

func span(lo, hi int64) interval { return between(constant.MakeInt64(lo), constant.MakeInt64(hi)) }

func only(v constant.Value) interval { return interval{v, v} }

func (i interval) empty() bool { return i.lo == nil }

// single returns the only value of the interval; it is not ok if there are several or none.
func (i interval) single() (constant.Value, bool) {
	return i.lo, !i.empty() && constant.Compare(i.lo, token.EQL, i.hi)
}

// isZero reports whether 0 is the only value.
func (i interval) isZero() bool {
	v, ok := i.single()
	return ok && constant.Sign(v) == 0
}

// negative reports whether a value may be negative.
func (i interval) negative() bool { return !i.empty() && constant.Sign(i.lo) < 0 }

func (i interval) within(o interval) bool {
	return i.empty() || !o.empty() && !less(i.lo, o.lo) && !less(o.hi, i.hi)
}

// join returns the least interval that contains both.
func (i interval) join(o interval) interval {
	switch {
	case i.empty():
		return o
	case o.empty():
		return i
	}
	return interval{smaller(i.lo, o.lo), larger(i.hi, o.hi)}
}

func (i interval) meet(o interval) interval {
	if i.empty() || o.empty() {
		return interval{}
	}
	return between(larger(i.lo, o.lo), smaller(i.hi, o.hi))
}

// where returns the values of i for which "value op a value of o" may hold.
func (i interval) where(op token.Token, o interval) interval {
	if i.empty() || o.empty() {
		return interval{}
	}
	switch op {
	case token.LSS:
		return between(i.lo, smaller(i.hi, minus(o.hi, one)))
	case token.LEQ:
		return between(i.lo, smaller(i.hi, o.hi))
	case token.GTR:
		return between(larger(i.lo, plus(o.lo, one)), i.hi)
	case token.GEQ:
		return between(larger(i.lo, o.lo), i.hi)
	case token.EQL:
		return i.meet(o)
	case token.NEQ:
		return i.without(o)
	}
	return i
}

// without removes the only value of o from an end of i. If o has several values, or its value is inside i, i stays as
// it is.
func (i interval) without(o interval) interval {
	v, ok := o.single()
	if !ok {
		return i
	}
	lo, hi := i.lo, i.hi
	if constant.Compare(lo, token.EQL, v) {
		lo = plus(lo, one)
	}
	if constant.Compare(hi, token.EQL, v) {
		hi = minus(hi, one)
	}
	return between(lo, hi)
}

// arithmetic returns the values of "x op y" in a type whose values are all. It returns all if the result may
// overflow.
func arithmetic(op token.Token, x, y, all interval) interval {
	if x.empty() || y.empty() {
		return interval{}
	}
	r := all
	switch op {
	case token.ADD:
		r = interval{plus(x.lo, y.lo), plus(x.hi, y.hi)}
	case token.SUB:
		r = interval{minus(x.lo, y.hi), minus(x.hi, y.lo)}
	case token.MUL:
		r = corners(x, token.MUL, y)
	case token.QUO:
		if constant.Sign(y.lo) > 0 {
			r = corners(x, token.QUO_ASSIGN, y) // integer division
		}
	case token.REM:
		r = remainder(x, y, all)
	case token.AND, token.OR, token.XOR, token.AND_NOT:
		r = bitwise(op, x, y, all)
	case token.SHL:
		if n, ok := y.single(); ok && y.within(span(0, maxBits)) {
			r = interval{shift(x.lo, token.SHL, n), shift(x.hi, token.SHL, n)}
		}
	case token.SHR:
		most := constant.MakeInt64(maxBits)
		r = corners(x, op, interval{larger(zero, smaller(y.lo, most)), larger(zero, smaller(y.hi, most))})
	}
	if !r.within(all) {
		return all
	}
	return r
}

// maxBits is the largest size of an integer in bits. Shifted right by that or more, any integer is 0 or -1.
const maxBits = 64

// corners returns the least interval with the results at the ends of x and y. These bound an operation that is
// monotonic in each operand.
func corners(x interval, op token.Token, y interval) (r interval) {
	for _, a := range []constant.Value{x.lo, x.hi} {
		for _, b := range []constant.Value{y.lo, y.hi} {
			if op == token.SHR {
				r = r.join(only(shift(a, op, b)))
			} else {
				r = r.join(only(constant.BinaryOp(a, op, b)))
			}
		}
	}
	return r
}

// remainder returns the values of x % y, which has the sign of x and is nearer to 0 than y.
func remainder(x, y, all interval) interval {
	most := minus(larger(minus(zero, y.lo), y.hi), one)
	switch {
	case constant.Sign(most) < 0: // only by 0, which panics
		return all
	case x.negative():
		return interval{minus(zero, most), most}
	}
	return interval{zero, smaller(x.hi, most)}
}

// bitwise returns the values of a bitwise operation. It knows little of operands that may be negative.
func bitwise(op token.Token, x, y, all interval) interval {
	switch {
	case op == token.AND && !x.negative() && !y.negative():
		return interval{zero, smaller(x.hi, y.hi)}
	case op == token.AND && !y.negative():
		return interval{zero, y.hi}
	case (op == token.AND || op == token.AND_NOT) && !x.negative():
		return interval{zero, x.hi}
	case (op == token.OR || op == token.XOR) && !x.negative() && !y.negative():
		bits := constant.BitLen(larger(x.hi, y.hi))
		return interval{zero, minus(constant.Shift(one, token.SHL, uint(bits)), one)}
	}
	return all
}

var (
	zero = constant.MakeInt64(0)
	one  = constant.MakeInt64(1)
)

func less(a, b constant.Value) bool             { return constant.Compare(a, token.LSS, b) }
func plus(a, b constant.Value) constant.Value   { return constant.BinaryOp(a, token.ADD, b) }
func minus(a, b constant.Value) constant.Value  { return constant.BinaryOp(a, token.SUB, b) }
func larger(a, b constant.Value) constant.Value { return pick(less(a, b), b, a) }

func smaller(a, b constant.Value) constant.Value { return pick(less(a, b), a, b) }

func pick(first bool, a, b constant.Value) constant.Value {
	if first {
		return a
	}
	return b
}

// shift shifts a by n, which is at most maxBits.
func shift(a constant.Value, op token.Token, n constant.Value) constant.Value {
	bits, _ := constant.Uint64Val(n)
	return constant.Shift(a, op, uint(bits))
}

// signs is a set of ways in which two values may compare: a combination of below, equal and above.
type signs int

// Values of signs.
const (
	below signs = 1 << iota // the first is less
	equal
	above
	unknown = below | equal | above
)

// compare returns how values of x and y may compare; unknown if one of them is empty.
func compare(x, y interval) (s signs) {
	if x.empty() || y.empty() {
		return unknown
	}
	if less(x.lo, y.hi) {
		s |= below
	}
	if !x.meet(y).empty() {
		s |= equal
	}
	if less(y.lo, x.hi) {
		s |= above
	}
	return s
}

// satisfying returns the ways of comparing in which "x op y" holds.
func satisfying(op token.Token) signs {
	switch op {
	case token.LSS:
		return below
	case token.LEQ:
		return below | equal
	case token.GTR:
		return above
	case token.GEQ:
		return above | equal
	case token.EQL:
		return equal
	default: // token.NEQ
		return below | above
	}
}
