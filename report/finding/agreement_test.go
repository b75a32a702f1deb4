package finding

import (
	"testing"

	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestUndoingAllOfARefactoringIsNoEditBesides(t *testing.T) {
	r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Function("p.F"), Undone, FuzzedWith(7_600_000))}}
	if s := Select(r, nil, 0); len(s.Folded)+len(s.Elsewhere) > 0 {
		t.Errorf("a line says that old and new agree, and lists have %d and %d edits", len(s.Folded), len(s.Elsewhere))
	}
}
