package worker

import (
	"encoding/binary"
	"fmt"
	"os"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
)

// State is a state file, mapped: what a child counts and says about itself
// outlives it. One State serves one child at a time. Its methods may be called
// while the child runs; they then see it on its way.
type State struct {
	path   string
	layout probe.Layout
	data   []byte
	unmap  func() error
}

// NewState makes the file at path, which must not exist, for binaries woven
// with layout.
func NewState(path string, layout probe.Layout) (*State, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot make a state file: %w", err)
	}
	defer f.Close()
	s := &State{path: path, layout: layout}
	if err = f.Truncate(int64(layout.Size())); err == nil {
		s.data, s.unmap, err = mapFile(f, layout.Size())
	}
	if err != nil {
		os.Remove(path)
		return nil, fmt.Errorf("cannot map the state file %s: %w", path, err)
	}
	s.Reset()
	return s, nil
}

// Path returns the file's path.
func (s *State) Path() string { return s.path }

// Close unmaps and removes the file.
func (s *State) Close() error {
	err := s.unmap()
	s.data = nil
	if rerr := os.Remove(s.path); err == nil {
		err = rerr
	}
	return err
}

// Reset clears everything, as at the start of a process.
func (s *State) Reset() {
	clear(s.data[:s.layout.InputAt()])
	copy(s.data, probe.StateMagic)
	binary.NativeEndian.PutUint64(s.data[probe.StateInput:], ^uint64(0)) // -1: none
}

func (s *State) word(offset int) int64 {
	return int64(binary.NativeEndian.Uint64(s.data[offset:]))
}

// Runs returns the number of runs begun.
func (s *State) Runs() int64 { return s.word(probe.StateRuns) }

// Steps returns the steps taken, in whole multiples of probe.StepChunk.
func (s *State) Steps() int64 { return s.word(probe.StateSteps) }

// MutantRuns returns the number of runs begun with a mutant active.
func (s *State) MutantRuns() int64 { return s.word(probe.StateMutants) }

// InRun reports whether user code runs.
func (s *State) InRun() bool { return s.word(probe.StateInRun) != 0 }

// Mutant returns M of the run going on.
func (s *State) Mutant() int {
	return int(int32(binary.NativeEndian.Uint32(s.data[probe.StateMutant:])))
}

// Flags returns the probe.Flag... of what has happened.
func (s *State) Flags() uint32 { return binary.NativeEndian.Uint32(s.data[probe.StateFlags:]) }

// Input returns a copy of the input of the run going on, as the probe left it
// in its buffer; nil if there is none.
func (s *State) Input() []byte {
	n := s.word(probe.StateInput)
	if n < 0 || n > probe.StateInputMax {
		return nil
	}
	at := s.layout.InputAt()
	return append([]byte{}, s.data[at:at+int(n)]...)
}

// Blocks returns the indices of the block counters that are not zero, in
// order.
func (s *State) Blocks() []int {
	var blocks []int
	counters := s.data[s.layout.BlocksAt():]
	for i := range s.layout.Blocks {
		if binary.NativeEndian.Uint32(counters[4*i:]) != 0 {
			blocks = append(blocks, i)
		}
	}
	return blocks
}

// Funcs returns the indices of the functions entered, in order.
func (s *State) Funcs() []int {
	var funcs []int
	for i, mark := range s.data[s.layout.FuncsAt():][:s.layout.Funcs] {
		if mark != 0 {
			funcs = append(funcs, i)
		}
	}
	return funcs
}

// Marks returns a copy of the infection marks (probe.Mark...), by mutant.
func (s *State) Marks() []byte {
	return append([]byte{}, s.data[s.layout.MutantsAt():][:s.layout.Mutants+1]...)
}

// Work returns the sum of all block counters.
func (s *State) Work() uint64 {
	var sum uint64
	counters := s.data[s.layout.BlocksAt():]
	for i := range s.layout.Blocks {
		sum += uint64(binary.NativeEndian.Uint32(counters[4*i:]))
	}
	return sum
}
