package seed

import (
	"cmp"
	"go/types"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// maxAlike bounds the functions whose tests stand in for those of one function.
const maxAlike = 4

// Alike returns a few functions of all whose tests are likely to have constants that fit fn, too, most likely first.
// First come functions with fn's receiver (or none, like fn) that have all of its parameters which constants fit, by
// name and type. For a method, other methods and the constructors of its receiver follow. Among equals a similar name
// wins, such as Execute for ExecuteContext.
func Alike(fn *types.Func, all []*types.Func) (list []*types.Func) {
	fit := map[*types.Func]int{}
	for _, g := range all {
		if fit[g] = fits(g, fn); fit[g] > 0 && g != fn {
			list = append(list, g)
		}
	}
	slices.SortStableFunc(list, func(a, b *types.Func) int {
		return cmp.Or(cmp.Compare(fit[b], fit[a]), cmp.Compare(common(b.Name(), fn.Name()), common(a.Name(), fn.Name())))
	})
	return list[:min(len(list), maxAlike)]
}

// fits returns 2 for a function with the receiver and the parameters of fn, 1 for other methods and for constructors of
// that receiver, else 0.
func fits(g, fn *types.Func) int {
	recv, other := testfile.ReceiverNamed(fn), testfile.ReceiverNamed(g)
	same := recv == other || recv != nil && other != nil && recv.Obj() == other.Obj()
	switch {
	case same && takesAll(g, fn):
		return 2
	case recv != nil && (same || testfile.Makes(g.Signature(), recv)):
		return 1
	}
	return 0
}

// takesAll reports whether fn has parameters that take constants, and g has all of these, by name and type.
func takesAll(g, fn *types.Func) (some bool) {
	for p := range fn.Signature().Params().Variables() {
		if !hasConstants(p.Type()) {
			continue
		}
		is := func(q *types.Var) bool { return q.Name() == p.Name() && types.Identical(q.Type(), p.Type()) }
		if some = slices.ContainsFunc(slices.Collect(g.Signature().Params().Variables()), is); !some {
			return false
		}
	}
	return some
}

// hasConstants reports whether constants can be values of a type: it is a basic type, or a slice of bytes.
func hasConstants(typ types.Type) bool {
	if s, ok := typ.Underlying().(*types.Slice); ok {
		return types.Identical(s.Elem(), types.Typ[types.Byte])
	}
	_, basic := typ.Underlying().(*types.Basic)
	return basic
}

// common returns how many bytes two names have in common at their beginning.
func common(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
