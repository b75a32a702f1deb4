// Package skeleton writes fuzz targets for users to start from.
package skeleton

import (
	"fmt"
	"go/format"
	"go/token"
	"go/types"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// Source returns a test file of package pkg itself with one fuzz target to start from. The target compiles as it is,
// calls fn, a function or method of pkg, with as much fuzzed input as its types allow, and says what is left to do. If
// pkg was loaded with its in-package tests, the target has a name that they do not use.
//
// ok is false if there is nothing to fuzz, as in a function without parameters, or if no arguments can be written: for
// type parameters that no common type satisfies, or types of C.
func Source(pkg *types.Package, fn *types.Func) (source string, ok bool) {
	if pkg == nil || !testfile.Callable(fn) || testfile.ShadowsPredeclared(pkg) {
		return "", false
	}
	s := &sketch{Names: testfile.NewNames(pkg)}
	call, ok := s.call(fn)
	if !ok {
		return "", false
	}
	if len(s.fuzzed) == 0 {
		if len(s.setup) == 0 {
			return "", false
		}
		s.fuzz("data", testfile.BytesType)
	}
	text, err := format.Source([]byte(s.file(fn, call)))
	if err != nil || strings.Contains(string(text), "_Ctype_") {
		return "", false
	}
	return string(text), true
}

// FileName suggests a name for the file of fn's skeleton, in the folder of its package. It tries names until exists
// returns false.
func FileName(fn *types.Func, exists func(name string) bool) string {
	stem := strings.Trim(strings.ToLower(strings.Join(testfile.NameParts(fn), "_")), "_")
	name := stem + "_fuzz_test.go"
	for i := 2; exists(name); i++ {
		name = fmt.Sprintf("%s_fuzz%d_test.go", stem, i)
	}
	return name
}

// sketch is a fuzz target in the making.
type sketch struct {
	*testfile.Names
	fuzzed []testfile.Param // parameters of the fuzz function
	setup  []string         // statements before the call
}

// fuzz adds a fuzzed parameter and returns its name.
func (s *sketch) fuzz(name string, typ types.Type) string {
	name = s.Fresh(name)
	s.fuzzed = append(s.fuzzed, testfile.Param{Name: name, Type: typ})
	return name
}

func (s *sketch) do(format string, args ...any) {
	s.setup = append(s.setup, fmt.Sprintf(format, args...))
}

// call sets up the receiver and the arguments of fn and returns the call.
func (s *sketch) call(fn *types.Func) (string, bool) {
	sig := fn.Signature()
	named := testfile.ReceiverNamed(fn)
	if named == nil {
		instance, args := s.Instantiate(sig, sig.TypeParams())
		if instance == nil {
			return "", false
		}
		s.Reserve(instance)
		var list []string
		for _, arg := range args {
			list = append(list, s.TypeName(arg))
		}
		callee := fn.Name()
		if len(list) > 0 {
			callee += "[" + strings.Join(list, ", ") + "]"
		}
		return callee + s.arguments(instance.(*types.Signature)), true
	}
	typ, _ := s.Instantiate(named.Origin(), named.Origin().TypeParams())
	if typ == nil {
		return "", false
	}
	s.Reserve(sig)
	obj, _, _ := types.LookupFieldOrMethod(typ, true, fn.Pkg(), fn.Name())
	method, ok := obj.(*types.Func)
	if !ok {
		return "", false
	}
	return s.receiver(typ, named.Obj().Name()) + "." + fn.Name() + s.arguments(method.Signature()), true
}

// arguments returns the arguments of a call, in parentheses.
func (s *sketch) arguments(sig *types.Signature) string {
	var args []string
	for i := range sig.Params().Len() {
		p := sig.Params().At(i)
		name, argument := p.Name(), s.argument
		if name == "" || name == "_" {
			name = fmt.Sprintf("arg%d", i+1)
		}
		if sig.Variadic() && i == sig.Params().Len()-1 {
			argument = s.variadic
		}
		args = append(args, argument(name, p.Type()))
	}
	return "(" + strings.Join(args, ", ") + ")"
}

// receiver sets up a variable of type typ and returns its name. of is the name of the type without type arguments.
func (s *sketch) receiver(typ types.Type, of string) string {
	if name, ok := s.construct(typ, of); ok {
		return name
	}
	r := s.Fresh("receiver")
	if basic := testfile.BasicOf(typ); basic != nil {
		// A variable is addressable, so methods with a pointer receiver can be called, too.
		s.do("%s := %s(%s)", r, s.TypeName(typ), s.fuzz("value", basic))
	} else {
		s.do("var %s %s // the zero value: make it the way callers do", r, s.TypeName(typ))
	}
	return r
}

// construct calls a constructor of the type with fuzzed arguments: NewT, newT or New. ok is false if none of them has
// parameters that can all be fuzzed.
func (s *sketch) construct(typ types.Type, of string) (string, bool) {
	for _, name := range []string{"New" + of, "new" + strings.ToUpper(of[:1]) + of[1:], "New"} {
		fn, ok := s.Pkg.Scope().Lookup(name).(*types.Func)
		if !ok || fn.Signature().TypeParams() != nil || !testfile.Makes(fn.Signature(), typ) || !allFuzzable(fn.Signature()) {
			continue
		}
		s.Reserve(fn.Signature())
		call := fn.Name() + s.arguments(fn.Signature())
		r := s.Fresh("receiver")
		if fn.Signature().Results().Len() == 1 {
			s.do("%s := %s", r, call)
			return r, true
		}
		err := s.Fresh("err")
		s.do("%s, %s := %s\nif %s != nil {\nreturn\n}", r, err, call, err)
		return r, true
	}
	return "", false
}

func allFuzzable(sig *types.Signature) bool {
	for p := range sig.Params().Variables() {
		if testfile.BasicOf(p.Type()) == nil {
			return false
		}
	}
	return !sig.Variadic()
}

// file returns the whole test file.
func (s *sketch) file(fn *types.Func, call string) string {
	var params, seeds []string
	for _, f := range s.fuzzed {
		params = append(params, f.Declared())
		seeds = append(seeds, f.Zero())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t%s\n)\n\n", s.Pkg.Name(), strings.Join(s.ImportSpecs(), "\n\t"))
	fmt.Fprintf(&b, "func %s(%s *testing.F) {\n", s.targetName(fn), s.F)
	fmt.Fprintf(&b, "%s.Add(%s) // add typical, valid inputs of %s\n", s.F, strings.Join(seeds, ", "), strings.Join(testfile.NameParts(fn), "."))
	fmt.Fprintf(&b, "%s.Fuzz(func(%s *testing.T, %s) {\n", s.F, s.T, strings.Join(params, ", "))
	for _, stmt := range s.setup {
		b.WriteString(stmt + "\n")
	}
	b.WriteString(call + "\n" + advice(fn) + "})\n}\n")
	return b.String()
}

// targetName names the target after fn. An underscore keeps the targets of parse and Parse apart; go test also requires
// it before a small letter.
func (s *sketch) targetName(fn *types.Func) string {
	name := strings.Join(testfile.NameParts(fn), "_")
	if !token.IsExported(name) && !strings.HasPrefix(name, "_") {
		name = "_" + name
	}
	return s.Fresh("Fuzz" + name)
}

// advice returns a comment on what the target does not check yet.
func advice(fn *types.Func) string {
	results := fn.Signature().Results()
	switch {
	case results.Len() == 0:
		return "// Assert here what must hold after the call, for every input.\n"
	case results.Len() == 1 && types.Identical(results.At(0).Type(), testfile.ErrorType):
		return "// Assert here which inputs must give an error, and what must hold after all others.\n"
	}
	return "// Assert here what must hold for the results, for every input.\n"
}
