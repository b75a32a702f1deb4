package worker

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

func eventsOf(r io.Reader) ([]wire.Event, error) {
	var events []wire.Event
	err := ReadEvents(r, nil, nil, 0, func(e *wire.Event) { events = append(events, *e) })
	return events, err
}

func TestReadEventsStopsAtTheFirstInvalidLine(t *testing.T) {
	tests := []struct {
		name, stream string
		want         []string // kinds of events
		invalid      bool
	}{
		{"nothing", "", nil, false},
		{"one", `{"event":"done"}` + "\n", []string{"done"}, false},
		{"junk between", `{"event":"ready"}` + "\nprinted\n" + `{"event":"done"}` + "\n", []string{"ready"}, true},
		{"blank line", "\n", nil, true},
		{"wrong type", `{"event":7}` + "\n", nil, true},
		{"torn", `{"event":"ready"}` + "\n" + `{"event":"kill","mutant":1`, []string{"ready"}, false},
		{"whole but for the newline", `{"event":"kill","mutant":1}`, nil, false},
		{"endless line", `{"event":"ready"}` + "\n" + strings.Repeat("x", maxEvent+1), []string{"ready"}, true},
		{"deep", strings.Repeat("[", 1<<20) + "\n", nil, true},
		{"deep below a name", `{"event":"ready","deep":` + strings.Repeat("[", 1<<19) + strings.Repeat("]", 1<<19) + "}\n", nil, true},
		{"wide", `{"event":"run","run":{"observations":[` + strings.Repeat("{},", 1<<20) + "{}]}}\n", nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			events, err := eventsOf(strings.NewReader(tt.stream))
			var kinds []string
			for _, e := range events {
				kinds = append(kinds, e.Event)
			}
			if diff := cmp.Diff(tt.want, kinds); diff != "" || (err != nil) != tt.invalid {
				t.Errorf("error: %v; -want +got\n%s", err, diff)
			}
		})
	}
}

func TestLargestEntryIsNoTooLongEvent(t *testing.T) {
	want := wire.Event{Event: wire.EventEntry, Entry: &wire.JobEntry{Data: strings.Repeat("\x01", wire.StateInputMax)}}
	line, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := eventsOf(bytes.NewReader(append(line, '\n')))
	if diff := cmp.Diff([]wire.Event{want}, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got\n%.500s", err, diff)
	}
}

// testLayout is the layout of the tests' children.
var testLayout = wire.Layout{Blocks: 5, Funcs: 3, Mutants: 9}

// bounds are the bounds on events of the tests' children.
var bounds = Bounds{Layout: testLayout, Sites: 2, Types: []string{"[]byte", "byte"}}

// jobs has a job of each kind.
var jobs = map[string]*wire.Job{
	wire.JobFuzz: {Kind: wire.JobFuzz, Target: "FuzzX", Live: []wire.JobMutant{{ID: 2}, {ID: 9}}},
	wire.JobRun: {
		Kind: wire.JobRun, Target: "FuzzX", Repeat: 2, Corpus: []wire.JobEntry{entryOf([]byte("a"), byte(1))},
	},
	wire.JobSimplify: {
		Kind: wire.JobSimplify, Target: "FuzzX", Live: []wire.JobMutant{{ID: 2}}, Corpus: []wire.JobEntry{entryOf([]byte("a"), byte(1))},
	},
	wire.JobTrials: {Kind: wire.JobTrials, Tests: []wire.TrialTest{{Name: "TestX"}}, Trials: []wire.Trial{{Mutant: 3}, {Mutant: 1}}},
}

func entryOf(values ...any) wire.JobEntry {
	data := wire.EncodeEntry(values)
	return wire.JobEntry{ID: wire.EntryID(data), Data: data}
}

func lines(events ...wire.Event) (stream []byte) {
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil {
			panic(err)
		}
		stream = append(append(stream, line...), '\n')
	}
	return stream
}

