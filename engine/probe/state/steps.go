//go:build go1.21

package state

import (
	"bytes"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Steps is what is left of the current chunk of steps. Woven code counts it
// down at function entries and loop heads and calls Stepped below zero. It starts
// so high that nothing is counted without an environment.
var Steps int64 = math.MaxInt64

// steps turns hangs, endless recursion and the use of too much memory into panics.
var steps meter

// meter accounts for steps chunk by chunk. Goroutines count Steps down
// without synchronisation, so the count is a good estimate, and exact where
// one goroutine steps.
//
// Mu2 bounds its mutants the same way, by counting loop iterations; there the
// program can swallow the exception, here further steps panic again: soon, since deferred functions
// step, too, and a panic in each of them at a great depth takes the run-time for ever, then sooner, in
// the end at every step.
type meter struct {
	mu    sync.Mutex
	chunk int64 // what Steps was set to
	taken int64 // steps of earlier chunks
	bound int64 // 0: none
	stop  *Stop // set: steps panic with it
	grace int64 // steps after such a panic until the next

	each int64 // what bound grows by where it parks a goroutine
	park int   // how many goroutines may yet be parked

	looks chan struct{} // closed when the parked goroutine that looks at the others need not any more; nil: none was parked

	stackLimit uint64 // bytes of stacks; 0: never armed
	heapLimit  uint64 // bytes of objects; 0: no limit

	allocLimit  uint64 // bytes allocated since the process began; 0: any number
	allocated   uint64 // of these, as of the last chunk
	next        int64  // steps of the next chunk, with such a limit
	unpublished int64  // steps taken that the state file does not have yet

	sample [3]metrics.Sample
}

// With a limit on what is allocated a chunk begins with firstChunk steps and grows as long as less than a part of the limit in
// allocPart is allocated in one: a loop that copies an ever longer list fills the memory in fewer steps than a chunk has.
const (
	firstChunk = 1 << 10
	allocPart  = 64
)

// Bounds on how far stacks may grow, in bytes, above what they take at the start.
const (
	maxStack = 256 << 20 // well below the gigabyte at which the Go run-time kills the process
	// Tests that need more without a mutant get more memory, and this part of it for stacks.
	stackPart = 8
)

// maxParked is how many goroutines that tests do not run in are parked in a process.
const maxParked = 16

// maxGrace is how many steps at most deferred functions take after the first panic: half of them before the second.
const maxGrace = 8 << 20

// Stop is the value that a step panics with: the bound that was exceeded.
type Stop struct {
	Flag    uint32 // of wire
	Message string
}

// Error makes the message readable where the program prints what it recovers.
func (s *Stop) Error() string { return "mutantfuzz: " + s.Message }

// Stepped is what woven code calls when a chunk of steps is used up. It panics
// when a bound is exceeded, and from then on again and again until the run ends,
// so that the program's own recover cannot keep it alive. In other goroutines than
// the run's the panic ends the process; the state file has the reason.
func Stepped() {
	if !steps.refill() {
		steps.stay()
	}
}

// Arm prepares the checks of stack and heap, from what they take now.
func Arm() { steps.arm(given.memory, given.allocated) }

// arm prepares the checks of stack and heap, and of what is allocated. A number of 0 bytes means no
// limit.
func (m *meter) arm(memory, allocated int64) {
	m.sample[0].Name = "/memory/classes/heap/stacks:bytes"
	m.sample[1].Name = "/memory/classes/heap/objects:bytes"
	m.sample[2].Name = "/gc/heap/allocs:bytes"
	metrics.Read(m.sample[:])
	m.stackLimit = maxStack
	if memory > 0 {
		// Garbage not yet collected and stacks being copied count towards the
		// system's limit, so ours has to come well before.
		m.heapLimit = uint64(memory) / 2
		m.stackLimit = max(min(m.stackLimit, uint64(memory)/4), uint64(memory)/stackPart)
	}
	if m.stackLimit > maxStack {
		debug.SetMaxStack(int(min(2*m.stackLimit, math.MaxInt32)))
	}
	m.stackLimit += m.sample[0].Value.Uint64()
	if allocated > 0 {
		m.allocated = m.sample[2].Value.Uint64()
		m.allocLimit, m.next = m.allocated+uint64(allocated), firstChunk
	}
}

// beginTests is begin for a process that runs tests, until it ends.
func (m *meter) beginTests(bound int64) {
	m.begin(bound)
	m.each, m.park = bound, maxParked
}

// begin starts counting from 0 towards bound (0: none).
func (m *meter) begin(bound int64) {
	m.mu.Lock()
	m.taken, m.bound, m.stop, m.park = 0, bound, nil, 0
	m.load()
	m.mu.Unlock()
}

// end gives the number of steps since begin and takes the bound away.
func (m *meter) end() (taken int64, stopped *Stop) {
	m.mu.Lock()
	taken, stopped = m.taken, m.stop
	if stopped == nil {
		taken += m.chunk - Steps
	}
	m.taken, m.bound, m.stop = 0, 0, nil
	m.load()
	m.mu.Unlock()
	return taken, stopped
}

// load puts the next chunk into Steps.
func (m *meter) load() {
	m.chunk = wire.StepChunk
	if m.allocLimit > 0 {
		m.chunk = m.next
	}
	if m.bound > 0 {
		m.chunk = min(m.chunk, m.bound-m.taken)
	}
	Steps = m.chunk
}

// refill accounts for a chunk used up and loads the next, unless a bound is
// exceeded. It returns false if the goroutine is not to go on.
func (m *meter) refill() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if Steps >= 0 {
		return true // another goroutine was faster
	}
	if m.stop != nil {
		m.halt()
	}
	m.taken += m.chunk
	m.publish()
	goesOn := true
	switch stop := m.exceeded(); {
	case stop == nil:
	case stop.Flag == wire.FlagHang && m.park > 0 && !runsTest():
		m.park--
		m.bound += m.each
		goesOn = false
	default:
		m.stopAt(stop)
	}
	m.load()
	return goesOn
}

