package driver

import (
	"cmp"
	"go/types"

	"github.com/mutantfuzz/mutantfuzz/engine/driver/usage"
	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// startsEmpty reports whether a receiver of a type is made as other packages make one: they cannot set all of its fields, and have no
// constructor, but the tests begin with values in which none of these fields is set, and some method can fill it.
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

// inTests is how tests of the package come by values.
func (w *writer) inTests() *usage.Usage {
	if w.usage == nil {
		w.usage = usage.Of(w.tests, w.pkg.PkgPath)
	}
	return w.usage
}

// byUse sorts methods by how likely they are to put something into their receiver: those that take something and give nothing, or an
// error, then others that take something.
func byUse(a, b *types.Func) int { return cmp.Compare(useOf(a), useOf(b)) }

// useOf is 0 for the likeliest.
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
