package equivalence

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// filled returns the count of io.ReadFull if v is that count and facts say that its error is nil. It is then the
// length of the buffer; ok says whether that is known.
func filled(v ssa.Value, facts []fact) (size constant.Value, ok bool) {
	count, ok := v.(*ssa.Extract)
	if !ok || count.Index != 0 {
		return nil, false
	}
	call, ok := count.Tuple.(*ssa.Call)
	if !ok || callee(call) != "io.ReadFull" {
		return nil, false
	}
	for _, f := range facts {
		err, ok := f.x.(*ssa.Extract)
		if ok && f.op == token.EQL && isNil(f.y) && err.Tuple == call && err.Index == 1 {
			return sizeOf(call.Call.Args[1])
		}
	}
	return nil, false
}

// sizeOf returns the length of a slice if it was made with a constant one.
func sizeOf(v ssa.Value) (size constant.Value, ok bool) {
	switch v := v.(type) {
	case *ssa.MakeSlice:
		n, ok := v.Len.(*ssa.Const)
		if !ok {
			return nil, false
		}
		return constant.ToInt(n.Value), true
	case *ssa.Slice: // of an array
		pointer, ok := v.X.Type().Underlying().(*types.Pointer)
		if !ok || v.Low != nil {
			return nil, false
		}
		array, ok := pointer.Elem().Underlying().(*types.Array)
		if !ok {
			return nil, false
		}
		if v.High == nil {
			return constant.MakeInt64(array.Len()), true
		}
		n, ok := v.High.(*ssa.Const)
		if !ok {
			return nil, false
		}
		return constant.ToInt(n.Value), true
	}
	return nil, false
}
