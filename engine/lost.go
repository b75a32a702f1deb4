package engine

import (
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

// maxLost is how often a child runs that is killed from outside each time.
// Others do not strike so often: it does so itself, as a mutant that signals
// its own process group.
const maxLost = 3

// insist repeats a run that is killed from outside, or whose child lies. If it
// always ends so, a signal counts as the child's own doing, and a lie stands.
func insist(run func() (worker.Exit, error)) (exit worker.Exit, err error) {
	for range maxLost {
		exit, err = run()
		if err != nil || exit.Cause != worker.Lost && exit.Cause != worker.Lied {
			return exit, err
		}
	}
	if exit.Cause == worker.Lost {
		exit.Cause = worker.Exited
	}
	return exit, nil
}

// maxLies is how often a child runs that lies each time, and how many runs of a
// target are given up for that before none is begun any more.
const maxLies = 3

// bounds are what events of a child can speak of. Types are those of the
// target's arguments; nil: it runs none.
func (u *unit) bounds(types []string) *worker.Bounds {
	return &worker.Bounds{Layout: u.woven.Layout, Sites: len(u.woven.Sites), Types: types}
}

// distrust gives up fuzzing t, a run of which has lied again and again. What was
// found so far is confirmed, as far as that goes without lies.
func (u *unit) distrust(t *target, lie error) {
	u.mu.Lock()
	first := t.lied == 0
	t.lied++
	u.mu.Unlock()
	if first {
		u.warn("%s is not fuzzed any more: what its test process says cannot be: %v", t.Name, lie)
	}
}

// distrusted reports whether nothing that t says is worth another run.
func (u *unit) distrusted(t *target) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return t.lied >= maxLies
}
