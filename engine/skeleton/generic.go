package skeleton

import (
	"go/types"
)

// maxTries bounds the search for type arguments.
const maxTries = 500

// instantiate returns fn's signature with type arguments in place of its own
// type parameters or those of its receiver. A method's signature is then still
// to be looked up in the instantiated type.
func (s *sketch) instantiate(fn *types.Func) (*types.Signature, []types.Type, bool) {
	sig := fn.Signature()
	var generic types.Type = sig
	params := sig.TypeParams()
	if named := receiverNamed(fn); named != nil {
		generic, params = named.Origin(), named.Origin().TypeParams()
	}
	if params.Len() == 0 {
		return sig, nil, true
	}
	search := &search{pkg: s.pkg, generic: generic, params: params, left: maxTries}
	args := search.run(nil)
	if args == nil {
		return nil, nil, false
	}
	if of, ok := search.found.(*types.Signature); ok {
		sig = of
	}
	return sig, args, true
}

// search looks for type arguments by trying.
type search struct {
	pkg     *types.Package
	generic types.Type
	params  *types.TypeParamList
	left    int        // instantiations that may still be tried
	found   types.Type // the instance
}

// run returns type arguments that begin with args, or nil.
func (s *search) run(args []types.Type) []types.Type {
	i := len(args)
	if i == s.params.Len() {
		if s.left--; s.left < 0 {
			return nil
		}
		found, err := types.Instantiate(nil, s.generic, args, true)
		if err != nil {
			return nil
		}
		s.found = found
		return args
	}
	for _, candidate := range s.candidates(i, args) {
		if list := s.run(append(args[:i:i], candidate)); list != nil {
			return list
		}
	}
	return nil
}

// candidates are types that may satisfy the constraint of parameter i: common
// ones, the terms of its union, the constraint itself, and types of the
// package.
func (s *search) candidates(i int, args []types.Type) []types.Type {
	var list []types.Type
	constraint := s.params.At(i).Constraint()
	iface, ok := constraint.Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	for _, term := range terms(iface) {
		if t, ok := s.substitute(term, args); ok {
			list = append(list, t)
		}
	}
	if len(list) == 0 {
		list = append(list, stringType, types.Typ[types.Int], bytesType, types.Typ[types.Float64])
	}
	if iface.IsMethodSet() && !iface.Empty() {
		if t, ok := s.substitute(constraint, args); ok {
			list = append(list, t)
		}
	}
	for _, name := range s.pkg.Scope().Names() {
		if obj, ok := s.pkg.Scope().Lookup(name).(*types.TypeName); ok && !types.IsInterface(obj.Type()) && !isGeneric(obj.Type()) {
			list = append(list, obj.Type(), types.NewPointer(obj.Type()))
		}
	}
	return list
}

func isGeneric(t types.Type) bool {
	switch t := t.(type) {
	case *types.Named:
		return t.TypeParams().Len() > 0
	case *types.Alias:
		return t.TypeParams().Len() > 0
	}
	return false
}

// terms are the types that a constraint lists.
func terms(iface *types.Interface) (list []types.Type) {
	for i := range iface.NumEmbeddeds() {
		switch e := iface.EmbeddedType(i).(type) {
		case *types.Union:
			for j := range e.Len() {
				list = append(list, e.Term(j).Type())
			}
		default:
			if inner, ok := e.Underlying().(*types.Interface); ok {
				list = append(list, terms(inner)...)
			} else {
				list = append(list, e)
			}
		}
	}
	return list
}

// substitute puts args in place of the first type parameters in t. Of later
// ones it assumes that strings will do.
func (s *search) substitute(t types.Type, args []types.Type) (types.Type, bool) {
	sub := func(t types.Type) types.Type {
		if u, ok := s.substitute(t, args); ok {
			return u
		}
		return t
	}
	switch t := t.(type) {
	case *types.TypeParam:
		for i := range s.params.Len() {
			if s.params.At(i) != t {
				continue
			}
			if i < len(args) {
				return args[i], true
			}
			return stringType, true
		}
		return nil, false
	case *types.Slice:
		return types.NewSlice(sub(t.Elem())), true
	case *types.Array:
		return types.NewArray(sub(t.Elem()), t.Len()), true
	case *types.Pointer:
		return types.NewPointer(sub(t.Elem())), true
	case *types.Map:
		return types.NewMap(sub(t.Key()), sub(t.Elem())), true
	case *types.Chan:
		return types.NewChan(t.Dir(), sub(t.Elem())), true
	case *types.Named:
		return s.substituteNamed(t, args)
	}
	return t, true
}

func (s *search) substituteNamed(t *types.Named, args []types.Type) (types.Type, bool) {
	if t.TypeArgs().Len() == 0 {
		return t, true
	}
	var inner []types.Type
	for i := range t.TypeArgs().Len() {
		u, ok := s.substitute(t.TypeArgs().At(i), args)
		if !ok {
			return nil, false
		}
		inner = append(inner, u)
	}
	u, err := types.Instantiate(nil, t.Origin(), inner, false)
	return u, err == nil
}
