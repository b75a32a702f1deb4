//go:build go1.21

// Package state holds what woven code of the program reads and writes: the mutant switch, coverage
// counters, infection marks, the step meter, and the calls of a watched function. It also begins and ends
// the runs that these belong to.
//
// Its state is global, because woven code can refer to it only through the package. Without any of wire's
// environment variables it counts into memory that nobody reads, and changes nothing.
package state

import (
	"fmt"
	"os"
	"strconv"
	"unsafe"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/process"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// What runs read and write. If there is a state file the arrays are in it, so that they survive the process however
// it ends. Through a linkname, the Go run-time may call woven code before this package is initialised. So the
// linker already points the arrays to memory.
var (
	// M selects what runs: Original, Probed or Identity of package wire, or a mutant from 1.
	M int32
	// Cov has one execution counter per basic block.
	Cov = &unmapped.blocks
	// Fns[i] is non-zero once function i was entered since the last ClearCoverage.
	Fns = &unmapped.funcs
	// Marks has the wire.Mark... bits of each mutant in the current run.
	Marks = &unmapped.marks
	// Seen is what runs of the original have covered so far in a job, Gathered how far they
	// got with each live mutant.
	Seen     = &unmapped.seen
	Gathered = &unmapped.gathered
)

// header is the part of a state file before the arrays. The State... constants of package wire are
// the offsets of its fields.
type header struct {
	magic   [8]byte
	runs    int64
	steps   int64
	mutant  int32
	flags   uint32
	mutants int64
	input   int64
	inRun   int64
}

var (
	layout = wire.Layout{Blocks: NumBlocks, Funcs: NumFuncs, Mutants: NumMutants}

	// page is the header in use. inputBuffer is where the input of the current run is stored.
	page        = &unmapped.header
	inputBuffer = unmapped.input[:]
)

// unmapped is used where there is no state file.
var unmapped struct {
	header   header
	blocks   [NumBlocks]uint32
	funcs    [NumFuncs]uint8
	marks    [NumMutants + 1]uint8
	seen     Coverage
	gathered [NumMutants + 1]uint8
	input    [wire.StateInputMax]byte
}

// given has the bounds that the environment sets; 0: none.
var given struct{ steps, allocated, memory int64 }

// StepBound returns the step bound that the process was started with; 0: none.
func StepBound() int64 { return given.steps }

func init() {
	page.input = -1
	if err := configure(); err != nil {
		GiveUp(err)
	}
}

// GiveUp prints err and ends the process with ExitInternal, because the probe cannot work in it.
func GiveUp(err error) {
	fmt.Fprintf(os.Stderr, "mutantfuzz: %v\n", err)
	os.Exit(ExitInternal)
}

// ExitInternal is the exit status of a process in which the probe cannot go on.
const ExitInternal = 70

// configure sets the process up as the environment asks. Packages that import this one are initialised afterwards,
// so even their initialisers run with the requested mutant active.
func configure() error {
	get := process.Environment()
	if path := get(wire.EnvState); path != "" {
		memory, err := process.MapFile(path, layout.Size())
		if err != nil {
			return fmt.Errorf("the state file cannot be mapped: %w", err)
		}
		place(memory)
	}
	mutant, err := number(get, wire.EnvMutant)
	if err != nil {
		return err
	}
	M, page.mutant = int32(mutant), int32(mutant)
	bound, err := number(get, wire.EnvSteps)
	if err != nil {
		return err
	}
	allocated, err := number(get, wire.EnvAllocated)
	if err != nil {
		return err
	}
	memory, err := number(get, wire.EnvMemory)
	if err != nil {
		return err
	}
	if memory > 0 {
		process.LimitMemory(memory)
	}
	given.steps, given.allocated, given.memory = bound, allocated, memory
	if get(wire.EnvState) != "" || bound > 0 || allocated > 0 || memory > 0 {
		Arm()
		steps.beginTests(bound)
		steps.ends = mutant > 0 && get(wire.EnvState) != "" && get(wire.EnvJob) == "" // it only runs tests on the mutant, and is watched
	}
	return nil
}

// place lays the state out in memory, which must have at least layout.Size() bytes.
func place(memory []byte) {
	base := unsafe.Pointer(&memory[0])
	page = (*header)(base)
	copy(page.magic[:], wire.StateMagic)
	page.input = -1
	Cov = (*[NumBlocks]uint32)(unsafe.Add(base, layout.BlocksAt()))
	Fns = (*[NumFuncs]uint8)(unsafe.Add(base, layout.FuncsAt()))
	Marks = (*[NumMutants + 1]uint8)(unsafe.Add(base, layout.MutantsAt()))
	Seen = (*Coverage)(unsafe.Add(base, layout.SeenAt()))
	Gathered = (*[NumMutants + 1]uint8)(unsafe.Add(base, layout.GatheredAt()))
	inputBuffer = memory[layout.InputAt() : layout.InputAt()+wire.StateInputMax]
	touched.funcs = nil // the list is of functions in the previous memory
}

// number returns the integer value of an environment variable, 0 if the variable is not set.
func number(get func(string) string, name string) (int64, error) {
	text := get(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s=%q is not an integer", name, text)
	}
	return n, nil
}
