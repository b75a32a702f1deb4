package difference

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestMovedLinesAreFoundInManyAlike(t *testing.T) {
	same := strings.Repeat("\t}\n\tx++\n", 100_000)
	r := &Removal{at: map[string][]placeInRun{}}
	lines := slices.Collect(bytes.Lines([]byte(same)))
	r.add(lines)
	if got := r.moved(lines, 1); len(got) != 1 || got[0].First != 2 {
		t.Errorf("moved: %v", got)
	}
}
