package callgraph

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// valueType is the type of a value that is converted to an interface, or of a part of one. It has what reflection can
// get at from there.
type valueType struct {
	exported []*ssa.Function          // exported methods
	hidden   map[string]*ssa.Function // unexported methods by ID
	parts    []types.Type             // further types that reflection can get at
}

// valueType returns the valueType of t, which it makes on the first call.
func (g *Graph) valueType(t types.Type) *valueType {
	t = types.Unalias(t)
	if v, ok := g.types.At(t).(*valueType); ok {
		return v
	}
	v := &valueType{hidden: map[string]*ssa.Function{}}
	g.types.Set(t, v)
	if n, ok := t.(*types.Named); ok && g.sources[g.prog.Package(n.Obj().Pkg())] == nil {
		v.parts = slices.Collect(n.TypeArgs().Types())
		return v
	}
	v.parts = parts(t)
	if types.IsInterface(t) {
		return v
	}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		sel := set.At(i)
		f := g.prog.MethodValue(sel)
		if f == nil {
			continue
		}
		if !sel.Obj().Exported() {
			v.hidden[sel.Obj().(*types.Func).Id()] = f
			continue
		}
		v.exported = append(v.exported, f)
		v.parts = append(v.parts, f.Signature.Params(), f.Signature.Results())
	}
	return v
}

// parts returns the types that t consists of. For a named type it also returns the pointer to it, because reflection
// can make new variables.
func parts(t types.Type) (ts []types.Type) {
	switch t := t.(type) {
	case *types.Named:
		return []types.Type{types.NewPointer(t), t.Underlying()}
	case *types.Map:
		return []types.Type{t.Key(), t.Elem()}
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		return []types.Type{t.Elem()}
	case *types.Signature:
		return []types.Type{t.Params(), t.Results()}
	case *types.Struct:
		for f := range t.Fields() {
			ts = append(ts, f.Type())
		}
	case *types.Tuple:
		for v := range t.Variables() {
			ts = append(ts, v.Type())
		}
	}
	return ts
}
