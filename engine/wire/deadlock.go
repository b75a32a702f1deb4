//go:build go1.21

package wire

import (
	"bytes"
	"strings"
)

// stuck are the states of goroutines that only another goroutine can end, or a function that a timer calls (time.AfterFunc), which
// no stack shows: so the coordinator gives a program more time first that sleeps without a mutant, too.
var stuck = map[string]bool{
	"sync.Mutex.Lock": true, "sync.RWMutex.Lock": true, "sync.RWMutex.RLock": true, "sync.WaitGroup.Wait": true, "sync.Cond.Wait": true,
	"semacquire": true, "chan send": true, "chan send (nil chan)": true, "chan receive (nil chan)": true, "select (no cases)": true,
}

// ProvesDeadlock reports whether, by the stacks in output, as runtime.Stack or a signal prints them, every goroutine of the program
// waits for another one. Waiting to receive counts only in package testing: elsewhere a timer may send. Processes look at their own stacks, and
// the coordinator at what one has printed that sleeps: from outside, a sleep and a deadlock look the same, and the Go run-time does not
// find deadlocks in programs that use package net, nor in tests with a time limit.
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

// stateIn returns the state in the first line of a goroutine's stack, such as "goroutine 7 [chan receive, 2 minutes]:".
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

// ownFrame returns the innermost function of a goroutine's stack outside of the run-time, "" if there is none.
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

// ofRuntime reports whether a function is of the run-time or of package sync.
func ofRuntime(function string) bool {
	for _, prefix := range []string{"runtime.", "sync.", "internal/sync.", "internal/runtime/"} {
		if strings.HasPrefix(function, prefix) {
			return true
		}
	}
	return false
}
