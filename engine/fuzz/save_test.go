package fuzz

import (
	"context"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/reach"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestNewEntriesAreStoredWhenTheTimeIsUp(t *testing.T) {
	shared, err := corpus.OpenDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close()
	u, target := newTestFuzzer()
	u.Corpus = shared
	target.add(corpus.NewEntry([]byte("go test fuzz v1\nint(1)\n")), results.EntryCovers, 0)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	u.save(ctx, target)
	if kept, problems := shared.Load(t.Context(), target.Name); len(kept) != 1 || len(problems)+len(u.Warnings()) != 0 {
		t.Errorf("kept %d entries; %v %v", len(kept), problems, u.Warnings())
	}
}

func TestEntryThatDoesNotMakeTheProgramFailAfterAllIsNoNewOne(t *testing.T) {
	u, target := newTestFuzzer()
	refuted, useful := corpus.NewEntry([]byte("go test fuzz v1\nint(1)\n")), corpus.NewEntry([]byte("go test fuzz v1\nint(2)\n"))
	target.add(refuted, results.EntryCrash, 0)
	target.add(useful, results.EntryCrash, 0)
	target.add(useful, results.EntryCovers, 0)
	target.Refute(refuted.ID)
	target.Refute(useful.ID)
	target.blocks[u.Woven.Funcs[0].First] = true
	if found, _ := u.Entries(); len(found) != 1 || found[0].ID != useful.ID {
		t.Errorf("new entries %+v", found)
	}
}

func TestInputsThatATargetAddsItselfAreNotInThePatch(t *testing.T) {
	u, target := newTestFuzzer()
	own, other := corpus.NewEntry([]byte("go test fuzz v1\nint(1)\n")), corpus.NewEntry([]byte("go test fuzz v1\nint(2)\n"))
	for _, e := range []corpus.Entry{own, other} {
		target.add(e, results.EntryCrash, 0)
	}
	u.account(&job{target: target}, &wire.Stats{Seeds: []string{own.ID}})
	found, all := u.Entries()
	if len(found) != 2 || found[0].Name != "seed#0" || found[0].Path != "" || found[1].Name != "" || found[1].Path == "" || len(all[target.Name]) != 2 {
		t.Errorf("entries %+v of %d", found, len(all[target.Name]))
	}
}

func TestWhatATargetCoversThatDoesNotReachTheChangeIsNoNewEntry(t *testing.T) {
	u, target := newTestFuzzer()
	target.add(corpus.NewEntry([]byte("go test fuzz v1\nint(1)\n")), results.EntryCovers, 0)
	if found, _ := u.Entries(); len(found) != 0 {
		t.Errorf("new entries %+v", found)
	}
}

func TestTargetsThatMayReachTheChangeGiveWayToThoseThatDo(t *testing.T) {
	u, near := newTestFuzzer()
	far := newTarget(near.Target, "", 3)
	u.Targets = append(u.Targets, far)
	for round, want := range []int{2, 2} {
		if got := len(u.reaching(round)); got != want {
			t.Errorf("round %d: %d targets where none reaches it, want %d", round, got, want)
		}
	}
	near.steps = reach.Unknown
	for round, want := range []int{2, 1} {
		if got := len(u.reaching(round)); got != want {
			t.Errorf("round %d: %d targets where the call graph does not know one of two, want %d", round, got, want)
		}
	}
	near.blocks[u.Woven.Funcs[0].First] = true
	for round, want := range []int{2, 1} {
		if got := len(u.reaching(round)); got != want {
			t.Errorf("round %d: %d targets, want %d", round, got, want)
		}
	}
}
