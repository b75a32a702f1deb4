package seed

import (
	"cmp"
	"go/types"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// maxAlike is how many functions stand in for one.
const maxAlike = 4

// Alike are a few functions of all whose tests have constants that fit fn, too, the likeliest first: those of the same receiver that
// take, by name and type, what fn takes of what has constants; and for a method others of its receiver, and what makes one. Of these, first the
// one with the most similar name, as Execute has for ExecuteContext.
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

// fits is 2 for a function of the same receiver that takes what fn takes, 1 for others that have to do with that receiver, and 0 for
// the rest.
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

// takesAll reports whether g has all parameters of fn that have constants, by name and type, and fn has some.
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

// hasConstants reports whether constants are values of a type, or texts are that consist of bytes.
func hasConstants(typ types.Type) bool {
	if s, ok := typ.Underlying().(*types.Slice); ok {
		return types.Identical(s.Elem(), types.Typ[types.Byte])
	}
	_, basic := typ.Underlying().(*types.Basic)
	return basic
}

// common is how many bytes two names have in common at their beginning.
func common(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
