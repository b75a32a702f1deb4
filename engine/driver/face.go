package driver

import (
	"go/types"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// throughInterface makes a receiver of a type that other packages cannot name in the way they get one: a public
// function that names the type returns it as an interface that has method.
func (m *maker) throughInterface(name string, named *types.Named, method *types.Func) (string, bool) {
	w := m.writer
	if named.Obj().Exported() || !method.Exported() || named.TypeParams().Len() > 0 || w.kind.NoConstructors || w.kind.NoEntries {
		return "", false
	}
	for _, d := range functionsIn(w.pkg) {
		fn, ok := w.pkg.TypesInfo.Defs[d.Name].(*types.Func)
		if !ok || isTestFile(w.pkg, d) || !isPublic(fn) || fn.Signature().Recv() != nil || fn.Signature().TypeParams().Len() > 0 ||
			!w.methods.Uses(d, named.Obj()) || w.danger.Reason(fn) != "" {
			continue
		}
		face := faceOf(fn)
		if face == nil || !types.Implements(types.NewPointer(named), face) || !hasMethod(face, method) {
			continue
		}
		expr, ok := m.try(func() (string, bool) {
			return m.constructed(name, constructor{fn.Name(), fn.Signature(), nil, fn}, false)
		})
		if ok {
			m.face = face
			return expr, true
		}
	}
	return "", false
}

// faceOf returns the interface of its own package that fn returns, alone or with an error; nil: none. Calls of methods
// of other packages' interfaces are not observed.
func faceOf(fn *types.Func) *types.Interface {
	results := fn.Signature().Results()
	if results.Len() == 0 || results.Len() > 2 || results.Len() == 2 && !types.Identical(results.At(1).Type(), testfile.ErrorType) {
		return nil
	}
	named, ok := types.Unalias(results.At(0).Type()).(*types.Named)
	if !ok || named.Obj().Pkg() != fn.Pkg() {
		return nil
	}
	face, _ := named.Underlying().(*types.Interface)
	return face
}

// hasMethod reports whether an interface has a method with the name of fn.
func hasMethod(face *types.Interface, fn *types.Func) bool {
	return slices.ContainsFunc(slices.Collect(face.Methods()), func(m *types.Func) bool { return m.Name() == fn.Name() })
}

// sees reports whether the driver can call fn on the receiver: an interface that holds it may lack fn.
func (m *maker) sees(fn *types.Func) bool { return m.face == nil || hasMethod(m.face, fn) }