// valid returns events that a probe may send in jobs, by kind of job.
func valid() map[string][]wire.Event {
	entry := entryOf([]byte("b"), byte(0))
	run := wire.Run{
		Entry: jobs[wire.JobRun].Corpus[0].ID, Outcome: wire.OutcomePanic, Message: "boom", Blocks: []int{0, 4}, Infected: []int{9},
		Observations: []wire.Observation{{Site: 1, Args: []string{"1"}}, {Site: -1}},
	}
	again := run
	again.Repeat = 1
	return map[string][]wire.Event{
		wire.JobFuzz: {
			{Event: wire.EventReady, Types: []string{"[]byte", "uint8"}},
			{Event: wire.EventEntry, Entry: &entry, Reasons: []string{"kills", "exposes"}, Mutants: []int{2, 9}},
			{Event: wire.EventKill, Entry: &entry, Mutant: 2, Outcome: wire.OutcomeHang},
			{Event: wire.EventExpose, Entry: &entry, Mutant: 9, Site: -1},
			{Event: wire.EventExpose, Entry: &entry, Mutant: 9, Site: 1},
			{Event: wire.EventCrash, Entry: &entry, Outcome: wire.OutcomePanic, Stack: "f()\n"},
			{Event: wire.EventStrike, Site: 0},
			{Event: wire.EventStats, Stats: &wire.Stats{Stage: "replay"}},
			{Event: wire.EventInvalid, Entry: &wire.JobEntry{ID: "f.Add"}, Message: "no"},
			{Event: wire.EventDrift},
			{Event: wire.EventDrift, Mutant: 9},
			{Event: wire.EventDrift, Mutant: 2, Entry: &entry},
			{Event: wire.EventError, Message: "no"},
			{Event: wire.EventStats, Stats: &wire.Stats{
				Stage: "program", Execs: 7, Blocks: []int{0, 4}, Reached: []int{2, 9}, Infected: []int{9}, ByMutant: map[int]int64{9: 3}, Seconds: [3]float64{1, 2, 3},
			}},
			{Event: wire.EventDone},
		},
		wire.JobSimplify: {
			{Event: wire.EventReady}, {Event: wire.EventStats, Stats: &wire.Stats{Stage: "replay", Execs: 2}},
			{Event: wire.EventEntry, Entry: &entry}, {Event: wire.EventDone},
		},
		wire.JobRun: {{Event: wire.EventReady}, {Event: wire.EventRun, Run: &run}, {Event: wire.EventRun, Run: &again}, {Event: wire.EventDone}},
		wire.JobTrials: {
			{Event: wire.EventReady, Funcs: []int{2}},
			{Event: wire.EventTrial, Mutant: 3, Outcome: wire.OutcomeOK, Funcs: []int{0, 2}},
			{Event: wire.EventTrial, Mutant: 1, Outcome: wire.OutcomeFailure, Message: "TestX/sub"},
			{Event: wire.EventDone},
		},
	}
}

func TestEventsOfTheProbeAreWithinBounds(t *testing.T) {
	for kind, events := range valid() {
		n := 0
		err := ReadEvents(bytes.NewReader(lines(events...)), &bounds, jobs[kind], 0, func(*wire.Event) { n++ })
		if n != len(events) || err != nil {
			t.Errorf("%s: %d of %d events, %v", kind, n, len(events), err)
		}
	}
}

