//go:build go1.21

package state

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Steps is what is left of the current chunk of steps. Woven code decrements it at function entries, loop heads and
// gotos, and calls Stepped when it falls below zero. It starts at the maximum, so that without the environment
// variables nothing is counted.
var Steps int64 = math.MaxInt64

// steps turns hangs, endless recursion and the use of too much memory into panics.
var steps meter

// meter accounts for steps chunk by chunk. Goroutines decrement Steps without synchronisation, so the count is
// exact for a single goroutine and a good estimate otherwise.
//
// Mu2 bounds its mutants in the same way, by counting loop iterations. There the program can swallow the exception;
// here later steps panic again. They must not do so at every step from the start: deferred functions take steps
// too, and a panic in each of them at a great depth takes the run-time for ever. So the steps from one panic to the
// next are halved each time, until every step panics.
type meter struct {
	mu    sync.Mutex
	chunk int64 // value that Steps was set to
	taken int64 // steps of earlier chunks
	bound int64 // 0: none
	stop  *Stop // if not nil, steps panic with it
	grace int64 // steps from such a panic to the next one

	each int64 // how much bound grows when a goroutine is parked
	park int   // how many more goroutines may be parked

	// looks is closed to tell the parked goroutine that watches the others to stop watching; nil: none was parked.
	looks chan struct{}

	// ends says that an exceeded bound ends the process, as a stack overflow and the time limit of package testing do. A
	// panic would run the deferred functions of all levels of a recursion, which may take long.
	ends bool

	stackLimit uint64 // bytes of stacks; 0: not armed
	heapLimit  uint64 // bytes of objects; 0: no limit

	allocLimit  uint64 // bytes allocated since the process began; 0: no limit
	allocated   uint64 // bytes allocated as of the last chunk
	next        int64  // steps of the next chunk, if allocLimit is set
	unpublished int64  // steps taken that are not yet in the state file

	sample [3]metrics.Sample
}

// With a limit on what is allocated, the first chunk has firstChunk steps. Chunks grow as long as less than
// 1/allocPart of the limit is allocated in one. A loop that copies an ever longer list fills the memory in fewer
// steps than a full chunk has.
const (
	firstChunk = 1 << 10
	allocPart  = 64
)

// Bounds on how far stacks may grow, in bytes, above what they take at the start.
const (
	maxStack = 256 << 20 // well below the gigabyte at which the Go run-time kills the process
	// If tests need more memory even without a mutant, 1/stackPart of the memory limit is for stacks.
	stackPart = 8
)

// maxParked is how many goroutines that run no test may be parked in a process.
const maxParked = 16

// maxGrace bounds the steps that deferred functions may take after the first panic. Half of them may
// come before the second one.
const maxGrace = 8 << 20

// Stop is the value that a step panics with. It says which bound was exceeded.
type Stop struct {
	Flag    uint32 // a Flag... constant of package wire
	Message string
}

// Error makes the message readable where the program prints what it recovered.
func (s *Stop) Error() string { return "mutantfuzz: " + s.Message }

// Stepped is what woven code calls when a chunk of steps is used up. It panics when a bound is exceeded, and from
// then on repeatedly until the run ends, so that the program's own recover cannot keep the run alive. In goroutines
// other than the run's the panic ends the process, and the state file has the reason. While tests run, such a
// goroutine may be parked instead; see stay.
func Stepped() {
	if !steps.refill() {
		steps.stay()
	}
}

// Arm prepares the checks of stacks, heap and allocations, with the limits that the environment sets.
func Arm() { steps.arm(given.memory, given.allocated) }

