package fuzz

import (
	"context"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
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
