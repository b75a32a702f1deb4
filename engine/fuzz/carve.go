package fuzz

import (
	"go/ast"
	"go/parser"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// maxCarved bounds the seeds that a driver gets from the tests.
const maxCarved = 100

// carve gives the drivers of a function as seeds what the tests that were watched pass to it (Elbaum, Chin, Dwyer,
// Dokulil: Carving Differential Unit Test Cases from System Test Cases, FSE 2006): of the arguments those that are
// parameters of the driver, and zero for the rest.
func (f *Fuzzer) carve(w *watch) {
	function := w.mutants[0].Function
	for _, t := range f.Targets {
		site := f.drivenSite(t)
		if !t.Driver || !t.drives(function) || site < 0 || f.Woven.Sites[site].Callee == "" {
			continue
		}
		places := t.places(f.Woven.Sites[site].Source)
		if !strings.HasSuffix(function, "."+t.made.Calls) || !slices.ContainsFunc(places, func(i int) bool { return i >= 0 }) {
			continue
		}
		if f.Woven.Sites[w.site].Recv { // which is observed before the arguments
			for i := range places {
				if places[i] >= 0 {
					places[i]++
				}
			}
		}
		f.addCarved(t, w, places)
	}
}

// addCarved adds what the calls of the tests had in some places to the corpus of t.
func (f *Fuzzer) addCarved(t *Target, w *watch, places []int) {
	n := 0
	for _, test := range w.tests {
		for _, run := range w.runs[test] {
			for _, o := range run.Observations {
				e, ok := t.entryOf(o.Args, places)
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

// places are, for each parameter of t, the index of the argument that it is in the driver's call, perhaps
// converted; -1 for those that are none.
func (t *Target) places(call string) []int {
	places := make([]int, len(t.Params))
	for i := range places {
		places[i] = -1
	}
	x, _ := parser.ParseExpr(call)
	c, ok := x.(*ast.CallExpr)
	if !ok {
		return places
	}
	for i, arg := range c.Args {
		if id, ok := unconverted(arg).(*ast.Ident); ok {
			if p := slices.Index(t.Params, id.Name); p >= 0 {
				places[p] = i
			}
		}
	}
	return places
}

// unconverted is what a chain of conversions converts.
func unconverted(e ast.Expr) ast.Expr {
	for {
		c, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok || len(c.Args) != 1 {
			return ast.Unparen(e)
		}
		e = c.Args[0]
	}
}

// zeros are zero values of types that can be fuzzed, as a corpus entry has them between the parentheses.
var zeros = map[string]string{"string": `""`, "[]byte": `""`, "bool": "false"}

// entryOf is the entry with the arguments in some places, as Go source; it is not ok if one has no form as a constant.
func (t *Target) entryOf(args []string, places []int) (e corpus.Entry, ok bool) {
	var b strings.Builder
	b.WriteString("go test fuzz v1\n")
	for i, typ := range t.Types {
		value := orZero(typ)
		if at := places[i]; at >= 0 {
			if at >= len(args) || args[at] == "" {
				return e, false
			}
			x, err := parser.ParseExpr(args[at])
			if err != nil {
				return e, false
			}
			inner := unconverted(x)
			value = args[at][inner.Pos()-1 : inner.End()-1]
		}
		b.WriteString(typ + "(" + value + ")\n")
	}
	values, err := wire.DecodeEntry(b.String())
	if err != nil {
		return e, false
	}
	return corpus.NewEntry([]byte(wire.EncodeEntry(values))), true
}

func orZero(typ string) string {
	if z, ok := zeros[typ]; ok {
		return z
	}
	return "0"
}
