package worker

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
)

// maxEvent bounds one line: an entry of probe.StateInputMax bytes in JSON,
// where every byte may take six, with room for a stack.
const maxEvent = 8 * probe.StateInputMax

// readEvents hands the events in r to f, in order, until r ends. User code
// can write to the descriptor too: what is no event is handed on as an
// EventError, and a line without end stops the reading but not the child. A
// last line without its newline is what a killed child did not finish.
func readEvents(r io.Reader, f func(*probe.Event)) {
	defer func() { _, _ = io.Copy(io.Discard, r) }() // else the child blocks
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxEvent)
	lines.Split(scanWholeLines)
	for lines.Scan() {
		e := new(probe.Event)
		if err := json.Unmarshal(lines.Bytes(), e); err != nil {
			e = &probe.Event{Event: probe.EventError, Message: fmt.Sprintf("not an event: %.100q: %v", lines.Bytes(), err)}
		}
		f(e)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		f(&probe.Event{Event: probe.EventError, Message: fmt.Sprintf("event of more than %d bytes", maxEvent)})
	}
}

// scanWholeLines is bufio.ScanLines without the torn line at the end.
func scanWholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	advance, token, err = bufio.ScanLines(data, atEOF)
	if atEOF && advance == len(data) && advance > 0 && data[advance-1] != '\n' {
		return advance, nil, nil
	}
	return advance, token, err
}
