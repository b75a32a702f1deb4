package verify

import (
	"context"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/fuzz"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
)

// maxMends bounds how many parts of a change are undone to find the one that brought a crash.
const maxMends = 32

// mendSteps bounds the steps of a run on a crashing entry with a part of the change undone.
const mendSteps = 16 * pool.StepFloor

// mendedBy returns the ID of the mutant that undoes the smallest part of the change with which t passes a crashing
// entry, "" if there is none.
func (v *Verifier) mendedBy(ctx context.Context, t *fuzz.Target, entry corpus.Entry) (string, error) {
	undone := v.Fuzzer.Mutants.Undoing()
	sl := v.Take()
	defer v.Give(sl)
	for _, m := range undone[:min(len(undone), maxMends)] {
		runs, err := v.Fuzzer.RunEntry(ctx, sl, t, m.Number, mendSteps, entry)
		if err != nil {
			return "", err
		}
		if runs != nil && runs.Steady() && !runs.Bad() {
			return m.ID, nil
		}
	}
	return "", nil
}
