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

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
)

func eventsOf(r io.Reader) ([]probe.Event, error) {
	var events []probe.Event
	err := ReadEvents(r, nil, nil, 0, func(e *probe.Event) { events = append(events, *e) })
	return events, err
}

func TestNothingIsHeardAfterWhatIsNoEvent(t *testing.T) {
	tests := []struct {
		name, stream string
		want         []string // kinds
		lie          bool
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
			if diff := cmp.Diff(tt.want, kinds); diff != "" || (err != nil) != tt.lie {
				t.Errorf("lie: %v; -want +got\n%s", err, diff)
			}
		})
	}
}

func TestLargestEntryIsNoTooLongEvent(t *testing.T) {
	want := probe.Event{Event: probe.EventEntry, Entry: &probe.JobEntry{Data: strings.Repeat("\x01", probe.StateInputMax)}}
	line, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := eventsOf(bytes.NewReader(append(line, '\n')))
	if diff := cmp.Diff([]probe.Event{want}, got); diff != "" || err != nil {
		t.Errorf("%v, -want +got\n%.500s", err, diff)
	}
}

// testLayout is that of the tests' children.
var testLayout = probe.Layout{Blocks: 5, Funcs: 3, Mutants: 9}

// bounds are those of the tests' children.
var bounds = Bounds{Layout: testLayout, Sites: 2, Types: []string{"[]byte", "byte"}}

// jobs are jobs of all kinds.
var jobs = map[string]*probe.Job{
	probe.JobFuzz: {Kind: probe.JobFuzz, Target: "FuzzX", Live: []probe.JobMutant{{ID: 2}, {ID: 9}}},
	probe.JobRun: {
		Kind: probe.JobRun, Target: "FuzzX", Repeat: 2, Corpus: []probe.JobEntry{entryOf([]byte("a"), byte(1))},
	},
	probe.JobTrials: {Kind: probe.JobTrials, Tests: []probe.TrialTest{{Name: "TestX"}}, Trials: []probe.Trial{{Mutant: 3}, {Mutant: 1}}},
}

func entryOf(values ...any) probe.JobEntry {
	data := probe.EncodeEntry(values)
	return probe.JobEntry{ID: probe.EntryID(data), Data: data}
}

func lines(events ...probe.Event) (stream []byte) {
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil {
			panic(err)
		}
		stream = append(append(stream, line...), '\n')
	}
	return stream
}

// honest is what a probe may say in jobs.
func honest() map[string][]probe.Event {
	entry := entryOf([]byte("b"), byte(0))
	run := probe.Run{
		Entry: jobs[probe.JobRun].Corpus[0].ID, Outcome: probe.OutcomePanic, Message: "boom", Blocks: []int{0, 4}, Infected: []int{9},
		Observations: []probe.Observation{{Site: 1, Args: []string{"1"}}, {Site: -1}},
	}
	again := run
	again.Repeat = 1
	return map[string][]probe.Event{
		probe.JobFuzz: {
			{Event: probe.EventReady, Types: []string{"[]byte", "uint8"}},
			{Event: probe.EventEntry, Entry: &entry, Reasons: []string{"kills", "exposes"}, Mutants: []int{2, 9}},
			{Event: probe.EventKill, Entry: &entry, Mutant: 2, Outcome: probe.OutcomeHang},
			{Event: probe.EventExpose, Entry: &entry, Mutant: 9, Site: -1},
			{Event: probe.EventExpose, Entry: &entry, Mutant: 9, Site: 1},
			{Event: probe.EventCrash, Entry: &entry, Outcome: probe.OutcomePanic, Stack: "f()\n"},
			{Event: probe.EventStrike, Site: 0},
			{Event: probe.EventStats, Stats: &probe.Stats{Stage: "replay"}},
			{Event: probe.EventInvalid, Entry: &probe.JobEntry{ID: "f.Add"}, Message: "no"},
			{Event: probe.EventDrift},
			{Event: probe.EventError, Message: "no"},
			{Event: probe.EventStats, Stats: &probe.Stats{
				Stage: "program", Execs: 7, Blocks: []int{0, 4}, Reached: []int{2, 9}, Infected: []int{9}, ByMutant: map[int]int64{9: 3}, Seconds: [3]float64{1, 2, 3},
			}},
			{Event: probe.EventDone},
		},
		probe.JobRun: {{Event: probe.EventReady}, {Event: probe.EventRun, Run: &run}, {Event: probe.EventRun, Run: &again}, {Event: probe.EventDone}},
		probe.JobTrials: {
			{Event: probe.EventReady, Funcs: []int{2}},
			{Event: probe.EventTrial, Mutant: 3, Outcome: probe.OutcomeOK, Funcs: []int{0, 2}},
			{Event: probe.EventTrial, Mutant: 1, Outcome: probe.OutcomeFailure, Message: "TestX/sub"},
			{Event: probe.EventDone},
		},
	}
}

