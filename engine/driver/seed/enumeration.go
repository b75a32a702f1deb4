package seed

import (
	"go/constant"
	"go/types"
	"math"
)

// leastConstants is how many constants a type needs to count as an enumeration.
const leastConstants = 3

// Range returns the bounds of the constants of an integer type, if it has at least leastConstants of them, without
// gaps. Units, sizes and flags have gaps; values between their constants, or made of several, are valid.
func Range(typ types.Type) (least, most int64, ok bool) {
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
