package equivalence

import (
	"go/constant"
	"go/token"
	"math/rand/v2"
	"testing"
)

// The interval of the results has to hold every result of two numbers from the intervals of the operands. With small
// types all pairs can be tried, and nearly everything overflows.
func TestResultsOfArithmeticAreInItsInterval(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		signed(t, random)
		unsigned(t, random)
	}
}

var operations = []token.Token{
	token.ADD, token.SUB, token.MUL, token.QUO, token.REM, token.AND, token.OR, token.XOR, token.AND_NOT, token.SHL, token.SHR,
}

func signed(t *testing.T, random *rand.Rand) {
	ax, bx := ends(random, -128, 127)
	ay, by := ends(random, -128, 127)
	for _, op := range operations {
		got := arithmetic(op, span(ax, bx), span(ay, by), span(-128, 127))
		for x := ax; x <= bx; x++ {
			for y := ay; y <= by; y++ {
				if v, ok := compute(op, int8(x), int8(y), y); ok && !only(constant.MakeInt64(int64(v))).within(got) {
					t.Fatalf("%d %s %d is %d, and not in %v", x, op, y, v, got)
				}
			}
		}
	}
}

func unsigned(t *testing.T, random *rand.Rand) {
	ax, bx := ends(random, 0, 255)
	ay, by := ends(random, 0, 255)
	for _, op := range operations {
		got := arithmetic(op, span(ax, bx), span(ay, by), span(0, 255))
		for x := ax; x <= bx; x++ {
			for y := ay; y <= by; y++ {
				if v, ok := compute(op, uint8(x), uint8(y), y); ok && !only(constant.MakeInt64(int64(v))).within(got) {
					t.Fatalf("%d %s %d is %d, and not in %v", x, op, y, v, got)
				}
			}
		}
	}
}

// ends returns the bounds of a random interval, which is short or reaches a bound of the type.
func ends(random *rand.Rand, least, most int64) (lo, hi int64) {
	lo = least + random.Int64N(most-least+1)
	switch random.IntN(8) {
	case 0:
		lo = least
	case 1:
		return most - random.Int64N(4), most
	case 2:
		return lo, most
	}
	return lo, min(most, lo+random.Int64N(6))
}

// compute returns the result of "x op y" in Go, where a shift is by shift. ok is false if the operation panics.
func compute[T int8 | uint8](op token.Token, x, y T, shift int64) (v T, ok bool) {
	switch op {
	case token.ADD:
		return x + y, true
	case token.SUB:
		return x - y, true
	case token.MUL:
		return x * y, true
	case token.QUO:
		if y != 0 {
			return x / y, true
		}
	case token.REM:
		if y != 0 {
			return x % y, true
		}
	case token.AND:
		return x & y, true
	case token.OR:
		return x | y, true
	case token.XOR:
		return x ^ y, true
	case token.AND_NOT:
		return x &^ y, true
	case token.SHL:
		if shift >= 0 {
			return x << shift, true
		}
	case token.SHR:
		if shift >= 0 {
			return x >> shift, true
		}
	}
	return 0, false
}

func TestComparisonsOfIntervalsKnowThoseOfTheirNumbers(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		ax, bx := ends(random, -9, 9)
		ay, by := ends(random, -9, 9)
		x, y := span(ax, bx), span(ay, by)
		for i := ax; i <= bx; i++ {
			for j := ay; j <= by; j++ {
				way := compare(span(i, i), span(j, j))
				if compare(x, y)&way == 0 {
					t.Fatalf("%d and %d compare as %v and %v never do", i, j, x, y)
				}
				for _, op := range []token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ} {
					holds := constant.Compare(constant.MakeInt64(i), op, constant.MakeInt64(j))
					mirror := compare(span(j, j), span(i, i))
					if holds != (way&satisfying(op) != 0) || holds == (way&satisfying(negated(op)) != 0) || holds != (mirror&satisfying(mirrored(op)) != 0) {
						t.Fatalf("%d %s %d: %t", i, op, j, holds)
					}
					if holds && !span(i, i).within(x.where(op, y)) {
						t.Fatalf("%d %s %d, but %d is not in %v", i, op, j, i, x.where(op, y))
					}
				}
			}
		}
	}
}
