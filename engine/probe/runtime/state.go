//go:build go1.21

// Package runtime is the run-time that is woven into other people's test
// binaries: the mutant switch, counters for coverage, infection and steps, the
// observations, and the fuzz loop that runs in the test process itself.
//
// It uses the standard library and package wire only, and of package testing
// only what is public. Its state is global because woven code can reach it by
// the package only. Without any of wire's environment variables it counts into
// memory that is never read, and changes nothing.
package runtime

import (
	"fmt"
	"os"
	"strconv"
	"unsafe"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// What woven code reads and writes. The arrays are in the state file if there is
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
	// marks has the Mark... bits of each mutant.
	marks = &unmapped.marks
	// seen and gathered are what the runs of a job have covered and marked so far.
	seen     = &unmapped.seen
	gathered = &unmapped.gathered
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
	seen     coverage
	gathered [NumMutants + 1]uint8
	input    [wire.StateInputMax]byte
}

// exitInternal is the exit status of a process that the probe gives up on.
const exitInternal = 70

func init() {
	page.input = -1
	if err := configure(); err != nil {
		fmt.Fprintf(os.Stderr, "mutantfuzz: %v\n", err)
		os.Exit(exitInternal)
	}
}

// configure sets the process up as the environment asks. Packages that import
// this one are initialised only afterwards, so even their initialisers run
// under the mutant wanted.
func configure() error {
	get := environment()
	if path := get(wire.EnvState); path != "" {
		memory, err := mapFile(path, layout.Size())
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
	memory, err := number(get, wire.EnvMemory)
	if err != nil {
		return err
	}
	if memory > 0 {
		limitMemory(memory)
	}
	if get(wire.EnvState) != "" || bound > 0 || memory > 0 {
		steps.arm(memory)
		steps.begin(bound)
	}
	return session.open(get(wire.EnvJob), get(wire.EnvEvents), bound, memory)
}

// place lays the state out in memory, which is layout.Size() bytes or more.
func place(memory []byte) {
	base := unsafe.Pointer(&memory[0])
	page = (*header)(base)
	copy(page.magic[:], wire.StateMagic)
	page.input = -1
	Cov = (*[NumBlocks]uint32)(unsafe.Add(base, layout.BlocksAt()))
	Fns = (*[NumFuncs]uint8)(unsafe.Add(base, layout.FuncsAt()))
	marks = (*[NumMutants + 1]uint8)(unsafe.Add(base, layout.MutantsAt()))
	seen = (*coverage)(unsafe.Add(base, layout.SeenAt()))
	gathered = (*[NumMutants + 1]uint8)(unsafe.Add(base, layout.GatheredAt()))
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
