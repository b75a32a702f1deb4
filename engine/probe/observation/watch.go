//go:build go1.21

package observation

import (
	"os"
	"reflect"
	"sync"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// maxCalls is how many calls are recorded in one run of a test.
const maxCalls = 100

// Watcher records the calls of one function. While it records a call it ignores others, such as recursive ones.
type Watcher struct {
	mu       sync.Mutex
	inside   bool // a call has begun and not ended
	recorder Recorder
}

// Reset starts an empty record. Home is the Home of a Recorder.
func (w *Watcher) Reset(home string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.inside = false
	w.recorder.Exported, w.recorder.Program, w.recorder.Home = true, true, home
	w.recorder.Reset(true)
}

// Call notes a call of the function at site with the given operands. The caller has to pass the results to done.
func (w *Watcher) Call(site int, operands ...any) (done func(results ...any)) {
	w.mu.Lock()
	ignored := w.inside || len(w.recorder.events) >= maxCalls
	w.inside = w.inside || !ignored
	w.mu.Unlock()
	if ignored {
		return func(...any) {}
	}
	// Without the lock: to render an operand may call the function itself, where that is its method Error or String.
	_ = os.Getenv(wire.RunBegins)
	var arguments []argument
	for _, v := range operands {
		arguments = append(arguments, w.recorder.newArgument(site, v, reflect.TypeOf(v)))
	}
	return func(results ...any) {
		_ = os.Getenv(wire.RunEnds)
		o := w.recorder.observation(site, arguments, results, failure(results))
		w.mu.Lock()
		w.inside = false
		w.mu.Unlock()
		w.recorder.add(o)
	}
}

// Calls returns the calls that have returned since Reset.
func (w *Watcher) Calls() []wire.Observation { return w.recorder.Finish() }
