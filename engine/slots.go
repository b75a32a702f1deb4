package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/engine/scratch"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

// slot is what one child at a time runs in.
type slot struct {
	scratch *scratch.Copy
	env     []string
	state   *worker.State // of the unit at hand

	sandboxes map[loosened]*sandbox.Sandbox // of the unit at hand; see unit.sandbox
	resting   bool                          // its child sleeps; guarded by slots.mu
}

// release gives back what belongs to the unit at hand.
func (sl *slot) release() {
	for _, s := range sl.sandboxes {
		s.Close()
	}
	sl.sandboxes = map[loosened]*sandbox.Sandbox{}
	if sl.state != nil {
		sl.state.Close()
		sl.state = nil
	}
}

// Many tests wait more than they work. So there are more slots than children that
// may work at once: while one sleeps another may start.
const (
	crowd     = 8         // slots for each worker at most
	crowdSize = 256 << 20 // bytes that all scratch copies beyond one for each worker may take
)

// slots hands out slots to those that start children.
type slots struct {
	workers int                   // children that may be awake at once
	open    func() (*slot, error) // makes another slot

	mu      sync.Mutex
	changed *sync.Cond
	most    int // slots there may be
	opened  int // slots there are, and those being made
	awake   int // slots in use whose child does not rest
	free    []*slot
	all     []*slot
	use     func(*slot, int) error // readies a slot, by its index in all, for the unit at hand; nil: there is none
}

// newSlots opens a slot for each worker. A slot has a copy of the tree at root. All
// have one build cache, for tests that run the go command: to fill it anew takes
// longer than many a test. Opened is told of every slot as soon as it exists.
func newSlots(workers int, root, cache string, env []string, opened func(*slot)) (*slots, error) {
	s := &slots{workers: workers}
	s.changed = sync.NewCond(&s.mu)
	s.open = func() (*slot, error) {
		tree, err := scratch.New(root, skipInScratch)
		if err != nil {
			return nil, fmt.Errorf("cannot copy %s: %w", root, err)
		}
		sl := &slot{scratch: tree, env: worker.Environment(env, tree.Home(), tree.Tmp(), cache)}
		opened(sl)
		return sl, nil
	}
	for range workers {
		sl, err := s.open()
		if err != nil {
			s.close()
			return nil, err
		}
		s.all = append(s.all, sl)
		s.free = append(s.free, sl)
	}
	s.opened = workers
	s.most = workers + min((crowd-1)*workers, int(crowdSize/max(s.all[0].scratch.Size(), 1)))
	return s, nil
}

// skipInScratch leaves out what tests have no business with: history and the
// output of earlier runs.
func skipInScratch(rel string) bool {
	switch filepath.Base(rel) {
	case ".git", "mutantfuzz.out", "node_modules":
		return true
	}
	return false
}

// ready gives every slot a state file of the unit's layout.
func (s *slots) ready(dir string, layout wire.Layout) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.use = func(sl *slot, i int) (err error) {
		sl.release()
		sl.state, err = worker.NewState(filepath.Join(dir, fmt.Sprintf("state%d", i)), layout)
		return err
	}
	for i, sl := range s.all {
		if err := s.use(sl, i); err != nil {
			return err
		}
	}
	return nil
}

func (s *slots) close() {
	for _, sl := range s.all {
		sl.release()
		sl.scratch.Close()
	}
}

// take waits until another child may work, and returns a slot for it. Give it
// back with give.
func (s *slots) take() *slot {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		if s.awake < s.workers {
			if n := len(s.free); n > 0 {
				sl := s.free[n-1]
				s.free = s.free[:n-1]
				s.awake++
				return sl
			}
			if s.opened < s.most {
				if sl := s.another(); sl != nil {
					return sl
				}
				continue
			}
		}
		s.changed.Wait()
	}
}

// another makes one more slot, without the lock, for copying a tree takes its
// time. If it cannot be had those that there are have to do.
func (s *slots) another() *slot {
	i := s.opened
	s.opened++
	s.awake++
	s.mu.Unlock()
	sl, err := s.open()
	s.mu.Lock()
	if err == nil {
		s.all = append(s.all, sl)
		err = s.use(sl, i)
	}
	if err != nil {
		s.most = len(s.all)
		s.awake--
		s.changed.Broadcast()
		return nil
	}
	return sl
}

// give takes a slot back.
func (s *slots) give(sl *slot) {
	s.rest(sl, false)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.awake--
	s.free = append(s.free, sl)
	s.changed.Broadcast()
}

// rest notes whether the child in sl sleeps, so that another may work meanwhile.
func (s *slots) rest(sl *slot, resting bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sl.resting == resting {
		return
	}
	sl.resting = resting
	if !resting {
		s.awake++
		return
	}
	s.awake--
	s.changed.Broadcast()
}

// limit is how many slots there may be.
func (s *slots) limit() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}

// each runs f for every item, as many at once as there are slots to be had. It
// stops handing out items once f fails or ctx is done, and returns the first
// error.
func each[T any](ctx context.Context, s *slots, items []T, f func(context.Context, *slot, T) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(s.limit())
	for _, item := range items {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() (err error) {
			defer contain(&err)
			sl := s.take()
			defer s.give(sl)
			if ctx.Err() != nil {
				return nil
			}
			return f(ctx, sl, item)
		})
	}
	return g.Wait()
}

// contain is deferred in goroutines of ours: a panic there becomes an error, like
// one in the goroutine of the caller, and what was found so far is not lost.
func contain(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("panic: %v\n\n%s", r, debug.Stack())
	}
}
