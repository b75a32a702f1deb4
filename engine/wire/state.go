//go:build go1.21

package wire

// Layout places the parts of a state file. Numbers are in the byte order of
// the machine, which writer and reader share: little-endian wherever the
// fuzzing runs today.
type Layout struct {
	Blocks  int // block counters, uint32 each, and what was seen of them, one byte each
	Funcs   int // function marks, one byte each
	Mutants int // infection marks 0..Mutants, one byte each, and again as gathered
}

// Offsets in a state file before the arrays.
const (
	StateMagic    = "mfzstat1"
	StateRuns     = 8   // int64: runs begun, the heartbeat
	StateSteps    = 16  // int64: steps taken, counted by chunks of up to StepChunk when one is used up
	StateMutant   = 24  // int32: M of the run going on
	StateFlags    = 28  // uint32: Flag... of what has happened in this process
	StateMutants  = 32  // int64: runs begun with a mutant active
	StateInput    = 40  // int64: length of the input of the run going on, -1 if none or if it does not fit
	StateInRun    = 48  // int64: 1 while user code runs
	stateArrays   = 128 // first array
	StateInputMax = 1 << 20
	StepChunk     = 1 << 16
)

// Flags of a state file.
const (
	FlagHang      = 1 << iota // the step bound was exceeded
	FlagRecursion             // the stack grew past its bound
	FlagMemory                // the heap grew past its bound
	FlagAllocated             // more was allocated than the process may, freed or not
)

// BlocksAt is the offset of the block counters.
func (l Layout) BlocksAt() int { return stateArrays }

// FuncsAt is the offset of the function marks.
func (l Layout) FuncsAt() int { return l.BlocksAt() + 4*l.Blocks }

// MutantsAt is the offset of the infection marks.
func (l Layout) MutantsAt() int { return (l.FuncsAt() + l.Funcs + 7) &^ 7 }

// SeenAt is the offset of what a job of JobFuzz has seen of the block counters
// so far: a byte for each, not 0 once a run of the original moved it. The
// counters themselves are of the last run alone.
func (l Layout) SeenAt() int { return (l.MutantsAt() + l.Mutants + 1 + 7) &^ 7 }

// GatheredAt is the offset of the infection marks that such a job has gathered
// so far on live mutants. MarkEvaluated then stands for a mutant that was
// reached, MarkInfected for one that may have infected the state.
func (l Layout) GatheredAt() int { return l.SeenAt() + l.Blocks }

// InputAt is the offset of the input buffer: StateInputMax bytes, for
// DecodeStateInput.
func (l Layout) InputAt() int { return (l.GatheredAt() + l.Mutants + 1 + 7) &^ 7 }

// Size is the length of a state file.
func (l Layout) Size() int { return l.InputAt() + StateInputMax }

// Infection marks.
const (
	MarkEvaluated = 1 // the watched expression was evaluated
	MarkInfected  = 2 // ... and the mutant's value differed
)
