package driver

import (
	"go/types"

	"github.com/mutantfuzz/mutantfuzz/engine/driver/seed"
)

// seeds are arguments for the fuzz function of fn's driver, as Go source: zero values, and constants that
// stand together in the package's tests that name fn, as the rows of a table and the arguments of a call do. Rows are those of them that are as a
// test would pass them.
func (m *maker) seeds(fn *types.Func) (list, rows [][]string) {
	form := seed.Form{Params: m.fuzzed, Reads: m.reads, Anys: m.anys}
	if m.writer.kind.NoConstants {
		return form.Seeds(nil)
	}
	return form.Seeds(m.writer.constantsBeside(fn, m.constructors))
}

// constantsBeside are the constants that stand in one call or one composite literal of a test function, or
// a helper, that names fn, or where none does a function like it, and then some of those that name a constructor of what it is called with.
// Those of the body of fn itself come last.
func (w *writer) constantsBeside(fn *types.Func, constructors []*types.Func) (groups [][]seed.Constant) {
	groups = w.constantsOfTests(fn)
	if len(groups) == 0 {
		for _, like := range seed.Alike(fn, w.functions()) {
			groups = append(groups, w.constantsOfTests(like)...)
		}
	}
	for _, made := range constructors {
		list := w.constantsOfTests(made.Origin())
		groups = append(groups, list[:min(len(list), maxBesideConstructor)]...)
	}
	for _, d := range functionsIn(w.pkg) {
		if w.pkg.TypesInfo.Defs[d.Name] == fn {
			groups = append(groups, seed.Constants(w.pkg.TypesInfo, d.Body, "")...)
			groups = append(groups, seed.OfVariables(w.pkg, d.Body)...)
		}
	}
	return groups
}

// maxBesideConstructor is how many groups of constants there are for one constructor: where all tests call it, most are about something else.
const maxBesideConstructor = 16

// constantsOfTests are those of the test functions that name fn.
func (w *writer) constantsOfTests(fn *types.Func) (groups [][]seed.Constant) {
	for info, body := range w.testsOf(fn) {
		groups = append(groups, seed.Constants(info, body, fn.Name())...)
	}
	return groups
}
