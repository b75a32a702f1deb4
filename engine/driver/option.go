package driver

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// maxOptions bounds how many functions that make options a driver chooses from.
const maxOptions = 16

// options fills a list of values that are functions, or have unknown types, by calls of the functions of their package
// that make such values, as in New(WithClasses(true), WithPrefix("a")). It is not ok where there are not several.
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
			m.do("switch %s {\n%s}", m.readUpTo(max(made-1, 0)), cases)
			return true
		})
		return list, made > 1
	})
}

// optional reports whether a type is that of options: functions, or an interface.
func (m *maker) optional(named *types.Named) bool {
	switch u := named.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Interface:
		return u.NumMethods() > 0 && named.Obj().Pkg() != nil
	}
	return false
}

// optionsOf are the functions of its package that make values of a type and can be called here.
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

// option adds what fn makes to a list.
func (m *maker) option(list string, fn *types.Func, named *types.Named) bool {
	sig, callee := m.instance(fn, named)
	if sig == nil || !testfile.Makes(sig, named) {
		return false
	}
	args, why := m.arguments(sig)
	m.do("%s = append(%s, %s%s)", list, list, callee, args)
	return why == ""
}
