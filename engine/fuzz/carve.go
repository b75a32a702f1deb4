package fuzz

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/fuzz/carving"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
)

// maxCarved bounds the seeds that a driver gets from the tests.
const maxCarved = 100

// carve gives the drivers of a function as seeds what the tests that were watched pass to it (Elbaum, Chin, Dwyer,
// Dokulil: Carving Differential Unit Test Cases from System Test Cases, FSE 2006): of the arguments those that are
// parameters of the driver, and zero for the rest.
func (f *Fuzzer) carve(w *watch) {
	for _, t := range f.Targets {
		site := f.drivenSite(t)
		if !t.calls(w.function) || site < 0 || f.Woven.Sites[site].Callee == "" {
			continue
		}
		places := carving.Places(t.Params, f.Woven.Sites[site].Source, f.Woven.Sites[w.site].Recv)
		if slices.ContainsFunc(places, func(i int) bool { return i >= 0 }) {
			f.addCarved(t, w, places)
		}
	}
}

// calls reports whether t is a driver that was made to call a function.
func (t *Target) calls(function string) bool {
	name, ok := strings.CutPrefix(function, t.Package+".")
	return ok && t.Driver && t.Func == weave.Driver+strings.ReplaceAll(name, ".", "_")
}

// addCarved adds what the calls of the tests had in some places to the corpus of t.
func (f *Fuzzer) addCarved(t *Target, w *watch, places []int) {
	n := 0
	for _, test := range w.tests {
		for _, run := range w.runs[test] {
			for _, o := range run.Observations {
				e, ok := carving.Entry(t.Types, o.Args, places)
				if !ok || t.known[e.ID] || n >= maxCarved {
					continue
				}
				t.known[e.ID] = true
				t.corpus, t.carved = append(t.corpus, e), append(t.carved, e)
				n++
			}
		}
	}
}
