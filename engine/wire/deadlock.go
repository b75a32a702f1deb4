//go:build go1.21

package wire

import (
	"bytes"
	"strings"
)

// stuck has the states of goroutines that only another goroutine can end, or a function that a timer calls, as with
// time.AfterFunc. No stack shows such timers, so the coordinator first gives more time to a program that also sleeps
// without a mutant.
var stuck = map[string]bool{
	"sync.Mutex.Lock": true, "sync.RWMutex.Lock": true, "sync.RWMutex.RLock": true, "sync.WaitGroup.Wait": true, "sync.Cond.Wait": true,
	"semacquire": true, "chan send": true, "chan send (nil chan)": true, "chan receive (nil chan)": true, "select (no cases)": true,
}

// ProvesDeadlock reports whether the stacks in output show that every goroutine of the program waits for another one.
// output is what runtime.Stack returns or a Go program prints on a signal. Waiting to receive from a channel only
// counts in package testing: elsewhere a timer may send.
//
// The probe calls it on the stacks of its own process, and the coordinator on the output of a process that sleeps. From
// outside, a sleep and a deadlock look the same, and the Go run-time finds no deadlocks in programs that use package
// net or in tests with a time limit.
func ProvesDeadlock(output []byte) bool {
	proven := false
	for _, block := range bytes.Split(output, []byte("\n\n")) {
		header, frames, _ := strings.Cut(strings.TrimLeft(string(block), "\n"), "\n")
		state, ok := stateIn(header)
		if !ok {
			continue
		}
		frame := ownFrame(frames)
		switch {
		case frame == "": // the run-time's own
		case stuck[state]:
			proven = true
		case state == "chan receive" && strings.HasPrefix(frame, "testing."):
		default:
			return false
		}
	}
	return proven
}

// stateIn returns the state in the first line of a goroutine's stack, as in "goroutine 7 [chan receive, 2 minutes]:".
func stateIn(header string) (state string, ok bool) {
	if !strings.HasPrefix(header, "goroutine ") {
		return "", false
	}
	_, state, ok = strings.Cut(header, " [")
	end := strings.IndexAny(state, ",]")
	if !ok || end < 0 {
		return "", false
	}
	return state[:end], true
}

// ownFrame returns the innermost function of a goroutine's stack that ofRuntime does not hold for; "" if there is none.
func ownFrame(frames string) string {
	for _, line := range strings.Split(frames, "\n") {
		function, _, ok := strings.Cut(line, "(")
		if !ok || function == "" || strings.ContainsAny(function, " \t") || ofRuntime(function) {
			continue
		}
		return function
	}
	return ""
}

// ofRuntime reports whether a function belongs to the Go run-time or package sync.
func ofRuntime(function string) bool {
	for _, prefix := range []string{"runtime.", "sync.", "internal/sync.", "internal/runtime/"} {
		if strings.HasPrefix(function, prefix) {
			return true
		}
	}
	return false
}
