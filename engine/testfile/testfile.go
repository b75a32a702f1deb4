// Package testfile has what generated Go test files with fuzz targets need: names that mean one thing each, imports,
// type arguments, and facts about functions and about the types that Go can fuzz.
package testfile

import (
	"go/types"
	"slices"
)

// Types that fuzz targets often take.
var (
	ErrorType  = types.Universe.Lookup("error").Type()
	StringType = types.Typ[types.String]
	BytesType  = types.NewSlice(types.Universe.Lookup("byte").Type())
)

// BasicOf returns the type among those that Go can fuzz from which values of typ can be converted, such as string for
// []rune; nil if there is none.
func BasicOf(typ types.Type) types.Type {
	switch u := typ.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.Uintptr:
			return types.Typ[types.Uint64]
		case u.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat|types.IsString) != 0 && u.Info()&types.IsUntyped == 0:
			return types.Typ[u.Kind()]
		}
	case *types.Slice:
		switch elem, _ := u.Elem().(*types.Basic); {
		case elem == nil:
		case elem.Kind() == types.Byte:
			return BytesType
		case elem.Kind() == types.Rune:
			return StringType
		}
	}
	return nil
}

// Param is a parameter that the fuzzing engine fills.
type Param struct {
	Name string
	Type types.Type
}

// Declared returns the declaration of the parameter in a parameter list.
func (p Param) Declared() string { return p.Name + " " + p.Type.String() }

// Zero returns an expression for the zero value of exactly the parameter's type. For bytes it is empty, not nil.
func (p Param) Zero() string {
	basic, ok := p.Type.(*types.Basic)
	if !ok {
		return `[]byte("")`
	}
	switch basic.Kind() {
	case types.String:
		return `""`
	case types.Bool:
		return "false"
	case types.Int:
		return "0"
	}
	return basic.Name() + "(0)"
}

// Readers are the names of interfaces of package io that *bytes.Reader implements.
var Readers = []string{
	"Reader", "ReaderAt", "ReadSeeker", "ByteReader", "ByteScanner", "RuneReader", "RuneScanner", "Seeker", "WriterTo",
}

// FileSystems are the names of interfaces of package io/fs that fstest.MapFS implements.
var FileSystems = []string{"FS", "GlobFS", "ReadDirFS", "ReadFileFS", "StatFS", "SubFS"}

// Qualified returns the package path and the name of a named type, or of the named type that a pointer points to. It
// ignores type arguments. For other types all results are zero.
func Qualified(typ types.Type) (path, name string, pointer bool) {
	typ = types.Unalias(typ)
	if p, ok := typ.(*types.Pointer); ok {
		typ, pointer = types.Unalias(p.Elem()), true
	}
	named, ok := typ.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return "", "", false
	}
	return named.Obj().Pkg().Path(), named.Obj().Name(), pointer
}

// Callable reports whether a test of the package can call fn, which may be nil.
func Callable(fn *types.Func) bool {
	if fn == nil || fn.Name() == "_" {
		return false
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name() != "init" && fn.Name() != "main"
	}
	return !types.IsInterface(recv.Type()) && ReceiverNamed(fn) != nil
}

// ReceiverNamed returns the type whose method fn is; nil for functions.
func ReceiverNamed(fn *types.Func) *types.Named {
	recv := fn.Signature().Recv()
	if recv == nil {
		return nil
	}
	named, _ := Pointed(recv.Type()).(*types.Named)
	return named
}

// Pointed returns the type that a pointer type points to, and other types as they are. Aliases are resolved.
func Pointed(typ types.Type) types.Type {
	typ = types.Unalias(typ)
	if p, ok := typ.(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return typ
}

// NameParts returns the name of fn, and before it that of its receiver's type if it is a method.
func NameParts(fn *types.Func) []string {
	if named := ReceiverNamed(fn); named != nil {
		return []string{named.Obj().Name(), fn.Name()}
	}
	return []string{fn.Name()}
}

// Makes reports whether a function returns typ or a pointer to it, alone or with an error.
func Makes(sig *types.Signature, typ types.Type) bool {
	results := sig.Results()
	if n := results.Len(); n == 0 || n > 2 || n == 2 && !types.Identical(results.At(1).Type(), ErrorType) {
		return false
	}
	made := results.At(0).Type()
	return types.Identical(made, typ) || types.Identical(made, types.NewPointer(typ))
}

// predeclared are the names that generated test files use in the meaning that the language gives them, and "testing".
var predeclared = []string{
	"any", "append", "bool", "byte", "error", "false", "float32", "float64", "int", "int8", "int16", "int32", "int64",
	"new", "nil", "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "testing",
}

// ShadowsPredeclared reports whether pkg declares one of these names.
func ShadowsPredeclared(pkg *types.Package) bool {
	return slices.ContainsFunc(predeclared, func(name string) bool { return pkg.Scope().Lookup(name) != nil })
}