// stopAt panics with stop, as later steps do.
func (m *meter) stopAt(stop *Stop) {
	m.stop = stop
	page.flags |= stop.Flag
	m.grace = min(2*m.taken, maxGrace) // at each level that is left a step was taken
	m.halt()
}

// Between looks at the other goroutines a parked one waits, each time twice as long, from firstLook to lastLook.
const (
	firstLook = 5 * time.Millisecond
	lastLook  = 320 * time.Millisecond
)

// stay is where a goroutine is parked: for ever, unless soon every other one waits for another and can never go on; then it is
// stopped, as what a test waits for. Of several that are parked the last one looks.
func (m *meter) stay() {
	relieved := make(chan struct{})
	m.mu.Lock()
	if m.looks != nil {
		close(m.looks)
	}
	m.looks = relieved
	m.mu.Unlock()
	for pause := firstLook; pause <= lastLook; pause *= 2 {
		select {
		case <-relieved:
			select {}
		case <-time.After(pause):
		}
		if wire.ProvesDeadlock(others()) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.stopAt(&Stop{wire.FlagHang, "the step bound was exceeded"})
		}
	}
	select {}
}

// others returns the stacks of all goroutines but this one; nothing if they are too many to tell.
func others() []byte {
	stacks := make([]byte, 1<<20)
	n := runtime.Stack(stacks, true)
	if n == len(stacks) {
		return nil
	}
	_, rest, _ := bytes.Cut(stacks[:n], []byte("\n\n")) // this one's is the first
	return rest
}

// runsTest reports whether a test runs in this goroutine, or TestMain and what comes before it.
func runsTest() bool {
	stack := make([]byte, 64<<10) // of a deep one the run-time leaves the middle out
	stack = stack[:runtime.Stack(stack, false)]
	return bytes.HasPrefix(stack, []byte("goroutine 1 ")) || bytes.Contains(stack, []byte("created by testing."))
}

// publish writes the steps taken into the state file, but not more often than whole chunks are used up: steps that
// take long are no progress.
func (m *meter) publish() {
	m.unpublished += m.chunk
	if m.allocLimit == 0 || m.unpublished >= wire.StepChunk {
		page.steps += m.unpublished
		m.unpublished = 0
	}
}

// halt panics, and lets deferred functions run for half as many steps as after the panic before.
func (m *meter) halt() {
	m.grace /= 2
	Steps = m.grace
	panic(m.stop)
}

// exceeded returns the bound that is exceeded, or nil.
func (m *meter) exceeded() *Stop {
	if m.bound > 0 && m.taken >= m.bound {
		return &Stop{wire.FlagHang, "the step bound was exceeded"}
	}
	if m.stackLimit == 0 {
		return nil
	}
	metrics.Read(m.sample[:])
	if m.sample[0].Value.Uint64() > m.stackLimit {
		return &Stop{wire.FlagRecursion, "the stack grew past its bound"}
	}
	if m.heapLimit > 0 && m.sample[1].Value.Uint64() > m.heapLimit {
		return &Stop{wire.FlagMemory, "the heap grew past its bound"}
	}
	if m.allocLimit > 0 {
		return m.allocatedTooMuch()
	}
	return nil
}

// allocatedTooMuch compares what has been allocated with its limit, and chooses the size of the next chunk by what was allocated in this one.
func (m *meter) allocatedTooMuch() *Stop {
	now := m.sample[2].Value.Uint64()
	fresh := now - m.allocated
	m.allocated = now
	switch {
	case now > m.allocLimit:
		return &Stop{wire.FlagAllocated, "more was allocated than the tests may"}
	case fresh < m.allocLimit/allocPart:
		m.next = min(2*m.next, wire.StepChunk)
	default:
		m.next = max(m.next/2, firstChunk)
	}
	return nil
}
