package worker

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// maxEvent bounds one line: an entry of wire.StateInputMax bytes in JSON,
// where every byte may take six, or a run with all that it let its caller see,
// rendered.
const maxEvent = 32 * wire.StateInputMax

// ReadEvents hands the events in r, which a child with a job (nil: none) writes
// that was started with a mutant, to f, in order, until r ends. User code can
// write to the descriptor too. So it stops at the first line that is no event,
// or none that the child can give within bounds (nil: any), and returns what is
// wrong with it; what f got until then is within them. A last line without its
// newline is what a killed child did not finish.
func ReadEvents(r io.Reader, bounds *Bounds, job *wire.Job, mutant int, f func(*wire.Event)) error {
	l := newListener(Bounds{}, job, mutant)
	if bounds != nil {
		l = newListener(*bounds, job, mutant)
	}
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

// hear reads what the child says. One that lies is ended, and what it says
// after that is not heard.
func (c *Command) hear(r io.Reader) {
	if err := ReadEvents(r, c.Bounds, c.Job, c.Mutant, c.OnEvent); err != nil {
		c.lie = err
		c.end()
	}
	_, _ = io.Copy(io.Discard, r) // else the child blocks
}

// doubt is e, or the end of a child that lied: then nothing that it left says
// anything.
func (c *Command) doubt(e Exit) Exit {
	lie := c.lie
	if lie == nil && c.State != nil {
		lie = c.State.Check()
	}
	if lie == nil || e.Cause == Cancelled && c.lie == nil {
		return e
	}
	e.Cause, e.Lie, e.Flags, e.Culprit = Lied, lie, 0, nil
	return e
}

// scanWholeLines is bufio.ScanLines without the torn line at the end.
func scanWholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	advance, token, err = bufio.ScanLines(data, atEOF)
	if atEOF && advance == len(data) && advance > 0 && data[advance-1] != '\n' {
		return advance, nil, nil
	}
	return advance, token, err
}
