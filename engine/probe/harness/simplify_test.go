package harness

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// simplifyJob returns a job that makes an input of a target easier to read.
func simplifyJob(target string, values []any, live ...wire.JobMutant) wire.Job {
	data := wire.EncodeEntry(values)
	return wire.Job{
		Kind: wire.JobSimplify, Target: target, Live: live, ProgramExecs: 1000, ProgramTime: -1,
		Corpus: []wire.JobEntry{{ID: wire.EntryID(data), Data: data}},
	}
}

func TestAnInputBecomesEasierToReadWhileTheMutantDiffersAsBefore(t *testing.T) {
	mutant := wire.JobMutant{ID: 7, Block: 28}
	for _, tt := range []struct {
		fact         string
		values, want []any
	}{
		{
			"of all types", []any{"x\x00\xff", int64(-77), true, 3.75, []byte("日\x01"), uint8(200), rune('世')},
			[]any{"", int64(0), true, 0.0, []byte(""), uint8(0), rune(0)},
		},
		{
			"it stays as it is if nothing is easier", []any{"", int64(0), true, 0.0, []byte(""), uint8(0), rune(0)}, nil,
		},
	} {
		got := runJob(t, simplifyJob("FuzzJoin", tt.values, mutant))
		got.only(t, wire.EventDone)
		list := got.of(wire.EventEntry)
		if tt.want == nil && len(list) == 0 {
			continue
		}
		if len(list) != 1 || list[0].Entry.Data != wire.EncodeEntry(tt.want) {
			t.Errorf("%s: %+v, want %q", tt.fact, got.events, wire.EncodeEntry(tt.want))
		}
	}
	// A mutant that differs only in some runs is tried more than once.
	values := []any{"x\x00\xff", int64(-77), true, 3.75, []byte("日\x01"), uint8(200), rune('世')}
	got := runJob(t, simplifyJob("FuzzJoin", values, wire.JobMutant{ID: 14, Block: 28}))
	if e := got.only(t, wire.EventEntry); e.Entry.Data != wire.EncodeEntry([]any{"", int64(0), true, 0.0, []byte(""), uint8(0), rune(0)}) {
		t.Errorf("a mutant that differs in every other run: %+v", got.events)
	}
	// An input on which the mutant does not differ is left as it is.
	if got := runJob(t, simplifyJob("FuzzClassify", []any{5}, wire.JobMutant{ID: 1, Probed: true})); len(got.of(wire.EventEntry)) != 0 {
		t.Errorf("an input on which the mutant does not differ: %+v", got.events)
	}
}

func TestAnErrorStaysAnErrorWhenAnInputIsMadeEasierToRead(t *testing.T) {
	// The mutant differs only on items of four bytes, which it forgets.
	got := runJob(t, simplifyJob("FuzzPut", []any{"w\xe4\x00z"}, wire.JobMutant{ID: 8, Block: 32}))
	if e := got.only(t, wire.EventEntry); firstValue(t, e) != "aaaa" {
		t.Errorf("got %q", firstValue(t, e))
	}
}

func TestWhatTestsHaveTakesThePlaceOfWhatChanceHasMade(t *testing.T) {
	mutant := wire.JobMutant{ID: 8, Block: 32}
	job := simplifyJob("FuzzPut", []any{"w\xe4\x00z"}, mutant)
	job.Tested, job.Dictionary = [][]byte{[]byte("ten"), []byte("eleven"), []byte("five")}, [][]byte{[]byte("four")}
	if e := runJob(t, job).only(t, wire.EventEntry); firstValue(t, e) != "five" {
		t.Errorf("of literals it is %q", firstValue(t, e))
	}
	carved := wire.EncodeEntry([]any{"nine"})
	job.Corpus = append(job.Corpus, wire.JobEntry{ID: wire.EntryID(carved), Data: carved})
	if e := runJob(t, job).only(t, wire.EventEntry); firstValue(t, e) != "nine" {
		t.Errorf("of an argument it is %q", firstValue(t, e))
	}
}

func TestWhatIsEmptyOrZeroGivesWayToWhatTestsPass(t *testing.T) {
	job := simplifyJob("FuzzJoin", []any{"x\x00", int64(-77), true, 3.75, []byte("日"), uint8(200), rune('世')}, wire.JobMutant{ID: 7, Block: 28})
	carved := wire.EncodeEntry([]any{"ten", int64(10), false, 0.5, []byte("a text that takes more than a glance"), uint8(0), rune('x')})
	job.Corpus = append(job.Corpus, wire.JobEntry{ID: wire.EntryID(carved), Data: carved})
	want := wire.EncodeEntry([]any{"ten", int64(10), true, 0.5, []byte(""), uint8(0), rune('x')})
	if e := runJob(t, job).only(t, wire.EventEntry); e.Entry.Data != want {
		t.Errorf("got %q, want %q", e.Entry.Data, want)
	}
}

func TestAnInputGoesAnotherWayThanThoseOfTestsWhereThatIsAskedFor(t *testing.T) {
	entry := func(value string) wire.JobEntry {
		data := wire.EncodeEntry([]any{value})
		return wire.JobEntry{ID: wire.EntryID(data), Data: data}
	}
	job := simplifyJob("FuzzPut", []any{"w\xe4\x00z"}, wire.JobMutant{ID: 8, Block: 32})
	job.Corpus = append(job.Corpus, entry(""))
	job.Focus = []wire.Focus{{First: 32, End: 36}}
	job.Fresh = []wire.JobEntry{entry("ab")}
	if e := runJob(t, job).only(t, wire.EventEntry); firstValue(t, e) != "aaaa" {
		t.Errorf("got %q", firstValue(t, e))
	}
	job.Corpus[1] = entry("three") // takes the same path as every input on which the mutant differs
	if got := runJob(t, job); len(got.of(wire.EventEntry)) != 0 {
		t.Errorf("an input that goes the way of one of the tests: %+v", got.events)
	}
	job.Corpus[0], job.Corpus[1] = entry("four"), entry("")
	job.Fresh[0] = entry("five")
	if got := runJob(t, job); len(got.of(wire.EventEntry)) != 1 {
		t.Errorf("the first goes another way by itself: %+v", got.events)
	}
}

func TestACrashKeepsItsPlaceWhenItsInputIsMadeEasierToRead(t *testing.T) {
	got := runJob(t, simplifyJob("FuzzFirst", []any{[]byte("!\x00\xffz!")}))
	events := got.of(wire.EventEntry)
	if len(events) < 2 {
		t.Fatalf("%d entries, and not one that led to another", len(events))
	}
	for i, e := range events {
		if value := string(firstValue(t, e).([]byte)); !strings.HasPrefix(value, "!") || (i == len(events)-1) != (value == "!") {
			t.Errorf("entry %d is %q", i, value)
		}
	}
}
