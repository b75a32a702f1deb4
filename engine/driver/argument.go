package driver

import (
	"fmt"
	"go/types"
	"slices"
)

var (
	errorType  = types.Universe.Lookup("error").Type()
	stringType = types.Typ[types.String]
	bytesType  = types.NewSlice(types.Universe.Lookup("byte").Type())
)

// basicOf returns the type among those that Go's fuzzing supports that values
// of typ can be converted from; nil if there is none.
func basicOf(typ types.Type) types.Type {
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
			return bytesType
		case elem.Kind() == types.Rune:
			return stringType
		}
	}
	return nil
}

// argument returns an expression of type typ made from fuzzed input where
// possible. name is what the parameter is called.
func (s *sketch) argument(name string, typ types.Type) string {
	if basic := basicOf(typ); basic != nil {
		v := s.fuzz(name, basic)
		if types.Identical(basic, typ) {
			return v
		}
		return fmt.Sprintf("%s(%s)", s.typeName(typ), v)
	}
	if arg, ok := s.known(name, typ); ok {
		return arg
	}
	if slice, ok := typ.Underlying().(*types.Slice); ok && types.Identical(slice.Elem(), stringType) {
		return fmt.Sprintf(`%s.Split(%s, ",")`, s.std("strings"), s.fuzz(name, stringType))
	}
	return s.variable(name, typ)
}

// readers are the interfaces of package io that *bytes.Reader has.
var readers = []string{
	"Reader", "ReaderAt", "ReadSeeker", "ByteReader", "ByteScanner", "RuneReader", "RuneScanner", "Seeker", "WriterTo",
}

// known makes arguments of types of the language and the standard library
// that input has a natural place in.
func (s *sketch) known(name string, typ types.Type) (arg string, ok bool) {
	if types.Identical(typ, errorType) {
		return fmt.Sprintf("%s.New(%s)", s.std("errors"), s.fuzz(name, stringType)), true
	}
	if i, ok := typ.Underlying().(*types.Interface); ok && i.Empty() {
		return s.fuzz(name, stringType), true
	}
	path, typeName, pointer := standard(typ)
	data := func() string {
		return fmt.Sprintf("%s.NewReader(%s)", s.std("bytes"), s.fuzz(name, bytesType))
	}
	switch full := path + "." + typeName; {
	case pointer && (full == "testing.T") || full == "testing.TB":
		return s.t, true
	case pointer && full == "bytes.Buffer":
		return fmt.Sprintf("%s.NewBuffer(%s)", s.std("bytes"), s.fuzz(name, bytesType)), true
	case pointer && full == "bytes.Reader", path == "io" && slices.Contains(readers, typeName):
		return data(), true
	case pointer && full == "bufio.Reader":
		return fmt.Sprintf("%s.NewReader(%s)", s.std("bufio"), data()), true
	case pointer && full == "strings.Reader":
		return fmt.Sprintf("%s.NewReader(%s)", s.std("strings"), s.fuzz(name, stringType)), true
	case full == "io.ReadCloser":
		return fmt.Sprintf("%s.NopCloser(%s)", s.std("io"), data()), true
	case full == "io.Writer":
		return s.std("io") + ".Discard", true
	case full == "context.Context":
		return s.std("context") + ".Background()", true
	}
	return "", false
}

// standard returns the package and the name of a type that is not generic, or
// of what it points to.
func standard(typ types.Type) (path, name string, pointer bool) {
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

// variable declares a variable for the user to fill and returns what to pass.
func (s *sketch) variable(name string, typ types.Type) string {
	if p, ok := types.Unalias(typ).(*types.Pointer); ok {
		if basic := basicOf(p.Elem()); basic != nil && types.Identical(basic, p.Elem()) {
			return "&" + s.fuzz(name, basic)
		}
		v := s.fresh(name)
		s.do("var %s %s // fill it from the fuzzed arguments", v, s.typeName(p.Elem()))
		return "&" + v
	}
	v := s.fresh(name)
	what := "fill it from the fuzzed arguments"
	switch typ.Underlying().(type) {
	case *types.Interface, *types.Signature:
		what = "nil: give it an implementation"
	case *types.Chan:
		what = "nil: make it, and serve it from another goroutine"
	case *types.Map:
		s.do("%s := %s{} // %s", v, s.typeName(typ), what)
		return v
	}
	s.do("var %s %s // %s", v, s.typeName(typ), what)
	return v
}

// variadic returns the last argument of a variadic call: all bytes, or one
// element.
func (s *sketch) variadic(name string, typ types.Type) string {
	slice, ok := typ.Underlying().(*types.Slice)
	if !ok { // append([]byte, string...) alone is of that kind
		return s.argument(name, typ) + "..."
	}
	if basicOf(slice) != nil && types.Identical(basicOf(slice), typ) {
		return s.fuzz(name, bytesType) + "..."
	}
	return s.argument(name, slice.Elem())
}
