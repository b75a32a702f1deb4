package callgraph

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// walk is a breadth-first walk through the graph from some tests of a harness.
type walk struct {
	graph   *Graph
	harness *harness
	methods map[string]bool       // names of exported methods that other code may call on values; nil: all
	steps   map[*ssa.Function]int // number of steps to each function reached so far
	queue   []*ssa.Function       // functions that are reached but not yet visited
	values  map[*valueType]bool   // types of values that other code can get hold of
	invoked map[string]bool       // IDs of unexported methods that are called through interfaces
}

// reach records that f, which may be nil, is reached in that many steps.
func (w *walk) reach(f *ssa.Function, steps int) {
	if _, seen := w.steps[f]; f == nil || seen {
		return
	}
	w.steps[f] = steps
	w.queue = append(w.queue, f)
}

// run visits everything that can be reached from the functions reached so far.
func (w *walk) run() {
	for len(w.queue) > 0 {
		f := w.queue[0]
		w.queue = w.queue[1:]
		n, next := w.graph.node(f), w.steps[f]+1
		for _, callee := range n.callees {
			w.reach(callee, next)
		}
		for _, t := range n.types {
			w.hold(t, next)
		}
		for _, id := range n.invoked {
			w.invoke(id, next)
		}
		if n.starts {
			for _, test := range w.harness.tests {
				w.reach(test, next)
			}
		}
	}
}

// hold records that code outside of the program can get hold of a value of type t.
func (w *walk) hold(t types.Type, steps int) {
	v := w.graph.valueType(t)
	if w.values[v] {
		return
	}
	w.values[v] = true
	for _, f := range v.exported {
		// Frameworks such as testify run methods TestXxx by reflection.
		if w.methods == nil || w.methods[f.Name()] || strings.HasPrefix(f.Name(), "Test") {
			w.reach(f, steps)
		}
	}
	for id, f := range v.hidden {
		if w.invoked[id] {
			w.reach(f, steps)
		}
	}
	for _, part := range v.parts {
		w.hold(part, steps)
	}
}

// invoke records that the unexported method with an ID is called through an interface.
func (w *walk) invoke(id string, steps int) {
	if w.invoked[id] {
		return
	}
	w.invoked[id] = true
	for v := range w.values {
		w.reach(v.hidden[id], steps)
	}
}

// distances returns the number of steps to each function with an ID.
func (w *walk) distances() map[string]int {
	all := map[string]int{}
	for f, steps := range w.steps {
		id := w.graph.node(f).id
		if known, ok := all[id]; id != "" && (!ok || steps < known) {
			all[id] = steps
		}
	}
	return all
}
