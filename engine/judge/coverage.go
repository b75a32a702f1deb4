package judge

import (
	"maps"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// coverage is what the runs of a test or a suite did.
type coverage struct {
	took   time.Duration // of the fastest run; for a test, without the start of the process
	steps  int64         // of the longest run
	blocks map[int]bool
	marks  []byte
	any    bool // the coverage is unknown: the runs may have executed any code
	skips  bool // a test skipped the rest of itself
	idle   bool // in a run, no test was seen to run
}

func (c *coverage) add(r executor.Report) {
	if c.blocks == nil {
		c.blocks, c.took = map[int]bool{}, r.Took
	}
	c.any, c.skips, c.idle = c.any || r.Untrusted, c.skips || len(r.Skipped) > 0, c.idle || r.NoTests
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

// report returns c as the report of a single run.
func (c *coverage) report() executor.Report {
	return executor.Report{Took: c.took, Steps: c.steps, Blocks: slices.Sorted(maps.Keys(c.blocks)), Marks: c.marks, Untrusted: c.any, NoTests: c.idle}
}

// reaches reports whether the runs executed the code of m.
func (c *coverage) reaches(m *Mutant) bool {
	return c.any || c.blocks[m.Block] || m.Probed && c.mark(m)&wire.MarkEvaluated != 0
}

// infects reports whether m may have infected the state in some run. A mutant without a probe counts as infecting
// whenever it is reached.
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
