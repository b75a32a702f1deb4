package weave

import (
	exact "go/constant"
	"go/types"
	"maps"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// siteArg is an observed argument, the i-th of a call of fn in a package. If spread, the last one is followed by "...".
func (w *weaver) siteArg(fn *types.Func, i int, spread bool, inPackage string) SiteArg {
	var typ types.Type
	sig := fn.Origin().Signature() // in a type parameter's place a constant would lose its type
	switch last := sig.Params().Len() - 1; {
	case i < last || i == last && (!sig.Variadic() || spread):
		typ = sig.Params().At(i).Type()
	case sig.Variadic():
		typ = sig.Params().At(last).Type().(*types.Slice).Elem()
	default: // f(g()) with several results
		return SiteArg{}
	}
	if basic, ok := types.Unalias(typ).(*types.Basic); ok && basic.Kind() != types.UnsafePointer {
		return SiteArg{Basic: types.Typ[basic.Kind()].Name(), Character: basic.Name() == "rune" || basic.Name() == "byte"}
	}
	arg := w.constantsIn(typ, inPackage)
	arg.Nil = sig.TypeParams().Len() == 0 && !(spread && sig.Variadic() && i == sig.Params().Len()-1) && mayBeNil(typ)
	return arg
}

// mayBeNil reports whether a type has a nil that needs no conversion where a value of it is passed, and is no interface.
func mayBeNil(typ types.Type) bool {
	switch typ.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer, *types.Signature, *types.Chan:
		return true
	}
	return false
}

// receiver is the receiver of fn as an argument in a package.
func (w *weaver) receiver(fn *types.Func, inPackage string) SiteArg {
	if recv := fn.Origin().Signature().Recv(); recv != nil {
		return w.constantsIn(recv.Type(), inPackage)
	}
	return SiteArg{}
}

// constantsIn has the constants that a value of a type, or of one that it points to, may be written with in a package.
func (w *weaver) constantsIn(typ types.Type, inPackage string) SiteArg {
	typ = types.Unalias(typ)
	if p, ok := typ.(*types.Pointer); ok {
		typ = types.Unalias(p.Elem())
	}
	named, ok := typ.(*types.Named)
	if !ok {
		return SiteArg{}
	}
	u, ok := named.Underlying().(*types.Struct)
	if !ok {
		return SiteArg{Named: w.constantsOf(named, inPackage)}
	}
	fields := map[string]map[string]string{}
	for f := range u.Fields() {
		typ, ok := types.Unalias(f.Type()).(*types.Named)
		if !ok || typ.Obj().Pkg() != named.Obj().Pkg() { // else it would need an import
			continue
		}
		if names := w.constantsOf(typ, inPackage); len(names) > 0 {
			fields[f.Name()] = names
		}
	}
	return SiteArg{Fields: fields}
}

// returned are the constants of the type of each result of fn, as a package sees them; nil for types that have none.
func (w *weaver) returned(fn *types.Func, inPackage string) (constants []map[string]string) {
	for result := range fn.Origin().Signature().Results().Variables() {
		var of map[string]string
		switch typ, ok := types.Unalias(result.Type()).(*types.Named); {
		case ok && typ.Obj().Pkg() == nil: // error
			of = w.errorConstants(fn.Pkg(), typ, inPackage)
		case ok:
			of = w.constantsOf(typ, inPackage)
		}
		constants = append(constants, of)
	}
	return constants
}

// seenFrom is a package as another one sees it.
type seenFrom struct {
	home      *types.Package
	inPackage string
}

// errorConstants are the constants of a package that are errors, as constantsOf gives them.
func (w *weaver) errorConstants(home *types.Package, failure *types.Named, inPackage string) map[string]string {
	key := seenFrom{home, inPackage}
	if names, known := w.failures[key]; known {
		return names
	}
	names := map[string]string{}
	for _, name := range home.Scope().Names() {
		obj, ok := home.Scope().Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() || !types.Implements(obj.Type(), failure.Underlying().(*types.Interface)) {
			continue
		}
		if typ, ok := obj.Type().(*types.Named); ok && typ.TypeParams().Len() == 0 {
			for value, constant := range w.constantsOf(typ, inPackage) {
				if names[value] != "" {
					constant = ambiguous
				}
				names[value] = constant
			}
		}
	}
	maps.DeleteFunc(names, func(_, name string) bool { return name == ambiguous })
	if w.failures == nil {
		w.failures = map[seenFrom]map[string]string{}
	}
	w.failures[key] = names
	return names
}

// visible is a type as a package sees it.
type visible struct {
	typ       *types.Named
	inPackage string
}

// constantsOf are the constants of a type, by their values as Go source, that a package can name and of which no
// other has the same value.
func (w *weaver) constantsOf(typ *types.Named, inPackage string) map[string]string {
	key := visible{typ, inPackage}
	if names, known := w.constants[key]; known {
		return names
	}
	names := map[string]string{}
	if _, basic := typ.Underlying().(*types.Basic); basic && typ.Obj().Pkg() != nil {
		home := typ.Obj().Pkg()
		for _, name := range home.Scope().Names() {
			c, ok := home.Scope().Lookup(name).(*types.Const)
			if !ok || !types.Identical(c.Type(), typ) || !c.Exported() && home.Path() != inPackage {
				continue
			}
			value := sourceOf(c.Val())
			if names[value] != "" {
				name = ambiguous
			}
			names[value] = name
		}
	}
	for value, name := range names {
		if name == ambiguous || value == "" {
			delete(names, value)
		}
	}
	if w.constants == nil {
		w.constants = map[visible]map[string]string{}
	}
	w.constants[key] = names
	return names
}

// ambiguous stands for the names of a value that has several.
const ambiguous = "_"

// sourceOf is a constant as the probe writes it; empty: it is no number without a fraction and no string.
func sourceOf(v exact.Value) string {
	switch v.Kind() {
	case exact.Int:
		return v.ExactString()
	case exact.String:
		return wire.Quote(exact.StringVal(v))
	}
	return ""
}
