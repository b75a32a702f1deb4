//go:build go1.21

package loop

import (
	"os"
	"path/filepath"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/input"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/state"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// given returns the inputs that are there before anything is found. With seeds these are the inputs of f.Add, those
// of testdata/fuzz, and the job's corpus, in this order; without seeds only the corpus. Entries that cannot be read
// are reported and left out.
func (l *loop) given(seeds bool) []*entry {
	if !seeds {
		return l.decoded(l.job.Corpus)
	}
	files := l.decoded(committed(l.job.Target))
	for _, e := range files {
		e.file = true
	}
	return append(append(l.added(), files...), l.decoded(l.job.Corpus)...)
}

// decoded returns the entries that can be read, and reports the others.
func (l *loop) decoded(entries []wire.JobEntry) (list []*entry) {
	for _, e := range entries {
		values, err := wire.DecodeEntry(e.Data)
		if err == nil {
			err = input.CheckTypes(values, l.Types)
		}
		if err != nil {
			l.invalid(e, err)
			continue
		}
		list = append(list, &entry{values: values, given: e})
	}
	return list
}

// added returns the seeds of f.Add.
func (l *loop) added() (list []*entry) {
	for _, values := range l.Seeds {
		if err := input.CheckTypes(values, l.Types); err != nil {
			l.invalid(wire.JobEntry{ID: "f.Add"}, err)
			continue
		}
		list = append(list, &entry{values: values, given: jobEntry(values), added: true})
	}
	return list
}

func (l *loop) invalid(e wire.JobEntry, err error) {
	l.send(wire.Event{Event: wire.EventInvalid, Entry: &wire.JobEntry{ID: e.ID}, Message: err.Error()})
}

// committed returns the entries in testdata/fuzz/<target> of the package under test, whose folder is the working
// directory. Package testing has read them before, and would have stopped the target at an invalid file.
func committed(target string) []wire.JobEntry {
	folder := filepath.Join("testdata", "fuzz", target)
	files, _ := os.ReadDir(folder) // sorted by name; no folder, no entries
	var list []wire.JobEntry
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(folder, f.Name()))
		if f.IsDir() || err != nil {
			continue
		}
		list = append(list, wire.JobEntry{ID: wire.EntryID(string(data)), Data: string(data)})
	}
	return list
}

// runEntries does a job of kind wire.JobRun.
func (l *loop) runEntries() {
	for _, e := range l.given(l.job.Seeds) {
		for i := 0; i < max(l.job.Repeat, 1); i++ {
			r := l.onEntry(e)
			_ = os.Getenv(wire.RunBegins)
			l.one(r)
			_ = os.Getenv(wire.RunEnds)
			report := &wire.Run{
				Entry: e.given.ID, Mutant: int(r.Mutant), Repeat: i,
				Outcome: r.Outcome, Message: r.Message, Stack: stackText(r.Frames),
				Observations: r.Record, Steps: r.Steps,
			}
			if l.job.Coverage {
				report.Blocks, report.Infected = state.CoveredBlocks(), state.InfectedMutants()
			}
			l.send(wire.Event{Event: wire.EventRun, Run: report})
		}
	}
}

// onEntry returns a run of e with the mutant that the process was started with. Its bound is the environment's,
// else the job's StepFloor, else originalBound.
func (l *loop) onEntry(e *entry) *Run {
	bound := state.StepBound()
	if bound == 0 {
		bound = l.job.StepFloor
	}
	if bound == 0 {
		bound = originalBound
	}
	return &Run{Values: e.values, Mutant: l.idle, Bound: bound, Observe: true, Render: l.job.Render}
}