func TestWhatTheProbeSaysIsWithinBounds(t *testing.T) {
	for kind, events := range honest() {
		n := 0
		err := ReadEvents(bytes.NewReader(lines(events...)), &bounds, jobs[kind], 0, func(*probe.Event) { n++ })
		if n != len(events) || err != nil {
			t.Errorf("%s: %d of %d events, %v", kind, n, len(events), err)
		}
	}
}

func TestWhatTheProbeCannotSayIsALie(t *testing.T) {
	entry, other := entryOf([]byte("b"), byte(0)), entryOf("b", byte(0))
	short, misnamed := entryOf([]byte("b")), probe.JobEntry{ID: other.ID, Data: entry.Data}
	known := jobs[probe.JobRun].Corpus[0].ID
	run := func(change func(*probe.Run)) probe.Event {
		r := &probe.Run{Entry: known, Outcome: probe.OutcomeOK}
		change(r)
		return probe.Event{Event: probe.EventRun, Run: r}
	}
	stats := func(s probe.Stats) probe.Event {
		if s.Stage == "" {
			s.Stage = "replay"
		}
		return probe.Event{Event: probe.EventStats, Stats: &s}
	}
	for i, tt := range []struct {
		kind  string
		event probe.Event
	}{
		{probe.JobFuzz, probe.Event{Event: "kil"}},
		{probe.JobFuzz, probe.Event{Event: probe.EventKill}},
		{probe.JobFuzz, probe.Event{Event: probe.EventKill, Entry: &entry}},
		{probe.JobFuzz, probe.Event{Event: probe.EventKill, Entry: &entry, Mutant: 1}}, // not in the job
		{probe.JobFuzz, probe.Event{Event: probe.EventKill, Entry: &entry, Mutant: -2}},
		{probe.JobFuzz, probe.Event{Event: probe.EventKill, Entry: &entry, Mutant: 1 << 40}},
		{probe.JobFuzz, probe.Event{Event: probe.EventKill, Mutant: 2}},
		{probe.JobFuzz, probe.Event{Event: probe.EventKill, Mutant: 2, Entry: &other}}, // of other types
		{probe.JobFuzz, probe.Event{Event: probe.EventKill, Mutant: 2, Entry: &short}},
		{probe.JobFuzz, probe.Event{Event: probe.EventKill, Mutant: 2, Entry: &misnamed}},
		{probe.JobFuzz, probe.Event{Event: probe.EventKill, Mutant: 2, Entry: &probe.JobEntry{ID: probe.EntryID("junk"), Data: "junk"}}},
		{probe.JobFuzz, probe.Event{Event: probe.EventExpose, Entry: &entry, Mutant: 2, Site: 2}},
		{probe.JobFuzz, probe.Event{Event: probe.EventExpose, Entry: &entry, Mutant: 2, Site: -2}},
		{probe.JobFuzz, probe.Event{Event: probe.EventEntry}},
		{probe.JobFuzz, probe.Event{Event: probe.EventEntry, Entry: &entry, Mutants: []int{0}}},
		{probe.JobFuzz, probe.Event{Event: probe.EventEntry, Entry: &entry, Mutants: []int{2, 2, 2}}},
		{probe.JobFuzz, probe.Event{Event: probe.EventEntry, Entry: &entry, Reasons: []string{"because"}}},
		{probe.JobFuzz, probe.Event{Event: probe.EventCrash, Entry: &entry, Mutant: -5}},
		{probe.JobFuzz, probe.Event{Event: probe.EventCrash}},
		{probe.JobFuzz, probe.Event{Event: probe.EventStrike, Site: 2}},
		{probe.JobFuzz, probe.Event{Event: probe.EventStats}},
		{probe.JobFuzz, stats(probe.Stats{Stage: "applause"})},
		{probe.JobFuzz, stats(probe.Stats{Execs: -1})},
		{probe.JobFuzz, stats(probe.Stats{MutantExecs: 1 << 62})},
		{probe.JobFuzz, stats(probe.Stats{Blocks: []int{5}})},
		{probe.JobFuzz, stats(probe.Stats{Blocks: []int{0, 1, 2, 3, 4, 0}})},
		{probe.JobFuzz, stats(probe.Stats{Reached: []int{0}})},
		{probe.JobFuzz, stats(probe.Stats{Infected: []int{10}})},
		{probe.JobFuzz, stats(probe.Stats{ByMutant: map[int]int64{0: 1}})},
		{probe.JobFuzz, stats(probe.Stats{ByMutant: map[int]int64{9: -1}})},
		{probe.JobFuzz, stats(probe.Stats{Seconds: [3]float64{0, -1, 0}})},
		{probe.JobFuzz, stats(probe.Stats{Seconds: [3]float64{1e300, 0, 0}})},
		{probe.JobFuzz, run(func(*probe.Run) {})}, // of another job
		{probe.JobRun, probe.Event{Event: probe.EventKill, Entry: &entry, Mutant: 2}},
		{probe.JobRun, probe.Event{Event: probe.EventRun}},
		{probe.JobRun, run(func(r *probe.Run) { r.Entry = "another" })},
		{probe.JobRun, run(func(r *probe.Run) { r.Mutant = 2 })},
		{probe.JobRun, run(func(r *probe.Run) { r.Repeat = 2 })},
		{probe.JobRun, run(func(r *probe.Run) { r.Repeat = -1 })},
		{probe.JobRun, run(func(r *probe.Run) { r.Outcome = "fine" })},
		{probe.JobRun, run(func(r *probe.Run) { r.Steps = -1 })},
		{probe.JobRun, run(func(r *probe.Run) { r.Blocks = []int{-1} })},
		{probe.JobRun, run(func(r *probe.Run) { r.Infected = []int{10} })},
		{probe.JobRun, run(func(r *probe.Run) { r.Observations = []probe.Observation{{Site: 2}} })},
		{probe.JobRun, run(func(r *probe.Run) { r.Observations = make([]probe.Observation, 1026) })},
		{probe.JobTrials, probe.Event{Event: probe.EventTrial, Mutant: 1, Outcome: probe.OutcomeOK}}, // not its turn
		{probe.JobTrials, probe.Event{Event: probe.EventTrial, Mutant: 3}},
		{probe.JobTrials, probe.Event{Event: probe.EventTrial, Mutant: 3, Outcome: probe.OutcomeOK, Funcs: []int{3}}},
		{probe.JobTrials, probe.Event{Event: probe.EventReady, Funcs: []int{-1}}},
		{probe.JobTrials, probe.Event{Event: probe.EventReady, Funcs: make([]int, 100)}},
	} {
		stream := lines(probe.Event{Event: probe.EventReady}, tt.event, probe.Event{Event: probe.EventDone})
		n := 0
		err := ReadEvents(bytes.NewReader(stream), &bounds, jobs[tt.kind], 0, func(*probe.Event) { n++ })
		if n != 1 || err == nil {
			t.Errorf("%d: %d events of %s, %v", i, n, stream, err)
		}
	}
}

