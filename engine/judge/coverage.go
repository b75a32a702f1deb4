package judge

import (
	"maps"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// coverage is what runs of a test or suite did.
type coverage struct {
	took   time.Duration // of the fastest run; of a test, without starting the process
	steps  int64         // of the longest run
	blocks map[int]bool
	marks  []byte
	any    bool // unknown: they may have run any code
	skips  bool // a test skipped the rest of itself
}

func (c *coverage) add(r Report) {
	if c.blocks == nil {
		c.blocks, c.took = map[int]bool{}, r.Took
	}
	c.any, c.skips = c.any || r.Untrusted, c.skips || len(r.Skipped) > 0
	c.took, c.steps = min(c.took, r.Took), max(c.steps, r.Steps)
	for _, b := range r.Blocks {
		c.blocks[b] = true
	}
	if len(c.marks) < len(r.Marks) {
		c.marks = append(c.marks, make([]byte, len(r.Marks)-len(c.marks))...)
	}
	for i, mark := range r.Marks {
		c.marks[i] |= mark
	}
}

// report is a run with that coverage.
func (c *coverage) report() Report {
	return Report{Took: c.took, Steps: c.steps, Blocks: slices.Sorted(maps.Keys(c.blocks)), Marks: c.marks, Untrusted: c.any}
}

// reaches reports whether the mutated code ran.
func (c *coverage) reaches(m *Mutant) bool {
	return c.any || c.blocks[m.Block] || m.Probed && c.mark(m)&wire.MarkEvaluated != 0
}

// infects reports whether the mutant may have infected the state. A mutant without a
// probe may whenever it is reached.
func (c *coverage) infects(m *Mutant) bool {
	if c.any {
		return true
	}
	if m.Probed {
		return c.mark(m)&wire.MarkInfected != 0
	}
	return c.blocks[m.Block]
}

func (c *coverage) mark(m *Mutant) byte {
	if m.Number < len(c.marks) {
		return c.marks[m.Number]
	}
	return 0
}
