package sourcediff

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

// fromOps makes two texts. Each byte of ops stands for a line that is kept, deleted or added, with one of five texts.
func fromOps(ops []byte) (old, now [][]byte) {
	for _, op := range ops {
		line := fmt.Appendf(nil, "line %d\n", op/3%5)
		if op%3 != 2 || op > 240 {
			old = append(old, line)
		}
		if op%3 != 1 || op > 240 {
			now = append(now, line)
		}
	}
	return old, now
}

// FuzzLines checks that undoing every edit of Lines gives the old text.
func FuzzLines(f *testing.F) {
	f.Add([]byte{0, 1, 2, 0})
	f.Add([]byte{2, 2, 1, 250, 1, 0, 2})
	f.Add([]byte{1, 250, 250, 2, 2, 2, 0, 1})
	f.Fuzz(func(t *testing.T, ops []byte) {
		old, now := fromOps(ops)
		edits := Lines(old, now)
		undone := now
		for _, e := range slices.Backward(edits) {
			undone = slices.Concat(undone[:e.First], old[e.OldFirst:e.OldEnd], undone[e.End:])
		}
		if got, want := bytes.Join(undone, nil), bytes.Join(old, nil); !bytes.Equal(got, want) {
			t.Fatalf("edits %v: got %q, want %q", edits, got, want)
		}
		for i, e := range edits {
			if i > 0 && e.First == edits[i-1].End {
				t.Fatalf("edits %v touch each other", edits)
			}
		}
	})
}
