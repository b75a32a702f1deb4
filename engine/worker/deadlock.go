package worker

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// From outside, a sleep and a deadlock look the same, and the Go runtime does not
// find deadlocks in programs that use package net, nor in tests with a time limit.
// So the stacks that a child prints on SIGQUIT are read: they show whether any of
// its goroutines can ever go on.

// stuckStates are the states of goroutines that only another goroutine can end, or a function that a timer calls (time.AfterFunc), which
// no stack shows: so a program that sleeps without a mutant, too, is given more time first.
var stuckStates = []string{
	"sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.WaitGroup.Wait", "sync.Cond.Wait", "semacquire",
	"chan send", "chan send (nil chan)", "chan receive (nil chan)", "select (no cases)",
}

var (
	goroutineHeader = regexp.MustCompile(`^goroutine \d+ (?:gp=\S+ m=\S+ (?:mp=\S+ )?)?\[([^\],]+)[^\]]*\]:`)
	frameLine       = regexp.MustCompile(`(?m)^([^\s(]\S*?)\(`)
	runtimeFrame    = regexp.MustCompile(`^(?:runtime|sync|internal/sync)\.|^internal/runtime/`)
)

// provesDeadlock reports whether, by the stacks in output, every goroutine of the
// program waits for another one. Waiting to receive counts only in package
// testing: elsewhere a timer may send.
func provesDeadlock(output []byte) bool {
	stuck := false
	for _, block := range bytes.Split(output, []byte("\n\n")) {
		header := goroutineHeader.FindSubmatch(bytes.TrimLeft(block, "\n"))
		if header == nil {
			continue
		}
		frame := ownFrame(block)
		switch {
		case frame == "": // the runtime's own
		case slices.Contains(stuckStates, string(header[1])):
			stuck = true
		case string(header[1]) == "chan receive" && strings.HasPrefix(frame, "testing."):
		default:
			return false
		}
	}
	return stuck
}

// ownFrame returns the innermost function of a goroutine's stack outside of the
// runtime, "" if there is none.
func ownFrame(block []byte) string {
	for _, m := range frameLine.FindAllSubmatch(block, -1) {
		if !runtimeFrame.Match(m[1]) {
			return string(m[1])
		}
	}
	return ""
}