func TestAChildThatTellsWithoutEndIsALiar(t *testing.T) {
	entry := entryOf([]byte("b"), byte(0))
	for kind, e := range map[string]probe.Event{
		probe.JobFuzz:   {Event: probe.EventStats, Stats: &probe.Stats{Stage: "replay"}},
		probe.JobRun:    {Event: probe.EventRun, Run: &probe.Run{Entry: jobs[probe.JobRun].Corpus[0].ID, Outcome: probe.OutcomeOK}},
		probe.JobTrials: {Event: probe.EventTrial, Mutant: 3, Outcome: probe.OutcomeOK},
		"kills":         {Event: probe.EventKill, Entry: &entry, Mutant: 2},
		"crashes":       {Event: probe.EventCrash, Entry: &entry},
		"readiness":     {Event: probe.EventReady},
	} {
		job := jobs[kind]
		if job == nil {
			job = jobs[probe.JobFuzz]
		}
		n := 0
		err := ReadEvents(&endless{line: lines(e)}, &bounds, job, 0, func(*probe.Event) { n++ })
		if err == nil || n > maxEvents {
			t.Errorf("%s: %d events, %v", kind, n, err)
		}
	}
}

// endless repeats a line for ever.
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

func TestTextsAreCutToWhatPeopleRead(t *testing.T) {
	long := strings.Repeat("é", maxText)
	e := probe.Event{Event: probe.EventRun, Run: &probe.Run{
		Entry: jobs[probe.JobRun].Corpus[0].ID, Outcome: probe.OutcomePanic, Message: long, Stack: long,
		Observations: []probe.Observation{{Text: long, Args: []string{long, "1"}, Values: make([]string, 1000), After: []string{long}, Errors: []string{long}}},
	}}
	var got *probe.Run
	err := ReadEvents(bytes.NewReader(lines(e)), &bounds, jobs[probe.JobRun], 0, func(e *probe.Event) { got = e.Run })
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

// FuzzEvents checks that how a stream is cut into reads makes no difference,
// and that every whole line gives one event up to the first that gives none.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("{\"event\":\"done\"}\n{}\njunk\r\n\ntorn"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		whole, lie := eventsOf(bytes.NewReader(stream))
		bytewise, again := eventsOf(iotest.OneByteReader(bytes.NewReader(stream)))
		if diff := cmp.Diff(whole, bytewise); diff != "" || (lie == nil) != (again == nil) {
			t.Errorf("whole and byte by byte differ: %v, %v\n%s", lie, again, diff)
		}
		if lines := bytes.Count(stream, []byte("\n")); lie == nil && len(whole) != lines || len(whole) > lines {
			t.Errorf("%d events of %d lines", len(whole), lines)
		}
	})
}
