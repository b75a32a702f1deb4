package driver

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// maxWatched bounds the getters that are called after the driven call.
const maxWatched = 4

// getters writes calls of exported methods of value that take nothing and have one result. It skips actions, methods
// that may block, and those that call panic: that would make the input useless for what was called before. Text results
// come first, then lists of basic values, then numbers: they are easiest to read and say most. If the driver reads bytes,
// they can leave out each of the calls: what one of them shows needs none of the others.
func (m *maker) getters(b *strings.Builder, value string, named *types.Named, except *types.Func) {
	var list []*types.Func
	for i := range named.NumMethods() {
		fn := named.Method(i)
		sig := fn.Signature()
		if !fn.Exported() || fn == except || sig.Params().Len() > 0 || sig.Results().Len() != 1 ||
			value == m.recv && !m.sees(fn) || isWaiting(fn) || m.writer.methods.Refuses(fn) || m.writer.acts(fn) || m.writer.danger.Reason(fn) != "" {
			continue
		}
		list = append(list, fn)
	}
	slices.SortStableFunc(list, func(a, b *types.Func) int { return legibility(a) - legibility(b) })
	for _, fn := range list[:min(len(list), maxWatched)] {
		b.WriteString(m.unlessLeftOut(fmt.Sprintf("%s.%s()", value, fn.Name())))
	}
}

// maxAsked is how many questions an input chooses from after the driven call.
const maxAsked = 2

// after writes questions to the receiver of fn, if fn returns nothing or only whether it succeeded. They are methods
// that read what fn uses, such as Find after Add.
func (m *maker) after(b *strings.Builder, fn *types.Func) {
	results := fn.Signature().Results()
	if results.Len() > 1 || results.Len() == 1 && !(saysWhether(results.At(0).Type()) && m.writer.methods.Alters(fn)) {
		return
	}
	m.questions(b, m.recv, m.recvType, func(q *types.Func) bool {
		return q.Origin() != fn.Origin() && m.sees(q) && m.writer.methods.Shares(q, fn)
	})
}

// questions writes calls of exported methods of value that take basic arguments, alter nothing, and for which serves is
// true. Those with few parameters come first, then those with legible results. The input chooses from the first two.
func (m *maker) questions(b *strings.Builder, value string, named *types.Named, serves func(*types.Func) bool) {
	var list []*types.Func
	for i := range named.NumMethods() {
		if q := named.Method(i); q.Exported() && takesBasics(q) && q.Signature().Results().Len() > 0 && !isWaiting(q) && serves(q) &&
			!m.writer.methods.Alters(q) && !m.writer.methods.Refuses(q) && m.writer.danger.Reason(q) == "" {
			list = append(list, q)
		}
	}
	slices.SortStableFunc(list, func(a, b *types.Func) int {
		return cmp.Or(a.Signature().Params().Len()-b.Signature().Params().Len(), legibility(a)-legibility(b))
	})
	var calls []string
	for _, q := range list[:min(len(list), maxAsked)] {
		if args, why := m.arguments(q.Signature()); why == "" {
			calls = append(calls, fmt.Sprintf("%s.%s%s\n", value, q.Name(), args))
		}
	}
	switch len(calls) {
	case 1:
		b.WriteString(calls[0])
	case maxAsked: // one of them in a run: a witness with both is harder to read
		fmt.Fprintf(b, "if %s {\n%s} else {\n%s}\n", m.basic("other", types.Typ[types.Bool], types.Typ[types.Bool]), calls[1], calls[0])
	}
}

// saysWhether reports whether a result of a type only says whether something could be done: it is an error or a bool.
func saysWhether(typ types.Type) bool {
	return types.Identical(typ, testfile.ErrorType) || types.Identical(typ, types.Typ[types.Bool])
}

// takesBasics reports whether a method takes one or two values that Go can fuzz.
func takesBasics(fn *types.Func) bool {
	params := fn.Signature().Params()
	for p := range params.Variables() {
		if testfile.BasicOf(p.Type()) == nil {
			return false
		}
	}
	return !fn.Signature().Variadic() && params.Len() > 0 && params.Len() <= 2
}

// legibility is 0 for a method that returns text, and higher for results that are harder to read or say less.
func legibility(getter *types.Func) int {
	switch u := getter.Signature().Results().At(0).Type().Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString == 0 {
			return 2
		}
		return 0
	case *types.Slice:
		_, generic := u.Elem().(*types.TypeParam) // instantiated with a basic type if possible
		if generic || testfile.BasicOf(u) == nil && testfile.BasicOf(u.Elem()) != nil {
			return 1
		}
		return 3
	case *types.Map, *types.Array:
		return 3
	}
	return 4
}

// acts reports whether fn alters its receiver and returns only an error: it is an action and not a getter.
func (w *writer) acts(fn *types.Func) bool {
	results := fn.Signature().Results()
	return results.Len() == 1 && types.Identical(results.At(0).Type(), testfile.ErrorType) && w.methods.Alters(fn)
}
