package worker

import (
	"fmt"
	"slices"
	"sync/atomic"
)

// headTail keeps the two ends of what is written to it, in bounded memory. It grows
// with what is written: most processes write little.
type headTail struct {
	limit int          // bytes kept
	head  []byte       // first bytes, the larger half of limit at most
	tail  []byte       // last bytes, twice the rest of limit at most between writes
	seen  atomic.Int64 // bytes written; may be read meanwhile
}

// Write never fails.
func (h *headTail) Write(p []byte) (int, error) {
	h.seen.Add(int64(len(p)))
	room := min(h.limit-h.limit/2-len(h.head), len(p))
	h.head = append(h.head, p[:room]...)
	h.tail = append(h.tail, p[room:]...)
	if cut := len(h.tail) - h.limit/2; cut > h.limit/2 { // so that no byte is moved more than once
		h.tail = slices.Delete(h.tail, 0, cut)
	}
	return len(p), nil
}

// Bytes returns what was kept, with a line in the middle that says how much
// was not.
func (h *headTail) Bytes() []byte {
	tail := h.tail[max(0, len(h.tail)-h.limit/2):]
	cut := h.seen.Load() - int64(len(h.head)+len(tail))
	if cut == 0 {
		return slices.Concat(h.head, tail)
	}
	gap := fmt.Appendf(nil, "\n... %d bytes left out ...\n", cut)
	return slices.Concat(h.head, gap, tail)
}
