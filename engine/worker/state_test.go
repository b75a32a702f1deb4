package worker

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

func TestStateReadsWhatIsWrittenToItsFile(t *testing.T) {
	s, err := NewState(filepath.Join(t.TempDir(), "state"), wire.Layout{Blocks: 5, Funcs: 3, Mutants: 9})
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
	if diff := cmp.Diff(stateContents{Marks: make([]byte, 10), Gathered: make([]byte, 10)}, empty); diff != "" {
		t.Errorf("new state: -want +got\n%s", diff)
	}

	l := s.layout
	put(wire.StateRuns, 1)
	put(wire.StateSteps, 0, 0, 2)
	put(wire.StateMutant, binary.LittleEndian.AppendUint32(nil, ^uint32(0))...)
	put(wire.StateFlags, wire.FlagRecursion)
	put(wire.StateInRun, 1)
	put(wire.StateInput, 2, 0, 0, 0, 0, 0, 0, 0)
	put(l.BlocksAt()+4*1+3, 1)
	put(l.BlocksAt()+4*4, 1)
	put(l.FuncsAt()+2, 1)
	put(l.MutantsAt()+9, wire.MarkEvaluated|wire.MarkInfected)
	put(l.SeenAt()+3, 0x80)
	put(l.GatheredAt()+9, wire.MarkEvaluated)
	put(l.InputAt(), 'o', 'k')
	want := stateContents{
		Runs: 1, Steps: 2 << 16, Mutant: wire.Probed, Flags: wire.FlagRecursion, InRun: true, Input: []byte("ok"),
		Blocks: []int{1, 4}, Funcs: []int{2}, Marks: []byte{9: 3}, Seen: []int{3}, Gathered: []byte{9: 1},
	}
	if diff := cmp.Diff(want, s.contents()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}

	put(wire.StateInput, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)
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
	Runs, Steps   int64
	Mutant        int
	Flags         uint32
	InRun         bool
	Input         []byte
	Blocks, Funcs []int
	Marks         []byte
	Seen          []int
	Gathered      []byte
}

func (s *State) contents() stateContents {
	return stateContents{s.Runs(), s.Steps(), s.Mutant(), s.Flags(), s.InRun(), s.Input(), s.Blocks(), s.Funcs(), s.Marks(), s.Seen(), s.Gathered()}
}

func TestClosedStateLeavesNoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	s, err := NewState(path, wire.Layout{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewState(path, wire.Layout{}); err == nil {
		t.Error("two states in one file")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("the file is still there")
	}
}
