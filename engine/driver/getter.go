package driver

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// maxWatched bounds the methods that are called after a call.
const maxWatched = 4

// getters writes calls of the exported methods of a value that take nothing and return something, do not panic by
// themselves in some states, which would make an input of no use for what was called before, and are no actions. Those come first whose
// results are easy to read, as nothing stands before them then, and of these those that say more: what is in a list rather than how much.
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
		fmt.Fprintf(b, "%s.%s()\n", value, fn.Name())
	}
}

// maxAsked is how many questions an input chooses from after a call.
const maxAsked = 2

// after asks the receiver of fn, a method that gives nothing, or no more than whether it could, what it has done, as Add shows it in what
// Find gives: methods that read what it uses.
func (m *maker) after(b *strings.Builder, fn *types.Func) {
	results := fn.Signature().Results()
	if results.Len() > 1 || results.Len() == 1 && !(saysWhether(results.At(0).Type()) && m.writer.methods.Alters(fn)) {
		return
	}
	m.questions(b, m.recv, m.recvType, func(q *types.Func) bool {
		return q.Origin() != fn.Origin() && m.sees(q) && m.writer.methods.Shares(q, fn)
	})
}

// questions writes calls of exported methods of a value that take something basic, alter nothing and serve. Those come first that take the
// least, and of these whose results are easy to read; of two the input chooses one.
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
	case maxAsked: // one of them in a run: what the other one is asked would only be in the way of a reader
		fmt.Fprintf(b, "if %s {\n%s} else {\n%s}\n", m.basic("other", types.Typ[types.Bool], types.Typ[types.Bool]), calls[1], calls[0])
	}
}

// saysWhether reports whether a result of a type only says whether something could be done.
func saysWhether(typ types.Type) bool {
	return types.Identical(typ, testfile.ErrorType) || types.Identical(typ, types.Typ[types.Bool])
}

// takesBasics reports whether a method takes one value or two, of basic types or lists of bytes.
func takesBasics(fn *types.Func) bool {
	params := fn.Signature().Params()
	for p := range params.Variables() {
		if testfile.BasicOf(p.Type()) == nil {
			return false
		}
	}
	return !fn.Signature().Variadic() && params.Len() > 0 && params.Len() <= 2
}

// legibility is 0 for a getter whose result is a text, and more for those that are harder to read, or say less.
func legibility(getter *types.Func) int {
	switch u := getter.Signature().Results().At(0).Type().Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString == 0 {
			return 2
		}
		return 0
	case *types.Slice:
		_, generic := u.Elem().(*types.TypeParam) // which gets a basic type if it can
		if generic || testfile.BasicOf(u) == nil && testfile.BasicOf(u.Elem()) != nil {
			return 1
		}
		return 3
	case *types.Map, *types.Array:
		return 3
	}
	return 4
}

// acts reports whether a method alters its receiver, and tells no more than whether it could: it is no question.
func (w *writer) acts(fn *types.Func) bool {
	results := fn.Signature().Results()
	return results.Len() == 1 && types.Identical(results.At(0).Type(), testfile.ErrorType) && w.methods.Alters(fn)
}
