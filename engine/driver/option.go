package driver

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// maxOptions bounds the option functions that a driver chooses from.
const maxOptions = 16

// options fills a slice of options, which are functions or of an interface type, by calls of functions of their package
// that make them, as in New(WithClasses(true), WithPrefix("a")). It fails if there are fewer than two such functions.
func (m *maker) options(name string, typ types.Type, elem types.Type) (string, bool) {
	named, ok := types.Unalias(elem).(*types.Named)
	if !ok || m.writer.kind.NoConstructors || !m.optional(named) || m.isBeingMade(named) {
		return "", false
	}
	m.making = append(m.making, named)
	defer func() { m.making = m.making[:len(m.making)-1] }()
	fns := m.optionsOf(named)
	return m.try(func() (string, bool) {
		made := 0
		list, _ := m.loop(name, typ, func(v string) (ok bool) {
			var cases string
			cases, made = m.cases(len(fns), 0, maxOptions, func(i int) bool { return m.option(v, fns[i], named) })
			m.do("switch %s {\n%s}", m.readCall(max(made-1, 0)), cases)
			return true
		})
		return list, made > 1
	})
}

// optional reports whether a type may be that of options: a function type, or an interface type with methods.
func (m *maker) optional(named *types.Named) bool {
	switch u := named.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Interface:
		return u.NumMethods() > 0 && named.Obj().Pkg() != nil
	}
	return false
}

// optionsOf returns the functions of a type's package that make options of it and that a driver may call.
func (m *maker) optionsOf(named *types.Named) []*types.Func {
	pkg := named.Obj().Pkg()
	if pkg == nil {
		return nil
	}
	list := slices.DeleteFunc(slices.Clone(m.writer.constructorsOf(pkg)[named.Obj()]), func(fn *types.Func) bool {
		return pkg != m.Pkg && !fn.Exported() || strings.HasPrefix(fn.Name(), "Must") || slices.Contains(m.making, fn.Type()) ||
			fn.Signature().Results().Len() != 1 || m.writer.inTest(fn) || m.writer.danger.Reason(fn) != ""
	})
	return list
}

// option writes a statement that appends the option that fn makes to list.
func (m *maker) option(list string, fn *types.Func, named *types.Named) bool {
	sig, callee := m.instance(fn, named)
	if sig == nil || !testfile.Makes(sig, named) {
		return false
	}
	args, why := m.arguments(sig)
	m.do("%s = append(%s, %s%s)", list, list, callee, args)
	return why == ""
}
