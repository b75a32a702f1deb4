package worker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// State is a state file, to which a child writes counts and what it runs, so that
// they outlive it. One State serves one child at a time. Its methods may be called
// while the child runs.
//
// Children map the file into their memory. It is not mapped here: a child can
// truncate the file, and reading a mapping past its end would kill the coordinator.
// Whatever a child writes, the methods return numbers within the layout; they leave
// out what is invalid, and Check reports it.
type State struct {
	path   string
	layout wire.Layout
	file   *os.File
	blank  []byte // initial contents, up to the input
}

// NewState makes the file at path, which must not exist, for binaries woven
// with layout.
func NewState(path string, layout wire.Layout) (*State, error) {
	file, err := makeFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot make a state file: %w", err)
	}
	s := &State{path: path, layout: layout, file: file, blank: make([]byte, layout.InputAt())}
	copy(s.blank, wire.StateMagic)
	binary.NativeEndian.PutUint64(s.blank[wire.StateInput:], ^uint64(0)) // -1: none
	if err := s.Reset(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func makeFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
}

// Path returns the file's path.
func (s *State) Path() string { return s.path }

// Close removes the file.
func (s *State) Close() error { return errors.Join(s.file.Close(), os.RemoveAll(s.path)) }

// Reset clears everything, as at the start of a process, and repairs a file that a
// child has truncated or replaced.
func (s *State) Reset() error {
	err := s.restore()
	if info, ierr := s.file.Stat(); err == nil && (ierr != nil || info.Size() != int64(s.layout.Size())) {
		err = s.file.Truncate(int64(s.layout.Size()))
	}
	if err == nil {
		_, err = s.file.WriteAt(s.blank, 0)
	}
	if err != nil {
		return fmt.Errorf("cannot write the state file %s: %w", s.path, err)
	}
	return nil
}

// restore makes the file anew if something else stands in its place.
func (s *State) restore() error {
	if s.inPlace() {
		return nil
	}
	if err := os.RemoveAll(s.path); err != nil {
		return err
	}
	file, err := makeFile(s.path)
	if err != nil {
		return err
	}
	s.file.Close()
	s.file = file
	return nil
}

// inPlace reports whether the file is still the one at its path.
func (s *State) inPlace() bool {
	own, err := s.file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(s.path)
	return err == nil && os.SameFile(own, there)
}

// All flags and marks.
const (
	allFlags = wire.FlagHang | wire.FlagRecursion | wire.FlagMemory | wire.FlagAllocated
	allMarks = wire.MarkEvaluated | wire.MarkInfected
)

// Check returns an error if the file holds something that the probe cannot have written. The child must have ended.
func (s *State) Check() error {
	info, err := s.file.Stat()
	switch {
	case err != nil:
		return fmt.Errorf("the state file: %w", err)
	case !s.inPlace():
		return errors.New("the state file was replaced")
	case info.Size() < int64(s.layout.Size()): // another program's probe may have extended the file
		return fmt.Errorf("the state file has %d bytes, not %d", info.Size(), s.layout.Size())
	}
	magic, mutant, flags, input := s.read(0, len(wire.StateMagic)), s.mutant(), s.half(wire.StateFlags), s.word(wire.StateInput)
	switch {
	case string(magic) != wire.StateMagic:
		return fmt.Errorf("the state file begins with %.20q", magic)
	case mutant < wire.Identity || mutant > s.layout.Mutants:
		return fmt.Errorf("mutant %d in the state file", mutant)
	case flags&^allFlags != 0:
		return fmt.Errorf("flags %#x in the state file", flags)
	case input < -1 || input > wire.StateInputMax:
		return fmt.Errorf("an input of %d bytes in the state file", input)
	case s.word(wire.StateInRun)&^1 != 0:
		return fmt.Errorf("%d runs at once in the state file", s.word(wire.StateInRun))
	}
	for _, at := range []int{s.layout.MutantsAt(), s.layout.GatheredAt()} {
		for i, mark := range s.read(at, s.layout.Mutants+1) {
			if mark&^allMarks != 0 {
				return fmt.Errorf("mark %#x of mutant %d in the state file", mark, i)
			}
		}
	}
	return amounts(s.word(wire.StateRuns), s.word(wire.StateSteps), s.word(wire.StateMutants))
}

// read returns n bytes of the file, with zeros for those that are cut off.
func (s *State) read(offset, n int) []byte {
	data := make([]byte, n)
	_, _ = s.file.ReadAt(data, int64(offset)) // Check reports what is missing
	return data
}

func (s *State) word(offset int) int64 { return int64(binary.NativeEndian.Uint64(s.read(offset, 8))) }

func (s *State) half(offset int) uint32 { return binary.NativeEndian.Uint32(s.read(offset, 4)) }

func (s *State) mutant() int { return int(int32(s.half(wire.StateMutant))) }

// amount returns a count, cut to the valid range.
func (s *State) amount(offset int) int64 { return min(max(s.word(offset), 0), maxCount) }

// Runs returns the number of runs begun.
func (s *State) Runs() int64 { return s.amount(wire.StateRuns) }

// Steps returns the steps taken, in whole multiples of wire.StepChunk.
func (s *State) Steps() int64 { return s.amount(wire.StateSteps) }

// InRun reports whether user code runs.
func (s *State) InRun() bool { return s.word(wire.StateInRun) != 0 }

// Mutant returns M of the current run.
func (s *State) Mutant() int {
	if m := s.mutant(); m >= wire.Identity && m <= s.layout.Mutants {
		return m
	}
	return wire.Original
}

// Flags returns the wire.Flag... bits of what has happened.
func (s *State) Flags() uint32 { return s.half(wire.StateFlags) & allFlags }

// Input returns a copy of the input of the current run, as the probe left it in its buffer; nil if there is none.
func (s *State) Input() []byte {
	n := s.word(wire.StateInput)
	if n < 0 || n > wire.StateInputMax {
		return nil
	}
	return s.read(s.layout.InputAt(), int(n))
}

// Blocks returns the indices of the block counters that are not zero, in order. In a job these are the counters of
// the last run only.
func (s *State) Blocks() []int {
	var blocks []int
	counters := s.read(s.layout.BlocksAt(), 4*s.layout.Blocks)
	for i := range s.layout.Blocks {
		if binary.NativeEndian.Uint32(counters[4*i:]) != 0 {
			blocks = append(blocks, i)
		}
	}
	return blocks
}

// Seen returns the indices of the blocks that runs of the original have covered
// so far in a job of wire.JobFuzz, in order.
func (s *State) Seen() []int { return s.set(s.layout.SeenAt(), s.layout.Blocks) }

// Funcs returns the indices of the functions entered, in order.
func (s *State) Funcs() []int { return s.set(s.layout.FuncsAt(), s.layout.Funcs) }

// set returns the indices of the bytes of an array that are not zero, in order.
func (s *State) set(at, n int) []int {
	var list []int
	for i, b := range s.read(at, n) {
		if b != 0 {
			list = append(list, i)
		}
	}
	return list
}

// Marks returns a copy of the infection marks (wire.Mark...), by mutant. In a
// job these are the marks of the last run only.
func (s *State) Marks() []byte { return s.marks(s.layout.MutantsAt()) }

// Gathered returns, by mutant, the infection marks that a job of wire.JobFuzz
// has gathered so far: wire.MarkEvaluated for one that was reached.
func (s *State) Gathered() []byte { return s.marks(s.layout.GatheredAt()) }

func (s *State) marks(at int) []byte {
	marks := s.read(at, s.layout.Mutants+1)
	for i := range marks {
		marks[i] &= allMarks
	}
	return marks
}
