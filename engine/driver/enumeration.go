package driver

import (
	"fmt"
	"go/constant"
	"go/types"
	"math"
)

// leastConstants is the number of constants from which on a type counts as an enumeration.
const leastConstants = 3

// enumerated is an expression for a value of an enumeration, out of one of its underlying type: the same, if the
// enumeration has it. No caller makes others, and what a function does with them interests nobody. Other types are left
// as they are.
func (m *maker) enumerated(typ types.Type, expr string) string {
	least, most, ok := rangeOf(typ)
	if !ok {
		return expr
	}
	return fmt.Sprintf("(*%s)(nil).within(int64(%s), %d, %d)", m.writer.input, expr, least, most)
}

// rangeOf are the bounds of the constants of a type in its package, if it is one of integers that has a few, one after
// the other without a gap. Units, sizes and flags have gaps, and values between them or made of several.
func rangeOf(typ types.Type) (least, most int64, ok bool) {
	named, ok := types.Unalias(typ).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return 0, 0, false
	}
	values := map[int64]bool{}
	least, most = math.MaxInt64, math.MinInt64
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !types.Identical(c.Type(), typ) || c.Val().Kind() != constant.Int {
			continue
		}
		if v, exact := constant.Int64Val(c.Val()); exact {
			values[v], least, most = true, min(least, v), max(most, v)
		}
	}
	return least, most, len(values) >= leastConstants && most-least == int64(len(values))-1
}
