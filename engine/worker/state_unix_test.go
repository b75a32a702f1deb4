//go:build unix

package worker

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// stateAs makes a state file and lets write change it, as a child could.
func stateAs(t *testing.T, write func(path string) error) *State {
	t.Helper()
	s := newState(t)
	if err := write(s.Path()); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestCheckReportsInvalidStateFiles(t *testing.T) {
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
		{"no such mutant", put(wire.StateMutant, 10)},
		{"a mutant below all", put(wire.StateMutant, 0xfd, 0xff, 0xff, 0xff)},
		{"unknown flags", put(wire.StateFlags, 0x80)},
		{"an input larger than there is room", put(wire.StateInput, 1, 0, 0x10)},
		{"an input of negative length", put(wire.StateInput, 0xfe)},
		{"runs below zero", put(wire.StateRuns, all...)},
		{"steps without end", put(wire.StateSteps, 0, 0, 0, 0, 0, 0, 0, 0x7f)},
		{"several runs at once", put(wire.StateInRun, 2)},
		{"an unknown mark", put(testLayout.MutantsAt()+3, 0x40)},
		{"an unknown gathered mark", put(testLayout.GatheredAt()+9, 0x40)},
		{"cut short", func(path string) error { return os.Truncate(path, 0) }},
		{"cut to a page", func(path string) error { return os.Truncate(path, 4096) }},
		{"removed", os.Remove},
		{"replaced by a folder", func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) }},
		{"replaced by a link", func(path string) error { return errors.Join(os.Remove(path), os.Symlink("/dev/zero", path)) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := stateAs(t, tt.write)
			if s.Check() == nil {
				t.Error("it is taken for valid")
			}
			c := s.contents() // it can be read nevertheless
			if c.Mutant < wire.Identity || c.Mutant > testLayout.Mutants || c.Flags > 7 || c.Runs < 0 || c.Steps < 0 || len(c.Marks) != 10 {
				t.Errorf("out of bounds: %+v", c)
			}
			if err := errors.Join(s.Reset(), s.Check()); err != nil {
				t.Errorf("not valid again after Reset: %v", err)
			}
		})
	}
	s := newState(t)
	if err := s.Check(); err != nil {
		t.Errorf("a new file: %v", err)
	}
}

// FuzzState checks that no contents of a state file give numbers outside the layout.
func FuzzState(f *testing.F) {
	f.Add([]byte(wire.StateMagic), 0)
	f.Add([]byte{0xff, 0xff, 0xff, 0xff}, wire.StateMutant)
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
		if c.Mutant < wire.Identity || c.Mutant > testLayout.Mutants || len(c.Blocks) > testLayout.Blocks || len(c.Funcs) > testLayout.Funcs {
			t.Errorf("out of bounds: %+v", c)
		}
		if _, err := wire.DecodeStateInput(c.Input); s.Check() == nil && len(c.Input) > wire.StateInputMax {
			t.Errorf("an input of %d bytes, %v", len(c.Input), err)
		}
	})
}
