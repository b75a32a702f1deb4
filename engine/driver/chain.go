package driver

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// Bounds on values that methods make from each other.
const (
	chainDepth = 4 // nesting of values
	maxLinks   = 3 // methods that are tried
)

// chained makes a value by a constructor without parameters and then up to two calls of methods that return another
// value of the type, as for an immutable tree or a builder. The input chooses the calls. Without such methods it fails.
func (m *maker) chained(name string, typ types.Type, ways []constructor, pointer bool) (string, bool) {
	if m.loops > 0 || m.depth > chainDepth || len(ways) == 0 || !ways[0].takesNothing() {
		return "", false
	}
	way := ways[0]
	links := m.links(typ)
	if len(links) == 0 || !types.Identical(way.sig.Results().At(0).Type(), typ) {
		return "", false
	}
	chains := [][]*types.Func{nil}
	for _, link := range links {
		chains = append(chains, []*types.Func{link})
	}
	chains = append(chains, []*types.Func{links[0], links[0]})
	if len(links) > 1 {
		chains = append(chains, []*types.Func{links[0], links[1]})
	}
	of := constructedName(way.sig)
	return m.oneOf(orElse(name, of), typ, len(chains), len(chains), func(i int) (string, bool) {
		value, ok := m.constructed("", way, pointer)
		for _, link := range chains[i] {
			list, why := m.arguments(link.Signature())
			if !ok || why != "" {
				return "", false
			}
			next := m.Fresh(of)
			m.do("%s%s := %s.%s%s", next, strings.Repeat(", _", link.Signature().Results().Len()-1), value, link.Name(), list)
			value = next
		}
		return value, ok
	})
}

// links returns methods that have parameters and whose first result is another value of their type. Methods named as if
// they add something come first.
func (m *maker) links(made types.Type) (list []*types.Func) {
	named, ok := testfile.Pointed(made).(*types.Named)
	if !ok || named.Obj().Pkg() != m.Pkg {
		return nil
	}
	for s := range types.NewMethodSet(types.NewPointer(named)).Methods() {
		fn, ok := s.Obj().(*types.Func)
		sig := fn.Signature()
		if ok && fn.Exported() && fn.Pkg() == m.Pkg && sig.Params().Len() > 0 && sig.Results().Len() > 0 && types.Identical(sig.Results().At(0).Type(), made) &&
			!types.Identical(sig.Results().At(sig.Results().Len()-1).Type(), testfile.ErrorType) && !isWaiting(fn) && m.writer.danger.Reason(fn) == "" && !slices.Contains(m.making, fn.Type()) {
			list = append(list, fn)
		}
	}
	slices.SortStableFunc(list, func(a, b *types.Func) int { return cmp.Compare(adds(a), adds(b)) })
	return list[:min(len(list), maxLinks)]
}

// adding are prefixes of the names of methods that are likely to put something into their receiver.
var adding = []string{"Insert", "Add", "Append", "Put", "Push", "Set", "With"}

// adds returns 0 for a method with such a name, else 1.
func adds(fn *types.Func) int {
	if slices.ContainsFunc(adding, func(word string) bool { return strings.HasPrefix(fn.Name(), word) }) {
		return 0
	}
	return 1
}
