//go:build go1.21

package state

import (
	"sort"
	"sync"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// marked lists the mutants whose expression was evaluated since the last ClearMarks.
var marked struct {
	mu  sync.Mutex
	ids []int32
}

// Differs returns v, and notes whether mutant id would have changed it to mutated. This is Mu2's
// infection check, made exact by comparing the values themselves. T must not be or contain an interface:
// comparing interfaces can panic.
func Differs[T comparable](id int, v, mutated T) T {
	note(id, v != mutated)
	return v
}

// WhenTrue returns v, and notes that mutant id changes the state if v is true.
func WhenTrue[B ~bool](id int, v B) B {
	note(id, bool(v))
	return v
}

// WhenFalse returns v, and notes that mutant id changes the state if v is false.
func WhenFalse[B ~bool](id int, v B) B {
	note(id, !bool(v))
	return v
}

// note sets the marks of a mutant. Most calls find them set already.
func note(id int, infected bool) {
	have := Marks[id]
	if have == 0 || infected && have&wire.MarkInfected == 0 {
		mark(id, infected)
	}
}

func mark(id int, infected bool) {
	marked.mu.Lock()
	if Marks[id] == 0 {
		marked.ids = append(marked.ids, int32(id))
	}
	Marks[id] |= wire.MarkEvaluated
	if infected {
		Marks[id] |= wire.MarkInfected
	}
	marked.mu.Unlock()
}

// ClearMarks resets all marks.
func ClearMarks() {
	if len(marked.ids) == 0 {
		return
	}
	marked.mu.Lock()
	for _, id := range marked.ids {
		Marks[id] = 0
	}
	marked.ids = marked.ids[:0]
	marked.mu.Unlock()
}

// Evaluated returns the mutants whose expression was evaluated since the last ClearMarks. The result is valid
// until the next ClearMarks.
func Evaluated() []int32 { return marked.ids }

// InfectedMutants returns the mutants that infected the state in the last run, ascending.
func InfectedMutants() []int {
	var list []int
	for _, id := range marked.ids {
		if Marks[id]&wire.MarkInfected != 0 {
			list = append(list, int(id))
		}
	}
	sort.Ints(list)
	return list
}

// MarkedMutants returns the mutants whose expression was evaluated since the last ClearMarks. The number of a
// mutant that also infected the state is negated.
func MarkedMutants() []int {
	marked.mu.Lock()
	defer marked.mu.Unlock()
	list := make([]int, len(marked.ids))
	for i, id := range marked.ids {
		list[i] = int(id)
		if Marks[id]&wire.MarkInfected != 0 {
			list[i] = -list[i]
		}
	}
	return list
}