func TestEventsOutOfBoundsAreInvalid(t *testing.T) {
	entry, other := entryOf([]byte("b"), byte(0)), entryOf("b", byte(0))
	short, misnamed := entryOf([]byte("b")), wire.JobEntry{ID: other.ID, Data: entry.Data}
	known := jobs[wire.JobRun].Corpus[0].ID
	run := func(change func(*wire.Run)) wire.Event {
		r := &wire.Run{Entry: known, Outcome: wire.OutcomeOK}
		change(r)
		return wire.Event{Event: wire.EventRun, Run: r}
	}
	stats := func(s wire.Stats) wire.Event {
		if s.Stage == "" {
			s.Stage = "replay"
		}
		return wire.Event{Event: wire.EventStats, Stats: &s}
	}
	for i, tt := range []struct {
		kind  string
		event wire.Event
	}{
		{wire.JobFuzz, wire.Event{Event: "kil"}},
		{wire.JobFuzz, wire.Event{Event: wire.EventKill}},
		{wire.JobFuzz, wire.Event{Event: wire.EventKill, Entry: &entry}},
		{wire.JobFuzz, wire.Event{Event: wire.EventKill, Entry: &entry, Mutant: 1}}, // not in the job
		{wire.JobFuzz, wire.Event{Event: wire.EventKill, Entry: &entry, Mutant: -2}},
		{wire.JobFuzz, wire.Event{Event: wire.EventKill, Entry: &entry, Mutant: 1 << 40}},
		{wire.JobFuzz, wire.Event{Event: wire.EventKill, Mutant: 2}},
		{wire.JobFuzz, wire.Event{Event: wire.EventKill, Mutant: 2, Entry: &other}}, // its values have other types
		{wire.JobFuzz, wire.Event{Event: wire.EventKill, Mutant: 2, Entry: &short}},
		{wire.JobFuzz, wire.Event{Event: wire.EventKill, Mutant: 2, Entry: &misnamed}},
		{wire.JobFuzz, wire.Event{Event: wire.EventKill, Mutant: 2, Entry: &wire.JobEntry{ID: wire.EntryID("junk"), Data: "junk"}}},
		{wire.JobFuzz, wire.Event{Event: wire.EventExpose, Entry: &entry, Mutant: 2, Site: 2}},
		{wire.JobFuzz, wire.Event{Event: wire.EventExpose, Entry: &entry, Mutant: 2, Site: -2}},
		{wire.JobFuzz, wire.Event{Event: wire.EventEntry}},
		{wire.JobFuzz, wire.Event{Event: wire.EventEntry, Entry: &entry, Mutants: []int{0}}},
		{wire.JobFuzz, wire.Event{Event: wire.EventEntry, Entry: &entry, Mutants: []int{2, 2, 2}}},
		{wire.JobFuzz, wire.Event{Event: wire.EventEntry, Entry: &entry, Reasons: []string{"because"}}},
		{wire.JobFuzz, wire.Event{Event: wire.EventCrash, Entry: &entry, Mutant: -5}},
		{wire.JobFuzz, wire.Event{Event: wire.EventCrash, Entry: &entry, Mutant: 2}}, // only drivers may name one
		{wire.JobFuzz, wire.Event{Event: wire.EventCrash}},
		{wire.JobFuzz, wire.Event{Event: wire.EventStrike, Site: 2}},
		{wire.JobFuzz, wire.Event{Event: wire.EventDrift, Mutant: 1}}, // not in the job
		{wire.JobFuzz, wire.Event{Event: wire.EventDrift, Mutant: 2, Entry: &other}},
		{wire.JobFuzz, wire.Event{Event: wire.EventInvalid}},
		{wire.JobFuzz, wire.Event{Event: wire.EventInvalid, Entry: &wire.JobEntry{}}},
		{wire.JobFuzz, wire.Event{Event: wire.EventInvalid, Entry: &entry}},
		{wire.JobFuzz, wire.Event{Event: wire.EventStats}},
		{wire.JobFuzz, stats(wire.Stats{Stage: "applause"})},
		{wire.JobFuzz, stats(wire.Stats{Execs: -1})},
		{wire.JobFuzz, stats(wire.Stats{MutantExecs: 1 << 62})},
		{wire.JobFuzz, stats(wire.Stats{Blocks: []int{5}})},
		{wire.JobFuzz, stats(wire.Stats{Blocks: []int{0, 1, 2, 3, 4, 0}})},
		{wire.JobFuzz, stats(wire.Stats{Reached: []int{0}})},
		{wire.JobFuzz, stats(wire.Stats{Infected: []int{10}})},
		{wire.JobFuzz, stats(wire.Stats{ByMutant: map[int]int64{0: 1}})},
		{wire.JobFuzz, stats(wire.Stats{ByMutant: map[int]int64{9: -1}})},
		{wire.JobFuzz, stats(wire.Stats{Spared: map[int]int64{0: 1}})},
		{wire.JobSimplify, wire.Event{Event: wire.EventEntry, Entry: &other}},
		{wire.JobSimplify, wire.Event{Event: wire.EventExpose, Entry: &entry, Mutant: 2}},
		{wire.JobSimplify, wire.Event{Event: wire.EventCrash, Entry: &entry}},
		{wire.JobFuzz, stats(wire.Stats{Seconds: [3]float64{0, -1, 0}})},
		{wire.JobFuzz, stats(wire.Stats{Seconds: [3]float64{1e300, 0, 0}})},
		{wire.JobFuzz, run(func(*wire.Run) {})}, // an event of another kind of job
		{wire.JobRun, wire.Event{Event: wire.EventKill, Entry: &entry, Mutant: 2}},
		{wire.JobRun, wire.Event{Event: wire.EventRun}},
		{wire.JobRun, run(func(r *wire.Run) { r.Entry = "another" })},
		{wire.JobRun, run(func(r *wire.Run) { r.Mutant = 2 })},
		{wire.JobRun, run(func(r *wire.Run) { r.Repeat = 2 })},
		{wire.JobRun, run(func(r *wire.Run) { r.Repeat = -1 })},
		{wire.JobRun, run(func(r *wire.Run) { r.Outcome = "fine" })},
		{wire.JobRun, run(func(r *wire.Run) { r.Steps = -1 })},
		{wire.JobRun, run(func(r *wire.Run) { r.Blocks = []int{-1} })},
		{wire.JobRun, run(func(r *wire.Run) { r.Infected = []int{10} })},
		{wire.JobRun, run(func(r *wire.Run) { r.Observations = []wire.Observation{{Site: 2}} })},
		{wire.JobRun, run(func(r *wire.Run) { r.Observations = make([]wire.Observation, 1026) })},
		{wire.JobTrials, wire.Event{Event: wire.EventTrial, Mutant: 1, Outcome: wire.OutcomeOK}}, // not its turn
		{wire.JobTrials, wire.Event{Event: wire.EventTrial, Mutant: 3}},
		{wire.JobTrials, wire.Event{Event: wire.EventTrial, Mutant: 3, Outcome: wire.OutcomeOK, Funcs: []int{3}}},
		{wire.JobTrials, wire.Event{Event: wire.EventReady, Funcs: []int{-1}}},
		{wire.JobTrials, wire.Event{Event: wire.EventReady, Funcs: make([]int, 100)}},
	} {
		stream := lines(wire.Event{Event: wire.EventReady}, tt.event, wire.Event{Event: wire.EventDone})
		n := 0
		err := ReadEvents(bytes.NewReader(stream), &bounds, jobs[tt.kind], 0, func(*wire.Event) { n++ })
		if n != 1 || err == nil {
			t.Errorf("%d: %d events of %s, %v", i, n, stream, err)
		}
	}
}

