package skeleton

import (
	"fmt"
	"go/types"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// argument returns an expression of type typ, made from fuzzed input where possible. name is that of the parameter.
func (s *sketch) argument(name string, typ types.Type) string {
	if basic := testfile.BasicOf(typ); basic != nil {
		v := s.fuzz(name, basic)
		if types.Identical(basic, typ) {
			return v
		}
		return fmt.Sprintf("%s(%s)", s.TypeName(typ), v)
	}
	if arg, ok := s.known(name, typ); ok {
		return arg
	}
	if slice, ok := typ.Underlying().(*types.Slice); ok && types.Identical(slice.Elem(), testfile.StringType) {
		return fmt.Sprintf(`%s.Split(%s, ",")`, s.Std("strings"), s.fuzz(name, testfile.StringType))
	}
	return s.variable(name, typ)
}

// known makes arguments for errors, values of any type, and types of the standard library, mostly from fuzzed input.
func (s *sketch) known(name string, typ types.Type) (arg string, ok bool) {
	if types.Identical(typ, testfile.ErrorType) {
		return fmt.Sprintf("%s.New(%s)", s.Std("errors"), s.fuzz(name, testfile.StringType)), true
	}
	if i, ok := typ.Underlying().(*types.Interface); ok && i.Empty() {
		return s.fuzz(name, testfile.StringType), true
	}
	path, typeName, pointer := testfile.Qualified(typ)
	data := func() string {
		return fmt.Sprintf("%s.NewReader(%s)", s.Std("bytes"), s.fuzz(name, testfile.BytesType))
	}
	switch full := path + "." + typeName; {
	case pointer && types.IsInterface(testfile.Pointed(typ)): // not the value that it points to
	case pointer && (full == "testing.T") || full == "testing.TB":
		return s.T, true
	case pointer && full == "bytes.Buffer":
		return fmt.Sprintf("%s.NewBuffer(%s)", s.Std("bytes"), s.fuzz(name, testfile.BytesType)), true
	case pointer && full == "bytes.Reader", path == "io" && slices.Contains(testfile.Readers, typeName):
		return data(), true
	case pointer && full == "bufio.Reader":
		return fmt.Sprintf("%s.NewReader(%s)", s.Std("bufio"), data()), true
	case pointer && full == "strings.Reader":
		return fmt.Sprintf("%s.NewReader(%s)", s.Std("strings"), s.fuzz(name, testfile.StringType)), true
	case full == "io.ReadCloser":
		return fmt.Sprintf("%s.NopCloser(%s)", s.Std("io"), data()), true
	case full == "io.Writer":
		return s.Std("io") + ".Discard", true
	case full == "context.Context":
		return s.Std("context") + ".Background()", true
	}
	return "", false
}

// variable declares a variable for the user to fill, and returns what to pass.
func (s *sketch) variable(name string, typ types.Type) string {
	if p, ok := types.Unalias(typ).(*types.Pointer); ok {
		if basic := testfile.BasicOf(p.Elem()); basic != nil && types.Identical(basic, p.Elem()) {
			return "&" + s.fuzz(name, basic)
		}
		v := s.Fresh(name)
		s.do("var %s %s // fill it from the fuzzed arguments", v, s.TypeName(p.Elem()))
		return "&" + v
	}
	v := s.Fresh(name)
	what := "fill it from the fuzzed arguments"
	switch typ.Underlying().(type) {
	case *types.Interface, *types.Signature:
		what = "nil: give it an implementation"
	case *types.Chan:
		what = "nil: make it, and serve it from another goroutine"
	case *types.Map:
		s.do("%s := %s{} // %s", v, s.TypeName(typ), what)
		return v
	}
	s.do("var %s %s // %s", v, s.TypeName(typ), what)
	return v
}

// variadic returns the last argument of a variadic call: fuzzed bytes for ...byte, else one element.
func (s *sketch) variadic(name string, typ types.Type) string {
	slice, ok := typ.Underlying().(*types.Slice)
	if !ok { // only in the signature of append([]byte, string...)
		return s.argument(name, typ) + "..."
	}
	if testfile.BasicOf(slice) != nil && types.Identical(testfile.BasicOf(slice), typ) {
		return s.fuzz(name, testfile.BytesType) + "..."
	}
	return s.argument(name, slice.Elem())
}
