package fuzz

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/fuzz/carving"
)

// maxCarved bounds the seeds that one watch adds to a driver.
const maxCarved = 100

// carve turns the calls that watched tests make to a function into seeds for the function's drivers (Elbaum, Chin,
// Dwyer, Dokulil: Carving Differential Unit Test Cases from System Test Cases, FSE 2006). An argument of such a call
// becomes the driver's parameter that is passed in its place. The driver's other parameters are zero.
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

// driven returns the IDs of the functions that the drivers call.
func (f *Fuzzer) driven() map[string]bool {
	functions := map[string]bool{}
	for _, t := range f.Targets {
		if site := f.DrivenSite(t); t.Driver && site >= 0 {
			functions[f.Woven.Sites[site].Function] = true
		}
	}
	return functions
}

// addCarved adds the calls of w to the corpus of t. places says which argument each parameter takes; see
// carving.Places.
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
