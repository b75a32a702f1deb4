package worker

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
)

func eventsOf(r io.Reader) []probe.Event {
	var events []probe.Event
	readEvents(r, func(e *probe.Event) { events = append(events, *e) })
	return events
}

func TestWhatIsNoEventIsReported(t *testing.T) {
	tests := []struct {
		name, stream string
		want         []string // kinds
	}{
		{"nothing", "", nil},
		{"one", `{"event":"done"}` + "\n", []string{"done"}},
		{"junk between", `{"event":"ready"}` + "\nprinted\n" + `{"event":"done"}` + "\n", []string{"ready", "error", "done"}},
		{"blank line", "\n", []string{"error"}},
		{"wrong type", `{"event":7}` + "\n", []string{"error"}},
		{"torn", `{"event":"ready"}` + "\n" + `{"event":"kill","mutant":1`, []string{"ready"}},
		{"whole but for the newline", `{"event":"kill","mutant":1}`, nil},
		{"endless line", `{"event":"ready"}` + "\n" + strings.Repeat("x", maxEvent+1), []string{"ready", "error"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rest := strings.NewReader(tt.stream)
			var kinds []string
			for _, e := range eventsOf(rest) {
				kinds = append(kinds, e.Event)
			}
			if diff := cmp.Diff(tt.want, kinds); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			if rest.Len() > 0 {
				t.Errorf("%d bytes not drained: the child would block", rest.Len())
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
	if diff := cmp.Diff([]probe.Event{want}, eventsOf(bytes.NewReader(append(line, '\n')))); diff != "" {
		t.Errorf("-want +got\n%.500s", diff)
	}
}

// FuzzEvents checks that how a stream is cut into reads makes no difference,
// and that every whole line gives one event.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("{\"event\":\"done\"}\n{}\njunk\r\n\ntorn"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		whole := eventsOf(bytes.NewReader(stream))
		bytewise := eventsOf(iotest.OneByteReader(bytes.NewReader(stream)))
		if diff := cmp.Diff(whole, bytewise); diff != "" {
			t.Errorf("whole and byte by byte differ:\n%s", diff)
		}
		if lines := bytes.Count(stream, []byte("\n")); len(whole) != lines {
			t.Errorf("%d events of %d lines", len(whole), lines)
		}
	})
}
