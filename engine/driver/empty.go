package driver

import (
	"cmp"
	"go/types"

	"github.com/mutantfuzz/mutantfuzz/engine/driver/usage"
	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// startsEmpty reports whether the driver leaves a receiver of this type empty, as other packages do: they cannot set
// all its fields and have no constructor, tests begin with such values, and an exported method can fill it.
func (m *maker) startsEmpty(named *types.Named) bool {
	if !isPublic(m.fn) || m.writer.kind.NoConstructors || m.writer.hasConstructor(named) || !m.hidden(named) || !m.writer.inTests().BeginsEmpty(named) {
		return false
	}
	for s := range types.NewMethodSet(types.NewPointer(named)).Methods() {
		fn, ok := s.Obj().(*types.Func)
		if ok && fn.Exported() && fn.Signature().Params().Len() > 0 && m.changes(fn) {
			return true
		}
	}
	return false
}

// inTests returns how the tests of the package get values of types.
func (w *writer) inTests() *usage.Usage {
	if w.usage == nil {
		w.usage = usage.Of(w.tests, w.pkg.PkgPath)
	}
	return w.usage
}

// byUse sorts methods by useOf.
func byUse(a, b *types.Func) int { return cmp.Compare(useOf(a), useOf(b)) }

// useOf is 0 for methods that take something and return nothing or an error, 1 for others that take something, else 2.
// Methods with lower values are more likely to put something into their receiver.
func useOf(fn *types.Func) int {
	results := fn.Signature().Results()
	switch {
	case fn.Signature().Params().Len() == 0:
		return 2
	case results.Len() == 0 || results.Len() == 1 && types.Identical(results.At(0).Type(), testfile.ErrorType):
		return 0
	}
	return 1
}
