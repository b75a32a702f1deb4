package verify

import (
	"context"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/stack"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// older reports whether the base panics like the program does on c's entry, but on one of others. Then the change
// brought only one more input for an old failure, and that other entry replaces c's.
func (v *Verifier) older(ctx context.Context, s seedRun, c *results.Crash, others []corpus.Entry) (bool, error) {
	for _, e := range others {
		s.entry = e
		exit, err := v.runOnBase(ctx, s)
		if err != nil || exit == nil {
			return false, err
		}
		if !stack.SamePanic(c, v.Tree, exit, v.BaseTree) {
			continue
		}
		sl := v.Take()
		older, err := v.Fuzzer.Older(ctx, sl, c, e)
		v.Give(sl)
		if err != nil || older {
			return older, err
		}
	}
	return false, nil
}
