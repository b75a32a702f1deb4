package worker

import (
	"bytes"
	"fmt"
	"testing"
)

// FuzzHeadTail checks that it makes no difference to what is kept in which pieces the data is written.
func FuzzHeadTail(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), 6, 3)
	f.Add([]byte("0123456789"), 10, 1)
	f.Add([]byte("0123456789x"), 10, 100)
	f.Add([]byte("01"), 1, 1)
	f.Add([]byte(""), 0, 1)
	f.Fuzz(func(t *testing.T, data []byte, limit, piece int) {
		limit, piece = abs(limit)%64, abs(piece)%100+1
		h := &headTail{limit: limit}
		for rest := data; len(rest) > 0; {
			n := min(piece, len(rest))
			if got, err := h.Write(rest[:n]); got != n || err != nil {
				t.Fatalf("Write returned %d, %v", got, err)
			}
			rest = rest[n:]
		}
		want := data
		if cut := len(data) - limit; cut > 0 {
			head := limit - limit/2
			want = fmt.Appendf(bytes.Clone(data[:head]), "\n... %d bytes left out ...\n%s", cut, data[len(data)-limit/2:])
		}
		if got := h.Bytes(); !bytes.Equal(got, want) {
			t.Errorf("limit %d, pieces of %d: %q became %q, want %q", limit, piece, data, got, want)
		}
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}
