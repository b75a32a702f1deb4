package driver

import (
	"go/types"
	"slices"
	"strings"
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
	return m.try(func() (string, bool) {
		made := 0
		list, _ := m.loop(name, typ, func(v string) bool {
			outer := m.body.String()
			m.body.Reset()
			for _, fn := range m.optionsOf(named) {
				if _, ok := m.try(func() (string, bool) { return m.option(v, made, fn, named) }); ok {
					made++
				}
			}
			cases := m.body.String()
			m.body.Reset()
			m.body.WriteString(outer)
			if made > 0 {
				m.do("switch %s {\n%s}", m.readUpTo(made-1), cases)
			}
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
		return pkg != m.pkg && !fn.Exported() || strings.HasPrefix(fn.Name(), "Must") || slices.Contains(m.making, fn.Type()) ||
			fn.Signature().Results().Len() != 1 || m.inTest(fn) || m.writer.danger.Reason(fn) != ""
	})
	return list[:min(len(list), maxOptions)]
}

// option writes the n-th case, which adds what fn makes to a list.
func (m *maker) option(list string, n int, fn *types.Func, named *types.Named) (string, bool) {
	sig, callee := m.instance(fn, named)
	if sig == nil || !makes(sig, named) {
		return "", false
	}
	m.do("case %d:", n)
	args, why := m.arguments(sig)
	m.do("%s = append(%s, %s%s)", list, list, callee, args)
	return "", why == ""
}
