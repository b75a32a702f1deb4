package worker

import (
	"fmt"
	"slices"
	"sync/atomic"
)

// headTail keeps the beginning and the end of what is written to it, in bounded memory. It grows as needed, since
// most processes write little.
type headTail struct {
	limit int          // bytes kept
	head  []byte       // first bytes, at most the larger half of limit
	tail  []byte       // last bytes, at most twice the smaller half of limit between writes
	seen  atomic.Int64 // bytes written; may be read concurrently
}

// Write implements io.Writer. It never fails.
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

// Bytes returns what was kept. If some bytes were dropped, a line in the middle says how many.
func (h *headTail) Bytes() []byte {
	tail := h.tail[max(0, len(h.tail)-h.limit/2):]
	cut := h.seen.Load() - int64(len(h.head)+len(tail))
	if cut == 0 {
		return slices.Concat(h.head, tail)
	}
	gap := fmt.Appendf(nil, "\n... %d bytes left out ...\n", cut)
	return slices.Concat(h.head, gap, tail)
}
