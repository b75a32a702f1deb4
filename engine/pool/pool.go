// Package pool provides slots for child processes, and runs the test binaries of a program in them.
package pool

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/mutantfuzz/mutantfuzz/engine/buildcache"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/engine/scratch"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

// Slot is the scratch copy, state file and sandboxes of one child at a time.
type Slot struct {
	Scratch *scratch.Copy
	State   *worker.State // of the current program

	env       []string                      // of the current program
	sandboxes map[loosened]*sandbox.Sandbox // of the current program; see Runner.sandbox
	allowed   *loosened                     // what tests in it may do; nil: as in all slots
	apart     bool                          // until it is given back, its children run while no other does
	resting   bool                          // its child sleeps; guarded by Pool.mu
	rested    bool                          // a child in it has slept since it was taken; guarded likewise
}

// release releases what belongs to the current program.
func (sl *Slot) release() {
	for _, s := range sl.sandboxes {
		s.Close()
	}
	sl.sandboxes = map[loosened]*sandbox.Sandbox{}
	if sl.State != nil {
		sl.State.Close()
		sl.State = nil
	}
}

// Many tests sleep most of the time. So there are more slots than children that may be awake at once: while one
// sleeps, another may start.
const (
	slotsPerWorker = 8         // the maximum
	maxExtraBytes  = 256 << 20 // size of all scratch copies together, beyond one per worker
)

// Config describes the slots.
type Config struct {
	Workers   int      // children that may be awake at once; at least 1
	Tree      string   // absolute; every slot has a copy of it
	BaseTree  string   // absolute: a checkout of the base, in which children may write; "": none
	Protected []string // files and folders that no child may write, whatever else it is allowed
	Work      string   // an existing folder for temporary files
	Sandbox   sandbox.Mode
	Guard     *sandbox.Guard
}

// Pool hands out slots for children.
type Pool struct {
	Config
	open func() (*Slot, error) // makes another slot
	run  sync.RWMutex          // read-locked while a child runs, write-locked while one runs apart

	mu      sync.Mutex
	changed *sync.Cond
	most    int // how many slots there may be
	opened  int // how many slots exist or are being made
	awake   int // how many slots in use have a child that does not sleep
	free    []*Slot
	all     []*Slot
	use     func(*Slot, int) error // readies a slot, with a number of its own, for the current program; nil: no program
	inForce []string               // see InForce
}

// New returns a pool with a slot for each worker. Take opens more as needed.
func New(c Config) (*Pool, error) {
	p := &Pool{Config: c}
	p.changed = sync.NewCond(&p.mu)
	p.open = func() (*Slot, error) {
		tree, err := scratch.New(c.Tree)
		if err != nil {
			return nil, fmt.Errorf("cannot copy %s: %w", c.Tree, err)
		}
		c.Guard.Bequeath(tree.Base())
		return &Slot{Scratch: tree}, nil
	}
	if err := os.MkdirAll(p.buildCache(), 0o700); err != nil {
		return nil, err
	}
	for range c.Workers {
		sl, err := p.open()
		if err != nil {
			p.Close()
			return nil, err
		}
		p.all = append(p.all, sl)
		p.free = append(p.free, sl)
	}
	p.opened = c.Workers
	p.most = c.Workers + min((slotsPerWorker-1)*c.Workers, int(maxExtraBytes/max(p.all[0].Scratch.Size(), 1)))
	return p, nil
}

// buildCache returns the build cache for the go command that tests run. All slots share it: filling it takes longer
// than most tests.
func (p *Pool) buildCache() string { return filepath.Join(p.Work, "go-build") }

