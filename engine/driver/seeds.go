package driver

import (
	"go/types"

	"github.com/mutantfuzz/mutantfuzz/engine/driver/seed"
)

// seeds returns arguments for the fuzz function of fn's driver, as Go source: zero values, then constants that belong
// together in tests that name fn, as in the row of a table. rows are those that a test could pass as they are.
func (m *maker) seeds(fn *types.Func) (list, rows [][]string) {
	form := seed.Form{Params: m.fuzzed, Reads: m.reads, Anys: m.anys}
	if m.writer.kind.NoConstants {
		return form.Seeds(nil)
	}
	return form.Seeds(m.writer.constantsBeside(fn, m.constructors))
}

// constantsBeside returns groups of constants for fn: from test functions and helpers that name fn, or, if there are
// none, a function like it; then some from those that name a constructor of its arguments; then from fn itself.
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

// maxBesideConstructor bounds the groups for one constructor: if all tests call it, most are about something else.
const maxBesideConstructor = 16

// constantsOfTests returns the groups of constants in the test functions that name fn.
func (w *writer) constantsOfTests(fn *types.Func) (groups [][]seed.Constant) {
	for info, body := range w.testsOf(fn) {
		groups = append(groups, seed.Constants(info, body, fn.Name())...)
	}
	return groups
}
