package worker

import (
	"fmt"
	"slices"
	"sync/atomic"
)

// headTail keeps the two ends of what is written to it, in bounded memory.
type headTail struct {
	limit int          // bytes kept
	head  []byte       // first bytes, the larger half of limit at most
	tail  []byte       // ring of the last bytes, the rest of limit at most
	at    int          // where the oldest byte of a full ring is
	cut   int64        // bytes dropped
	seen  atomic.Int64 // bytes written; may be read meanwhile
}

// newHeadTail returns a headTail that keeps limit bytes. It grows with what is written: most
// processes write little.
func newHeadTail(limit int) *headTail { return &headTail{limit: limit} }

// Write never fails.
func (h *headTail) Write(p []byte) (int, error) {
	n := len(p)
	h.seen.Add(int64(n))
	room := min(h.limit-h.limit/2-len(h.head), len(p))
	h.head = append(h.head, p[:room]...)
	p = p[room:]

	room = min(h.limit/2-len(h.tail), len(p))
	h.tail = append(h.tail, p[:room]...)
	p = p[room:]

	h.cut += int64(len(p))
	if skip := len(p) - len(h.tail); skip > 0 {
		p = p[skip:] // would be overwritten at once
	}
	for len(p) > 0 {
		k := copy(h.tail[h.at:], p)
		h.at = (h.at + k) % len(h.tail)
		p = p[k:]
	}
	return n, nil
}

// Bytes returns what was kept, with a line in the middle that says how much
// was not.
func (h *headTail) Bytes() []byte {
	if h.cut == 0 {
		return slices.Concat(h.head, h.tail)
	}
	gap := fmt.Appendf(nil, "\n... %d bytes left out ...\n", h.cut)
	return slices.Concat(h.head, gap, h.tail[h.at:], h.tail[:h.at])
}
