package callgraph

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// valueType is the type of a value that is an interface somewhere, or of a part
// of one: what reflection gets at from there.
type valueType struct {
	exported []*ssa.Function
	hidden   map[string]*ssa.Function // unexported methods by ID
	parts    []types.Type
}

// valueType returns what is known of t.
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

// parts returns the types from which t is made. A pointer to t is one of
// them, for reflection makes new variables.
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
