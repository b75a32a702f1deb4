//go:build go1.21

package wire

// Layout says where the parts of a state file are. Numbers are in the byte order of the machine, which the process that
// writes and the one that reads share.
type Layout struct {
	Blocks  int // number of block counters: a uint32 each, and one byte each in the array at SeenAt
	Funcs   int // number of function marks: one byte each
	Mutants int // largest mutant: marks 0..Mutants of one byte each, at MutantsAt and GatheredAt
}

// Offsets in a state file before the arrays, and sizes.
const (
	StateMagic    = "mfzstat1" // the first 8 bytes
	StateRuns     = 8          // int64: runs begun; the heartbeat of the worker
	StateSteps    = 16         // int64: steps taken, updated about every StepChunk steps
	StateMutant   = 24         // int32: M of the current run
	StateFlags    = 28         // uint32: Flag... bits of the current or last run; before the first run, of the process
	StateMutants  = 32         // int64: runs begun with a mutant active
	StateInput    = 40         // int64: length of the current run's input; -1: there is none, or it does not fit
	StateInRun    = 48         // int64: 1 while a run is going on
	stateArrays   = 128        // the first array
	StateInputMax = 1 << 20    // size of the input buffer in bytes
	StepChunk     = 1 << 16    // steps
)

// Flags of a state file: the bound that was exceeded.
const (
	FlagHang      = 1 << iota // bound on steps
	FlagRecursion             // bound on the size of stacks
	FlagMemory                // bound on the size of the heap
	FlagAllocated             // bound on all allocations of the process, freed or not
)

// BlocksAt returns the offset of the block counters.
func (l Layout) BlocksAt() int { return stateArrays }

// FuncsAt returns the offset of the function marks.
func (l Layout) FuncsAt() int { return l.BlocksAt() + 4*l.Blocks }

// MutantsAt returns the offset of the infection marks of the current run.
func (l Layout) MutantsAt() int { return (l.FuncsAt() + l.Funcs + 7) &^ 7 }

// SeenAt returns the offset of the coverage of a JobFuzz job so far: one byte for each block counter, which is not 0
// once a run of the original has moved the counter. The counters themselves only cover the last run.
func (l Layout) SeenAt() int { return (l.MutantsAt() + l.Mutants + 1 + 7) &^ 7 }

// GatheredAt returns the offset of the marks of live mutants that a JobFuzz job has gathered so far. There
// MarkEvaluated means that the mutant was reached, and MarkInfected that it may have infected the state.
func (l Layout) GatheredAt() int { return l.SeenAt() + l.Blocks }

// InputAt returns the offset of the input buffer, which has StateInputMax bytes; see DecodeStateInput.
func (l Layout) InputAt() int { return (l.GatheredAt() + l.Mutants + 1 + 7) &^ 7 }

// Size returns the length of a state file in bytes.
func (l Layout) Size() int { return l.InputAt() + StateInputMax }

// Infection marks.
const (
	MarkEvaluated = 1 // the expression that the mutant changes was evaluated
	MarkInfected  = 2 // the mutant would have given another value
)
