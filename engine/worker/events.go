package worker

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// maxEvent bounds the bytes of one line. The longest are an entry of wire.StateInputMax bytes in JSON, where a byte
// may take six, and a run with all its observations rendered.
const maxEvent = 32 * wire.StateInputMax

// ReadEvents reads the events that a child writes to r until r ends, and calls f with each in order. The child has a
// job (nil: none) and was started with a mutant.
//
// User code can write to the descriptor too. So ReadEvents stops at the first line that is no event or is outside of
// bounds, and returns what is wrong with it: f gets only valid events. If bounds is nil, no bounds are checked.
// ReadEvents ignores a last line without a newline: a killed child did not finish it.
func ReadEvents(r io.Reader, bounds *Bounds, job *wire.Job, mutant int, f func(*wire.Event)) error {
	l := newChecker(cmp.Or(bounds, &Bounds{}), cmp.Or(job, &wire.Job{}), mutant)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxEvent)
	lines.Split(scanWholeLines)
	for lines.Scan() {
		if err := l.look(lines.Bytes()); err != nil {
			return err
		}
		e := new(wire.Event)
		if err := json.Unmarshal(lines.Bytes(), e); err != nil {
			return fmt.Errorf("not an event: %.100q: %w", lines.Bytes(), err)
		}
		if bounds != nil {
			if err := l.check(e, len(lines.Bytes())); err != nil {
				return err
			}
		}
		f(e)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("event of more than %d bytes", maxEvent)
	}
	return nil
}

// receive reads the child's events, and ends the child at the first invalid one.
func (c *Command) receive(r io.Reader) {
	if err := ReadEvents(r, c.Bounds, c.Job, c.Mutant, c.OnEvent); err != nil {
		c.invalid = err
		c.end()
	}
	_, _ = io.Copy(io.Discard, r) // otherwise the child blocks
}

// scanWholeLines is like bufio.ScanLines, but drops a last line without a newline.
func scanWholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	advance, token, err = bufio.ScanLines(data, atEOF)
	if atEOF && advance == len(data) && advance > 0 && data[advance-1] != '\n' {
		return advance, nil, nil
	}
	return advance, token, err
}
