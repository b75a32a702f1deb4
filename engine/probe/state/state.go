//go:build go1.21

// Package state is what woven code of the program reads and writes: the mutant switch,
// counters for coverage, marks for infection, the meter of steps, and calls that are
// watched. It begins and ends the runs that these belong to.
//
// Its state is global because woven code can reach it by the package only. Without any
// of wire's environment variables it counts into memory that is never read, and changes
// nothing.
package state

import (
	"fmt"
	"os"
	"strconv"
	"unsafe"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/process"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// What runs read and write. The arrays are in the state file if there is
// one, so that they survive the process however it ends. The Go run-time may call
// woven code by a linkname before this package is initialised, so the linker
// already points them to memory.
var (
	// M is what runs now: Original, Probed, or a mutant from 1.
	M int32
	// Cov has one counter for each basic block.
	Cov = &unmapped.blocks
	// Fns is non-zero for each function entered since the arrays were cleared.
	Fns = &unmapped.funcs
	// Marks has the Mark... bits of each mutant, of the run going on.
	Marks = &unmapped.marks
	// Seen and Gathered are what the runs of a job have covered and marked so far.
	Seen     = &unmapped.seen
	Gathered = &unmapped.gathered
)

// header is the part of a state file before the arrays; the State... offsets
// of the protocol name its fields.
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

	// page is the header in use, inputBuffer the room for the input of the run
	// going on.
	page        = &unmapped.header
	inputBuffer = unmapped.input[:]
)

// unmapped serves where there is no state file.
var unmapped struct {
	header   header
	blocks   [NumBlocks]uint32
	funcs    [NumFuncs]uint8
	marks    [NumMutants + 1]uint8
	seen     Coverage
	gathered [NumMutants + 1]uint8
	input    [wire.StateInputMax]byte
}

// given are the bounds of the environment; 0: none.
var given struct{ steps, allocated, memory int64 }

// StepBound is the bound on steps that the process was started with; 0: none.
func StepBound() int64 { return given.steps }

func init() {
	page.input = -1
	if err := configure(); err != nil {
		GiveUp(err)
	}
}

// GiveUp ends the process because the probe cannot work in it.
func GiveUp(err error) {
	fmt.Fprintf(os.Stderr, "mutantfuzz: %v\n", err)
	os.Exit(ExitInternal)
}

// ExitInternal is the exit status of a process that the probe gives up on.
const ExitInternal = 70

// configure sets the process up as the environment asks. Packages that import
// this one are initialised only afterwards, so even their initialisers run
// under the mutant wanted.
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
	}
	return nil
}

// place lays the state out in memory, which is layout.Size() bytes or more.
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
	touched.funcs = nil // those of the memory used so far
}

// number is the value of a setting, 0 if there is none.
func number(get func(string) string, name string) (int64, error) {
	text := get(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s=%q is no number", name, text)
	}
	return n, nil
}
