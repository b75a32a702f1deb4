package callgraph

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// walk goes through the graph from some tests of a harness, breadth first.
type walk struct {
	graph   *Graph
	harness *harness
	methods map[string]bool       // names of exported methods that code outside calls on values; nil: any
	steps   map[*ssa.Function]int // to what has been reached
	queue   []*ssa.Function       // reached, and not yet looked at
	values  map[*valueType]bool   // types of values that code outside can get hold of
	invoked map[string]bool       // IDs of unexported methods that are called through interfaces
}

// reach notes that f, which may be nil, is reached in that many steps.
func (w *walk) reach(f *ssa.Function, steps int) {
	if _, seen := w.steps[f]; f == nil || seen {
		return
	}
	w.steps[f] = steps
	w.queue = append(w.queue, f)
}

// run follows everything that has been reached.
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

// hold notes that code outside can get hold of a value of type t.
func (w *walk) hold(t types.Type, steps int) {
	v := w.graph.valueType(t)
	if w.values[v] {
		return
	}
	w.values[v] = true
	for _, f := range v.exported {
		if w.methods == nil || w.methods[f.Name()] {
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

// invoke notes that an unexported method is called through an interface.
func (w *walk) invoke(id string, steps int) {
	if w.invoked[id] {
		return
	}
	w.invoked[id] = true
	for v := range w.values {
		w.reach(v.hidden[id], steps)
	}
}

// distances returns the steps to functions with IDs.
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
