package equivalence

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// nilness returns how v compares with nil where facts hold: equal (nil), below and above (not nil), or unknown.
func (r *ranges) nilness(v ssa.Value, facts []fact) signs {
	for _, f := range facts {
		if f.x == v && isNil(f.y) || f.y == v && isNil(f.x) {
			if f.op == token.EQL {
				return equal
			}
			return below | above
		}
	}
	switch {
	case r.alwaysNil(v, map[ssa.Value]bool{}):
		return equal
	case neverNil(v):
		return below | above
	}
	return unknown
}

// neverNil reports whether v is a function, or made by an instruction whose result is never nil.
func neverNil(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		_, generic := types.Unalias(v.X.Type()).(*types.TypeParam) // it may stand for an interface, which may be nil
		return !generic
	case *ssa.Alloc, *ssa.MakeClosure, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeSlice, *ssa.Function:
		return true
	}
	return false
}

// alwaysNil reports whether v is nil in every run. It takes the values in seen for nil, so that cycles come to an
// end. A nil pointer in an interface is not a nil interface.
func (p *Package) alwaysNil(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] || isNil(v) {
		return true
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, edge := range v.Edges {
			if !p.alwaysNil(edge, seen) {
				return false
			}
		}
		return true
	case *ssa.ChangeInterface:
		return p.alwaysNil(v.X, seen)
	case *ssa.Call:
		return p.returnsNil(v, 0, seen)
	case *ssa.Extract:
		call, ok := v.Tuple.(*ssa.Call)
		return ok && p.returnsNil(call, v.Index, seen)
	}
	return false
}

// returnsNil reports whether the i-th result of a call, of a type that has nil, is always nil. For an error,
// documentation may say so; otherwise all return statements must.
func (p *Package) returnsNil(call *ssa.Call, i int, seen map[ssa.Value]bool) bool {
	results := call.Call.Signature().Results()
	last := i == results.Len()-1 && types.Identical(results.At(i).Type(), types.Universe.Lookup("error").Type())
	if last && (neverFails[callee(call)] || writesHash(call)) {
		return true
	}
	fn := call.Call.StaticCallee()
	if fn == nil || fn.Pkg != p.ssa || len(fn.Blocks) == 0 || p.depth >= maxDepth {
		return false
	}
	p.depth++
	defer func() { p.depth-- }()
	list := returns(fn)
	for _, ret := range list {
		if !p.alwaysNil(ret.Results[i], seen) {
			return false
		}
	}
	return len(list) > 0
}

// writesHash reports whether a call calls Write of a hash.Hash. Its documentation says that it never returns an
// error.
func writesHash(call *ssa.Call) bool {
	if !call.Call.IsInvoke() || call.Call.Method.Name() != "Write" {
		return false
	}
	t, ok := types.Unalias(call.Call.Value.Type()).(*types.Named)
	return ok && t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == "hash"
}
