//go:build go1.21

package runtime

import (
	"reflect"
	"sync"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Watch is the site of the function whose calls are recorded, in a job of wire.JobWatch. Woven code compares it
// where a mutant, or the probed clone, is active.
var Watch = -1

// watched is what the calls of that function gave in the run going on.
var watched watcher

// maxCalls is how many calls are recorded in one run of a test.
const maxCalls = 100

// watcher records the calls of one function: not those that it makes of itself, directly or not.
type watcher struct {
	mu       sync.Mutex
	inside   bool // a call has begun and not ended
	recorder recorder
}

// Call notes that the function at site is called with some operands, and returns what is to be told its results.
func Call(site int, operands ...any) (done func(results ...any)) {
	w := &watched
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.inside || len(w.recorder.events) >= maxCalls {
		return func(...any) {}
	}
	w.inside = true
	var arguments []argument
	for _, v := range operands {
		arguments = append(arguments, newArgument(site, v, reflect.TypeOf(v), true))
	}
	return func(results ...any) {
		o := w.recorder.observation(site, arguments, results)
		w.mu.Lock()
		w.inside = false
		w.mu.Unlock()
		w.recorder.add(o)
	}
}

// watch runs each test as often as the job wants it, and reports the calls.
func (x *trials) watch() {
	Watch = x.job.Watch
	defer func() { Watch = -1 }()
	mutant := int(M) // of the environment
	for _, test := range x.job.Tests {
		for repeat := 0; repeat < max(1, x.job.Repeat); repeat++ {
			watched = watcher{recorder: recorder{render: true, exported: true}}
			outcome, _ := x.run(mutant, test)
			x.events.send(wire.Event{Event: wire.EventRun, Run: &wire.Run{
				Entry: test.Name, Mutant: mutant, Repeat: repeat, Outcome: outcome, Observations: watched.recorder.finish(), Steps: x.steps,
			}})
		}
	}
}
