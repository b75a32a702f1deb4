package testfile

import (
	"cmp"
	"go/types"
	"go/version"
	"slices"
)

// maxTries bounds the combinations of type arguments that are tried.
const maxTries = 500

// Instantiate returns generic, a signature or a named type, with type arguments in place of its type parameters, and
// these arguments. Both are nil if it finds none that satisfy the constraints.
func (n *Names) Instantiate(generic types.Type, params *types.TypeParamList) (instance types.Type, args []types.Type) {
	if params.Len() == 0 {
		return generic, nil
	}
	left := maxTries
	var search func(args []types.Type) []types.Type
	search = func(args []types.Type) []types.Type {
		if left < 0 {
			return nil
		}
		if len(args) < params.Len() {
			for _, candidate := range n.candidates(params, args) {
				if list := search(append(slices.Clip(args), candidate)); list != nil {
					return list
				}
			}
			return nil
		}
		if left--; left < 0 {
			return nil
		}
		var err error
		if instance, err = types.Instantiate(nil, generic, args, true); err != nil {
			instance = nil
			return nil
		}
		return args
	}
	args = search(nil)
	return instance, args
}

// candidates returns types that may satisfy the constraint of the type parameter after those with args: the terms of
// its union, or common types if it has none; the constraint itself if it has methods only; and the types of the
// package. Where the terms are known, only those of the package's types are returned that a term with a tilde may stand
// for: each type that cannot fit would take a try from those that can.
func (n *Names) candidates(params *types.TypeParamList, args []types.Type) []types.Type {
	var list []types.Type
	constraint := params.At(len(args)).Constraint()
	iface, ok := constraint.Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	for _, term := range terms(iface) {
		list = append(list, substitute(term, args))
	}
	listed := slices.Clip(list)
	known := len(listed) > 0 && len(args) == params.Len()-1 // no term mentions a later type parameter
	if len(list) == 0 {
		list = append(list, StringType, types.Typ[types.Int], BytesType, types.Typ[types.Float64])
	}
	if iface.IsMethodSet() && !iface.Empty() {
		list = append(list, substitute(constraint, args))
	}
	for _, name := range n.Pkg.Scope().Names() {
		obj, ok := n.Pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(obj.Type()) {
			continue
		}
		if g, ok := obj.Type().(interface{ TypeParams() *types.TypeParamList }); ok && g.TypeParams().Len() > 0 {
			continue
		}
		if !known {
			list = append(list, obj.Type(), types.NewPointer(obj.Type()))
		} else if slices.ContainsFunc(listed, func(t types.Type) bool { return types.Identical(t.Underlying(), obj.Type().Underlying()) }) {
			list = append(list, obj.Type())
		}
	}
	return list
}

// terms returns the types that a constraint lists.
func terms(iface *types.Interface) (list []types.Type) {
	for e := range iface.EmbeddedTypes() {
		if union, ok := e.(*types.Union); ok {
			for term := range union.Terms() {
				if inner, ok := term.Type().Underlying().(*types.Interface); ok {
					list = append(list, terms(inner)...)
				} else {
					list = append(list, term.Type())
				}
			}
		} else if inner, ok := e.Underlying().(*types.Interface); ok {
			list = append(list, terms(inner)...)
		} else {
			list = append(list, e)
		}
	}
	return list
}

// substitute puts args in place of the first type parameters in t, and string in place of later ones.
func substitute(t types.Type, args []types.Type) types.Type {
	sub := func(t types.Type) types.Type { return substitute(t, args) }
	switch t := t.(type) {
	case *types.TypeParam:
		if t.Index() < len(args) {
			return args[t.Index()]
		}
		return StringType
	case *types.Slice:
		return types.NewSlice(sub(t.Elem()))
	case *types.Array:
		return types.NewArray(sub(t.Elem()), t.Len())
	case *types.Pointer:
		return types.NewPointer(sub(t.Elem()))
	case *types.Map:
		return types.NewMap(sub(t.Key()), sub(t.Elem()))
	case *types.Chan:
		return types.NewChan(t.Dir(), sub(t.Elem()))
	case *types.Named:
		if t.TypeArgs().Len() == 0 {
			return t
		}
		var inner []types.Type
		for arg := range t.TypeArgs().Types() {
			inner = append(inner, sub(arg))
		}
		if u, err := types.Instantiate(nil, t.Origin(), inner, false); err == nil {
			return u
		}
	}
	return t
}

// Constraint returns the build constraint, with an empty line after it, that lets a new file of pkg call generic
// functions. It is "" if the language version of pkg is new enough.
func Constraint(pkg *types.Package) string {
	const unspecified = "go1.16" // what the go command takes a module without a go directive for
	if version.Compare(cmp.Or(pkg.GoVersion(), unspecified), "go1.18") >= 0 {
		return ""
	}
	return "//go:build go1.21\n\n" // since go1.21, a constraint raises the language version of its file
}
