package engine_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/internal/stabledir"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// tableStore keeps entries as a bucket does: as objects by name.
type tableStore struct {
	mu      sync.Mutex
	objects map[string][]byte // by "harness/ID of the entry"
	broken  error             // the error of every call; nil: calls work
}

func (s *tableStore) Load(ctx context.Context, harness string) ([]corpus.Entry, []error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := errors.Join(s.broken, ctx.Err()); err != nil {
		return nil, []error{err}
	}
	var list []corpus.Entry
	for _, name := range slices.Sorted(maps.Keys(s.objects)) {
		if strings.HasPrefix(name, harness+"/") {
			list = append(list, corpus.NewEntry(s.objects[name]))
		}
	}
	return list, nil
}

func (s *tableStore) Save(ctx context.Context, harness string, entries []corpus.Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := errors.Join(s.broken, ctx.Err()); err != nil {
		return err
	}
	for _, e := range entries {
		s.objects[harness+"/"+e.ID] = e.Data
	}
	return nil
}

func (s *tableStore) Close() error { return nil }

const fuzzed = `
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

func Sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}
-- m_test.go --
package m

import "testing"

func FuzzSign(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int) { Sign(n) })
}
`

// writeFiles writes a module into a new folder and returns that.
func writeFiles(t testing.TB, files []txtar.File) (dir string) {
	t.Helper()
	dir = stabledir.Make(t)
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// analyse runs the engine on the module in dir with a store.
func analyse(t *testing.T, dir string, store corpus.Store) *results.Results {
	t.Helper()
	scope, err := diffscope.Find(t.Context(), diffscope.Config{Dir: dir, All: true})
	if err != nil {
		t.Fatal(err)
	}
	defer scope.Close()
	out, err := engine.Run(t.Context(), engine.Config{
		Execs: 2000, Workers: 1, Seed: 1, MutantShare: 0.5, Corpus: store,
		Shown: func(*results.Results) engine.Shown { return engine.Shown{} }, // no rebuilds, which take time
	}, scope)
	if err != nil {
		t.Fatal(err)
	}
	return out.Results
}

func TestAnyStoreKeepsWhatFuzzingFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and fuzzes")
	}
	dir := writeFiles(t, txtar.Parse([]byte(fuzzed)).Files)
	store := &tableStore{objects: map[string][]byte{}}
	first := analyse(t, dir, store)
	kept := len(store.objects)
	if first.Corpus.Before != 0 || len(first.Corpus.New) == 0 || kept < len(first.Corpus.New) {
		t.Fatalf("%d entries before, %d new, %d kept", first.Corpus.Before, len(first.Corpus.New), kept)
	}
	for _, e := range first.Corpus.New {
		if store.objects["example.com/m.FuzzSign/"+e.ID] == nil {
			t.Errorf("entry %s is not kept", e.ID)
		}
	}
	if second := analyse(t, dir, store); second.Corpus.Before != kept {
		t.Errorf("the second run found %d entries, want %d", second.Corpus.Before, kept)
	}

	store.broken = errors.New("the bucket is gone")
	third := analyse(t, dir, store)
	if third.Stats.Execs == 0 || strings.Count(strings.Join(third.Warnings, "\n"), "the bucket is gone") != 2 {
		t.Errorf("without its store the run made %d executions and warned %q", third.Stats.Execs, third.Warnings)
	}
}