func TestACrashUnderADriverNamesAMutantThatUndoesTheChangeOrIsForTheBaseToTell(t *testing.T) {
	entry := entryOf([]byte("b"), byte(0))
	job := &wire.Job{Kind: wire.JobFuzz, Driver: true, Live: []wire.JobMutant{{ID: 2}}, Undone: []wire.JobMutant{{ID: 7}}}
	for _, job.Based = range []bool{false, true} {
		for mutant, valid := range map[int]bool{7: true, 2: false, 0: job.Based, 8: false} {
			e := wire.Event{Event: wire.EventCrash, Entry: &entry, Mutant: mutant}
			if err := newChecker(&bounds, job, 0).check(&e, 1); (err == nil) != valid {
				t.Errorf("mutant %d, the base tells: %t: %v", mutant, job.Based, err)
			}
		}
	}
}

func TestTooManyEventsAreInvalid(t *testing.T) {
	entry := entryOf([]byte("b"), byte(0))
	for kind, e := range map[string]wire.Event{
		wire.JobFuzz:   {Event: wire.EventStats, Stats: &wire.Stats{Stage: "replay"}},
		wire.JobRun:    {Event: wire.EventRun, Run: &wire.Run{Entry: jobs[wire.JobRun].Corpus[0].ID, Outcome: wire.OutcomeOK}},
		wire.JobTrials: {Event: wire.EventTrial, Mutant: 3, Outcome: wire.OutcomeOK},
		"kills":        {Event: wire.EventKill, Entry: &entry, Mutant: 2},
		"crashes":      {Event: wire.EventCrash, Entry: &entry},
		"readiness":    {Event: wire.EventReady},
	} {
		job := jobs[kind]
		if job == nil {
			job = jobs[wire.JobFuzz]
		}
		n := 0
		err := ReadEvents(&endless{line: lines(e)}, &bounds, job, 0, func(*wire.Event) { n++ })
		if err == nil || n > maxEvents {
			t.Errorf("%s: %d events, %v", kind, n, err)
		}
	}
}

// endless is a reader that repeats a line for ever.
type endless struct {
	line []byte
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], e.line[e.at:])
		n += k
		e.at = (e.at + k) % len(e.line)
	}
	return n, nil
}

func TestLongTextsAreCut(t *testing.T) {
	long := strings.Repeat("é", maxText)
	e := wire.Event{Event: wire.EventRun, Run: &wire.Run{
		Entry: jobs[wire.JobRun].Corpus[0].ID, Outcome: wire.OutcomePanic, Message: long, Stack: long,
		Observations: []wire.Observation{{Text: long, Args: []string{long, "1"}, Values: make([]string, 1000), After: []string{long}, Errors: []string{long}}},
	}}
	var got *wire.Run
	err := ReadEvents(bytes.NewReader(lines(e)), &bounds, jobs[wire.JobRun], 0, func(e *wire.Event) { got = e.Run })
	if err != nil {
		t.Fatal(err)
	}
	o := got.Observations[0]
	for _, text := range []string{got.Message, got.Stack, o.Text, o.After[0], o.Errors[0]} {
		if len(text) > maxText+len("…") || !utf8.ValidString(text) {
			t.Errorf("%d bytes, valid %t", len(text), utf8.ValidString(text))
		}
	}
	if o.Args[0] != "" || o.Args[1] != "1" || len(o.Values) != maxValues {
		t.Errorf("%d bytes of source, %q, %d values", len(o.Args[0]), o.Args[1], len(o.Values))
	}
}

// FuzzEvents checks that it makes no difference how a stream is cut into reads, and that every whole line before the
// first invalid one gives one event.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("{\"event\":\"done\"}\n{}\njunk\r\n\ntorn"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		whole, err := eventsOf(bytes.NewReader(stream))
		bytewise, again := eventsOf(iotest.OneByteReader(bytes.NewReader(stream)))
		if diff := cmp.Diff(whole, bytewise); diff != "" || (err == nil) != (again == nil) {
			t.Errorf("whole and byte by byte differ: %v, %v\n%s", err, again, diff)
		}
		if lines := bytes.Count(stream, []byte("\n")); err == nil && len(whole) != lines || len(whole) > lines {
			t.Errorf("%d events of %d lines", len(whole), lines)
		}
	})
}