// arm does the work of Arm. Memory and allocated are limits in bytes; 0 means no limit. What stacks take and what
// has been allocated before does not count.
func (m *meter) arm(memory, allocated int64) {
	m.sample[0].Name = "/memory/classes/heap/stacks:bytes"
	m.sample[1].Name = "/memory/classes/heap/objects:bytes"
	m.sample[2].Name = "/gc/heap/allocs:bytes"
	metrics.Read(m.sample[:])
	m.stackLimit = maxStack
	if memory > 0 {
		// Garbage not yet collected and stacks being copied count towards the system's limit, so this
		// limit has to be well below it.
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

// beginTests is begin for a process that runs tests until it ends. It allows goroutines to be parked.
func (m *meter) beginTests(bound int64) {
	m.begin(bound)
	m.each, m.park = bound, maxParked
}

// begin starts counting from 0 towards bound; 0: none.
func (m *meter) begin(bound int64) {
	m.mu.Lock()
	m.taken, m.bound, m.stop, m.park = 0, bound, nil, 0
	m.load()
	m.mu.Unlock()
}

// end returns the number of steps since begin and what stopped them, and removes the bound.
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

// refill accounts for a used-up chunk and loads the next. It panics if a bound is exceeded. It returns false if the
// goroutine is to be parked instead.
func (m *meter) refill() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if Steps >= 0 {
		return true // another goroutine has refilled it
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

// exitStopped is the exit status of a process that a bound ends: that of a panic.
const exitStopped = 2

// stopAt ends the process if m.ends is set. Otherwise it panics with stop, and makes later steps panic with it too.
func (m *meter) stopAt(stop *Stop) {
	m.stop = stop
	page.flags |= stop.Flag
	if m.ends {
		stack := make([]byte, 64<<10) // the run-time leaves out the middle of a deep stack
		stack = stack[:runtime.Stack(stack, false)]
		fmt.Fprintf(os.Stderr, "panic: %v\n\n%s", stop, stack)
		os.Exit(exitStopped)
	}
	m.grace = min(2*m.taken, maxGrace) // each level of the stack to be unwound has taken a step
	m.halt()
}

// A parked goroutine waits between its looks at the others: firstLook first, then twice as long
// each time, up to lastLook.
const (
	firstLook = 5 * time.Millisecond
	lastLook  = 320 * time.Millisecond
)

// stay parks a goroutine. It never returns: it panics with the hang if it soon turns out that all other goroutines
// wait for each other and can never go on, because then a test waits for this one. Of several parked goroutines
// only the last one watches the others.
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

// others returns the stacks of all goroutines but the calling one, or nil if they are too many for the buffer.
func others() []byte {
	stacks := make([]byte, 1<<20)
	n := runtime.Stack(stacks, true)
	if n == len(stacks) {
		return nil
	}
	_, rest, _ := bytes.Cut(stacks[:n], []byte("\n\n")) // the first is that of this goroutine
	return rest
}

// runsTest reports whether the calling goroutine runs a test, TestMain, or what comes before TestMain.
func runsTest() bool {
	stack := make([]byte, 64<<10) // the run-time leaves out the middle of a deep stack
	stack = stack[:runtime.Stack(stack, false)]
	return bytes.HasPrefix(stack, []byte("goroutine 1 ")) || bytes.Contains(stack, []byte("created by testing."))
}

// publish adds the steps of a used-up chunk to the state file, but not more often than every wire.StepChunk steps.
// Otherwise slow steps in small chunks would look like progress.
func (m *meter) publish() {
	m.unpublished += m.chunk
	if m.allocLimit == 0 || m.unpublished >= wire.StepChunk {
		page.steps += m.unpublished
		m.unpublished = 0
	}
}

// halt panics with m.stop. Deferred functions may then take half as many steps as after the previous panic.
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

// allocatedTooMuch returns a Stop if the limit on allocations is exceeded. It also chooses the size of the next
// chunk, by how much was allocated in this one.
func (m *meter) allocatedTooMuch() *Stop {
	now := m.sample[2].Value.Uint64()
	fresh := now - m.allocated
	m.allocated = now
	switch {
	case now > m.allocLimit:
		return &Stop{wire.FlagAllocated, "more memory was allocated than the tests may allocate"}
	case fresh < m.allocLimit/allocPart:
		m.next = min(2*m.next, wire.StepChunk)
	default:
		m.next = max(m.next/2, firstChunk)
	}
	return nil
}
