package driver

import (
	"cmp"
	"go/types"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// Bounds on the search for a public function that leads to another function.
const (
	maxEntries = 6 // public functions that are tried
	maxSteps   = 4 // calls from the one to the other
)

// isPublic reports whether other packages can call fn by its name.
func isPublic(fn *types.Func) bool {
	named := testfile.ReceiverNamed(fn)
	return fn.Exported() && (named == nil || named.Obj().Exported())
}

// entries returns public functions from which calls lead to fn, nearest first. What they pass to fn is what callers can
// bring about.
func (w *writer) entries(fn *types.Func) (list []*types.Func) {
	seen := map[*types.Func]bool{fn: true}
	next := []*types.Func{fn}
	for range maxSteps {
		var callers []*types.Func
		for _, callee := range next {
			for _, caller := range w.callersOf(callee) {
				if !seen[caller] {
					seen[caller] = true
					callers = append(callers, caller)
				}
			}
		}
		for _, caller := range callers {
			if isPublic(caller) && len(list) < maxEntries {
				list = append(list, caller)
			}
		}
		next = callers
	}
	return list
}

// callersOf returns the functions of the package, without its tests, that use fn: directly, through an interface that
// fn's type implements, or by returning a reader whose Read is fn.
func (w *writer) callersOf(fn *types.Func) []*types.Func {
	if w.callers == nil {
		w.callers = map[*types.Func][]*types.Func{}
		for _, caller := range w.functions() {
			for _, callee := range w.danger.Calls(caller) {
				w.callers[callee] = append(w.callers[callee], caller)
			}
		}
	}
	named := testfile.ReceiverNamed(fn)
	if named == nil || named.TypeParams().Len() > 0 {
		return w.callers[fn]
	}
	list := slices.Concat(w.callers[fn], w.makersOf(fn))
	for callee, callers := range w.callers {
		recv := callee.Signature().Recv()
		if recv == nil || callee.Name() != fn.Name() {
			continue
		}
		if u, ok := recv.Type().Underlying().(*types.Interface); ok && types.Implements(types.NewPointer(named), u) {
			list = append(list, callers...)
		}
	}
	slices.SortFunc(list, func(a, b *types.Func) int { return cmp.Compare(a.Pos(), b.Pos()) })
	return list
}

// functions returns the functions that the package declares outside of its tests, in source order.
func (w *writer) functions() (list []*types.Func) {
	for _, d := range functionsIn(w.pkg) {
		if fn, ok := w.pkg.TypesInfo.Defs[d.Name].(*types.Func); ok && !isTestFile(w.pkg, d) {
			list = append(list, fn)
		}
	}
	return list
}
