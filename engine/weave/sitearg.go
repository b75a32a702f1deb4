package weave

import (
	exact "go/constant"
	"go/types"
	"maps"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// siteArg describes the i-th argument of a call of fn in a package. spread says that the last one is followed by "...".
func (w *weaver) siteArg(fn *types.Func, i int, spread bool, inPackage string) SiteArg {
	var typ types.Type
	sig := fn.Origin().Signature() // with type parameters: an untyped constant passed for one would get another type
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

// mayBeNil reports whether typ is a slice, map, pointer, function or channel type, so that nil can be passed as it is.
func mayBeNil(typ types.Type) bool {
	switch typ.Underlying().(type) {
	case *types.Slice, *types.Map, *types.Pointer, *types.Signature, *types.Chan:
		return true
	}
	return false
}

// receiver describes the receiver of fn as an argument in a package. It only has the constants of the type.
func (w *weaver) receiver(fn *types.Func, inPackage string) SiteArg {
	if recv := fn.Origin().Signature().Recv(); recv != nil {
		return w.constantsIn(recv.Type(), inPackage)
	}
	return SiteArg{}
}

// constantsIn returns a SiteArg with the constants of typ, or of the type it points to, that a package can name. For a
// struct it has the constants of the fields' types.
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
		if !ok || typ.Obj().Pkg() != named.Obj().Pkg() { // naming its constants would need another import
			continue
		}
		if names := w.constantsOf(typ, inPackage); len(names) > 0 {
			fields[f.Name()] = names
		}
	}
	return SiteArg{Fields: fields}
}

// returned returns, for each result of fn, the constants of its type that a package can name; nil for a basic type and
// for a type without a name.
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

// basicResults returns, for each result of fn, the name of its type if that is a basic type, else "".
func basicResults(fn *types.Func) (names []string) {
	for result := range fn.Origin().Signature().Results().Variables() {
		name := ""
		if basic, ok := types.Unalias(result.Type()).(*types.Basic); ok {
			name = basic.Name()
		}
		names = append(names, name)
	}
	return names
}

// seenFrom is the key of weaver.failures: a package, and the import path of the package that looks at it.
type seenFrom struct {
	home      *types.Package
	inPackage string
}

// errorConstants returns the constants, as constantsOf does, of all types declared in home that implement error.
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

// visible is the key of weaver.constants: a type, and the import path of the package that looks at it.
type visible struct {
	typ       *types.Named
	inPackage string
}

// constantsOf returns the constants of a type that a package can name, by their values as Go source. Values with
// several constants are left out.
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

// ambiguous marks a value with several names.
const ambiguous = "_"

// sourceOf returns a constant as the probe writes it. It returns "" for anything but integers and strings.
func sourceOf(v exact.Value) string {
	switch v.Kind() {
	case exact.Int:
		return v.ExactString()
	case exact.String:
		return wire.Quote(exact.StringVal(v))
	}
	return ""
}
