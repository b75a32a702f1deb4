package pool

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
func testSlots(t *testing.T, workers int) *Pool {
	t.Helper()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "f"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{Workers: workers, Tree: root, Work: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	if err := s.ready(nil, "", "", wire.Layout{}); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAllSlotsHaveOneBuildCache(t *testing.T) {
	s := testSlots(t, 2)
	cache := filepath.Join(s.Work, "go-build")
	for i, sl := range s.all {
		if !slices.Contains(sl.env, "GOCACHE="+cache) {
			t.Errorf("slot %d has the environment %q, want the build cache %s", i, sl.env, cache)
		}
	}
}

func TestNoMoreChildrenAreAwakeThanThereAreWorkers(t *testing.T) {
	s := testSlots(t, 2)
	items := make([]int, 40)
	err := Each(t.Context(), s, items, func(context.Context, *Slot, int) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.awake > s.Workers {
			t.Errorf("%d awake", s.awake)
		}
		return nil
	})
	if err != nil || len(s.all) != 2 || len(s.free) != 2 || s.awake != 0 {
		t.Errorf("%v; %d slots, %d free, %d awake", err, len(s.all), len(s.free), s.awake)
	}
}

func TestWhileAChildSleepsAnotherMayRun(t *testing.T) {
	s := testSlots(t, 1)
	first := s.Take()
	s.rest(first, true)
	s.rest(first, true) // may be called twice
	second := s.Take()
	if first == second || second.State == nil {
		t.Fatal("the slot of a child that sleeps was given to another")
	}
	// Once it wakes, one child too many is awake. It has to end before another starts.
	s.rest(first, false)
	var g errgroup.Group
	var third *Slot
	g.Go(func() error { third = s.Take(); return nil })
	s.Give(second)
	s.Give(first)
	_ = g.Wait()
	if len(s.all) != 2 || s.awake != 1 {
		t.Errorf("%d slots, %d awake", len(s.all), s.awake)
	}
	s.Give(third)
}

func TestAChildThatRunsApartRunsWhileNoOtherDoes(t *testing.T) {
	s := testSlots(t, 2)
	beside, apart := s.Take(), s.Take()
	apart.apart = true
	s.gate(beside).Lock()
	if s.run.TryLock() {
		t.Error("it may run beside another one")
	}
	s.gate(beside).Unlock()
	s.gate(apart).Lock()
	if s.run.TryRLock() {
		t.Error("another one may run beside it")
	}
	s.gate(apart).Unlock()
	s.Give(apart)
	if apart.apart {
		t.Error("so does the next one in its slot")
	}
}

func TestThereAreNoMoreSlotsThanAllowed(t *testing.T) {
	s := testSlots(t, 1)
	for range slotsPerWorker - 1 {
		s.rest(s.Take(), true)
	}
	last := s.Take()
	s.rest(last, true)
	var g errgroup.Group
	g.Go(func() error { s.Give(s.Take()); return nil })
	s.Give(last)
	_ = g.Wait()
	if len(s.all) != slotsPerWorker {
		t.Errorf("%d slots", len(s.all))
	}
}

func TestWithoutMoreSlotsTheExistingOnesAreUsed(t *testing.T) {
	s := testSlots(t, 1)
	s.open = func() (*Slot, error) { return nil, errors.New("disk full") }
	first := s.Take()
	s.rest(first, true)
	var g errgroup.Group
	g.Go(func() error { s.Give(s.Take()); return nil })
	s.Give(first)
	_ = g.Wait()
	if len(s.all) != 1 || s.awake != 0 {
		t.Errorf("%d slots, %d awake", len(s.all), s.awake)
	}
}

func TestPanicWhileASlotIsUsedIsAnErrorAndGivesTheSlotBack(t *testing.T) {
	s := testSlots(t, 1)
	err := Each(t.Context(), s, []int{1, 2}, func(_ context.Context, _ *Slot, i int) error {
		if i == 1 {
			panic("lost my mind")
		}
		return nil
	})
	if err == nil || !strings.Contains(err.Error(), "lost my mind") || !strings.Contains(err.Error(), "pool_test.go") {
		t.Errorf("%v", err)
	}
	if s.awake != 0 || len(s.free) != 1 {
		t.Errorf("%d awake, %d free", s.awake, len(s.free))
	}
}
