package worker

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
)

func TestStateShowsWhatIsWrittenToItsFile(t *testing.T) {
	s, err := NewState(filepath.Join(t.TempDir(), "state"), probe.Layout{Blocks: 5, Funcs: 3, Mutants: 9})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	f, err := os.OpenFile(s.Path(), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	put := func(offset int, data ...byte) {
		if _, err := f.WriteAt(data, int64(offset)); err != nil {
			t.Fatal(err)
		}
	}
	empty := s.contents()
	if diff := cmp.Diff(stateContents{Marks: make([]byte, 10)}, empty); diff != "" {
		t.Errorf("new state: -want +got\n%s", diff)
	}

	l := s.layout
	put(probe.StateRuns, 1)
	put(probe.StateSteps, 0, 0, 2)
	put(probe.StateMutants, 3)
	put(probe.StateMutant, binary.LittleEndian.AppendUint32(nil, ^uint32(0))...)
	put(probe.StateFlags, probe.FlagRecursion)
	put(probe.StateInRun, 1)
	put(probe.StateInput, 2, 0, 0, 0, 0, 0, 0, 0)
	put(l.BlocksAt()+4*1+3, 1)
	put(l.BlocksAt()+4*4, 1)
	put(l.FuncsAt()+2, 1)
	put(l.MutantsAt()+9, probe.MarkEvaluated|probe.MarkInfected)
	put(l.InputAt(), 'o', 'k')
	want := stateContents{
		Runs: 1, Steps: 2 << 16, MutantRuns: 3, Mutant: probe.Probed, Flags: probe.FlagRecursion, InRun: true, Input: []byte("ok"),
		Blocks: []int{1, 4}, Funcs: []int{2}, Marks: []byte{9: 3},
	}
	if diff := cmp.Diff(want, s.contents()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}

	put(probe.StateInput, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)
	if got := s.Input(); got != nil {
		t.Errorf("an input of impossible length: %d bytes", len(got))
	}
	if err := s.Reset(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(empty, s.contents()); diff != "" {
		t.Errorf("after Reset: -want +got\n%s", diff)
	}
}

type stateContents struct {
	Runs, Steps, MutantRuns int64
	Mutant                  int
	Flags                   uint32
	InRun                   bool
	Input                   []byte
	Blocks, Funcs           []int
	Marks                   []byte
}

func (s *State) contents() stateContents {
	return stateContents{s.Runs(), s.Steps(), s.MutantRuns(), s.Mutant(), s.Flags(), s.InRun(), s.Input(), s.Blocks(), s.Funcs(), s.Marks()}
}

func TestClosedStateLeavesNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	s, err := NewState(path, probe.Layout{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewState(path, probe.Layout{}); err == nil {
		t.Error("two states in one file")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("the file is still there")
	}
}

// stateAs makes a state file, and writes to it what a child may.
func stateAs(t *testing.T, write func(path string) error) *State {
	t.Helper()
	s := newState(t)
	if err := write(s.Path()); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAStateFileThatCannotBeTrueIsTold(t *testing.T) {
	put := func(offset int, data ...byte) func(string) error {
		return func(path string) error {
			f, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteAt(data, int64(offset))
			return errors.Join(err, f.Close())
		}
	}
	all := bytes.Repeat([]byte{0xff}, 8)
	for _, tt := range []struct {
		name  string
		write func(path string) error
	}{
		{"another file", put(0, []byte("mfzstat2")...)},
		{"no such mutant", put(probe.StateMutant, 10)},
		{"a mutant below all", put(probe.StateMutant, 0xfd, 0xff, 0xff, 0xff)},
		{"unknown flags", put(probe.StateFlags, 0x80)},
		{"an input larger than there is room", put(probe.StateInput, 1, 0, 0x10)},
		{"an input of negative length", put(probe.StateInput, 0xfe)},
		{"runs below zero", put(probe.StateRuns, all...)},
		{"steps without end", put(probe.StateSteps, 0, 0, 0, 0, 0, 0, 0, 0x7f)},
		{"several runs at once", put(probe.StateInRun, 2)},
		{"an unknown mark", put(testLayout.MutantsAt()+3, 0x40)},
		{"cut short", func(path string) error { return os.Truncate(path, 0) }},
		{"cut to a page", func(path string) error { return os.Truncate(path, 4096) }},
		{"removed", os.Remove},
		{"replaced by a folder", func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) }},
		{"replaced by a link", func(path string) error { return errors.Join(os.Remove(path), os.Symlink("/dev/zero", path)) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := stateAs(t, tt.write)
			if s.Check() == nil {
				t.Error("nothing is wrong with it")
			}
			c := s.contents() // whatever it is, it is read
			if c.Mutant < probe.Identity || c.Mutant > testLayout.Mutants || c.Flags > 7 || c.Runs < 0 || c.Steps < 0 || len(c.Marks) != 10 {
				t.Errorf("out of bounds: %+v", c)
			}
			if err := errors.Join(s.Reset(), s.Check()); err != nil {
				t.Errorf("the next child does not find it as it has to be: %v", err)
			}
		})
	}
	s := newState(t)
	if err := s.Check(); err != nil {
		t.Errorf("a new file: %v", err)
	}
}

// FuzzState checks that nothing in a state file leads out of the layout.
func FuzzState(f *testing.F) {
	f.Add([]byte(probe.StateMagic), 0)
	f.Add([]byte{0xff, 0xff, 0xff, 0xff}, probe.StateMutant)
	f.Fuzz(func(t *testing.T, data []byte, at int) {
		at &= 1<<20 - 1
		s := stateAs(t, func(path string) error {
			file, err := os.OpenFile(path, os.O_RDWR, 0)
			if err != nil {
				return err
			}
			_, err = file.WriteAt(data, int64(at))
			return errors.Join(err, file.Truncate(int64(at+len(data))), file.Close())
		})
		c := s.contents()
		if c.Mutant < probe.Identity || c.Mutant > testLayout.Mutants || len(c.Blocks) > testLayout.Blocks || len(c.Funcs) > testLayout.Funcs {
			t.Errorf("out of bounds: %+v", c)
		}
		if _, err := probe.DecodeStateInput(c.Input); s.Check() == nil && len(c.Input) > probe.StateInputMax {
			t.Errorf("an input of %d bytes, %v", len(c.Input), err)
		}
	})
}