// ready gives every slot those variables of env that children may see, a state file of the layout, and read access to
// the user's build and module caches.
func (p *Pool) ready(env []string, built, modules string, layout wire.Layout) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.use = func(sl *Slot, i int) (err error) {
		sl.release()
		sl.env = worker.Environment(env, sl.Scratch.Home(), sl.Scratch.Tmp(), p.buildCache(), modules)
		if v := buildcache.Variable(p.buildCache(), built); v != "" {
			sl.env = append(sl.env, v)
		}
		sl.State, err = worker.NewState(filepath.Join(p.Work, fmt.Sprintf("state%d", i)), layout)
		return err
	}
	for _, sl := range p.all {
		sl.release() // its state file may have the number that another slot gets
	}
	for i, sl := range p.all {
		if err := p.use(sl, i); err != nil {
			return err
		}
	}
	return nil
}

// Close removes all slots.
func (p *Pool) Close() {
	var closing sync.WaitGroup
	for _, sl := range p.all {
		sl.release()
		closing.Go(func() { sl.Scratch.Close() }) // copies of large trees are slow to remove
	}
	closing.Wait()
}

// Take waits until another child may run, and returns a slot for it. The caller returns the slot with Give.
func (p *Pool) Take() *Slot {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		if p.awake < p.Workers {
			if n := len(p.free); n > 0 {
				sl := p.free[n-1]
				p.free = p.free[:n-1]
				p.awake++
				sl.rested = false
				return sl
			}
			if p.opened < p.most {
				if sl := p.another(); sl != nil {
					return sl
				}
				continue
			}
		}
		p.changed.Wait()
	}
}

// another makes one more slot. It does so without holding the lock, since copying a tree is slow. If that fails, it
// returns nil, and the pool stays at its present number of slots.
func (p *Pool) another() *Slot {
	i := p.opened
	p.opened++
	p.awake++
	p.mu.Unlock()
	sl, err := p.open()
	p.mu.Lock()
	if err == nil {
		if err = p.use(sl, i); err != nil {
			sl.Scratch.Close()
		}
	}
	if err != nil {
		p.most = len(p.all)
		p.awake--
		p.changed.Broadcast()
		return nil
	}
	p.all = append(p.all, sl)
	return sl
}

// Give takes a slot back.
func (p *Pool) Give(sl *Slot) {
	p.rest(sl, false)
	sl.apart = false
	p.mu.Lock()
	defer p.mu.Unlock()
	p.awake--
	p.free = append(p.free, sl)
	p.changed.Broadcast()
}

// gate returns the lock that a child in sl holds while it runs.
func (p *Pool) gate(sl *Slot) sync.Locker {
	if sl.apart {
		return &p.run
	}
	return p.run.RLocker()
}

// rest notes whether the child in sl sleeps. While it does, another may run.
func (p *Pool) rest(sl *Slot, resting bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if sl.resting == resting {
		return
	}
	sl.resting, sl.rested = resting, sl.rested || resting
	if !resting {
		p.awake++
		return
	}
	p.awake--
	p.changed.Broadcast()
}

// hasRested reports whether a child in sl has slept since sl was taken.
func (p *Pool) hasRested(sl *Slot) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return sl.rested
}

// Width returns how many slots there may be.
func (p *Pool) Width() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.most
}

// Each runs f for every item, as many at once as there may be slots. Once f fails or ctx is done, it starts no more.
// It returns the first error.
func Each[T any](ctx context.Context, p *Pool, items []T, f func(context.Context, *Slot, T) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(p.Width())
	for _, item := range items {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() (err error) {
			defer contain(&err)
			sl := p.Take()
			defer p.Give(sl)
			if ctx.Err() != nil {
				return nil
			}
			return f(ctx, sl, item)
		})
	}
	return g.Wait()
}

// Beside calls functions concurrently, each to its end, and returns the first error.
func Beside(functions ...func() error) error {
	var g errgroup.Group
	for _, f := range functions {
		g.Go(func() (err error) {
			defer contain(&err)
			return f()
		})
	}
	return g.Wait()
}

// contain is deferred in goroutines of ours. It turns a panic into an error, so that results so far are not lost.
func contain(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("panic: %v\n\n%s", r, debug.Stack())
	}
}
