package engine

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// testSlots returns slots on a small tree, ready for use.
func testSlots(t *testing.T, workers int) *slots {
	t.Helper()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "f"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := newSlots(workers, root, t.TempDir(), nil, func(*slot) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	if err := s.ready(t.TempDir(), wire.Layout{}); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAllSlotsHaveOneBuildCache(t *testing.T) {
	cache := t.TempDir()
	s, err := newSlots(2, t.TempDir(), cache, nil, func(*slot) {})
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	for i, sl := range s.all {
		if !slices.Contains(sl.env, "GOCACHE="+cache) {
			t.Errorf("slot %d has the environment %q, want the build cache %s", i, sl.env, cache)
		}
	}
}

func TestNoMoreChildrenAreAwakeThanThereAreWorkers(t *testing.T) {
	s := testSlots(t, 2)
	items := make([]int, 40)
	err := each(t.Context(), s, items, func(context.Context, *slot, int) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.awake > s.workers {
			t.Errorf("%d awake", s.awake)
		}
		return nil
	})
	if err != nil || len(s.all) != 2 || len(s.free) != 2 || s.awake != 0 {
		t.Errorf("%v; %d slots, %d free, %d awake", err, len(s.all), len(s.free), s.awake)
	}
}

func TestWhileAChildRestsAnotherMayWork(t *testing.T) {
	s := testSlots(t, 1)
	first := s.take()
	s.rest(first, true)
	s.rest(first, true) // may be told twice
	second := s.take()
	if first == second || second.state == nil {
		t.Fatal("the slot of a child at rest was given to another")
	}
	// Once it wakes there is one too many, which has to end first.
	s.rest(first, false)
	var g errgroup.Group
	var third *slot
	g.Go(func() error { third = s.take(); return nil })
	s.give(second)
	s.give(first)
	_ = g.Wait()
	if len(s.all) != 2 || s.awake != 1 {
		t.Errorf("%d slots, %d awake", len(s.all), s.awake)
	}
	s.give(third)
}

func TestThereAreNoMoreSlotsThanAllowed(t *testing.T) {
	s := testSlots(t, 1)
	for range crowd - 1 {
		s.rest(s.take(), true)
	}
	last := s.take()
	s.rest(last, true)
	var g errgroup.Group
	g.Go(func() error { s.give(s.take()); return nil })
	s.give(last)
	_ = g.Wait()
	if len(s.all) != crowd {
		t.Errorf("%d slots", len(s.all))
	}
}

func TestSlotsThatCannotBeMadeAreDoneWithout(t *testing.T) {
	s := testSlots(t, 1)
	s.open = func() (*slot, error) { return nil, errors.New("disk full") }
	first := s.take()
	s.rest(first, true)
	var g errgroup.Group
	g.Go(func() error { s.give(s.take()); return nil })
	s.give(first)
	_ = g.Wait()
	if len(s.all) != 1 || s.awake != 0 {
		t.Errorf("%d slots, %d awake", len(s.all), s.awake)
	}
}

func TestPanicWhileASlotIsUsedIsAnErrorAndGivesTheSlotBack(t *testing.T) {
	s := testSlots(t, 1)
	err := each(t.Context(), s, []int{1, 2}, func(_ context.Context, _ *slot, i int) error {
		if i == 1 {
			panic("lost my mind")
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "lost my mind") || !strings.Contains(err.Error(), "slots_test.go") {
		t.Errorf("%v", err)
	}
	if s.awake != 0 || len(s.free) != 1 {
		t.Errorf("%d awake, %d free", s.awake, len(s.free))
	}
}
