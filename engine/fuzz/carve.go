package fuzz

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/fuzz/carving"
)

// maxCarved bounds the seeds that a driver gets from the tests.
const maxCarved = 100

// carve gives the drivers of a function as seeds what the tests that were watched pass to it (Elbaum, Chin, Dwyer,
// Dokulil: Carving Differential Unit Test Cases from System Test Cases, FSE 2006): of the arguments those that are
// parameters of the driver, and zero for the rest.
func (f *Fuzzer) carve(w *watch) {
	for _, t := range f.Targets {
		site := f.DrivenSite(t)
		if !t.Driver || site < 0 || f.Woven.Sites[site].Function != w.function {
			continue
		}
		places := carving.Places(t.Params, f.Woven.Sites[site].Source, f.Woven.Sites[w.site].Recv)
		if slices.ContainsFunc(places, func(i int) bool { return i >= 0 }) {
			f.addCarved(t, w, places)
		}
	}
}

// driven are the IDs of the functions that drivers were made to call.
func (f *Fuzzer) driven() map[string]bool {
	functions := map[string]bool{}
	for _, t := range f.Targets {
		if site := f.DrivenSite(t); t.Driver && site >= 0 {
			functions[f.Woven.Sites[site].Function] = true
		}
	}
	return functions
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
