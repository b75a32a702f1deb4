package pool

import (
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

// maxLost is how often a child runs that is killed from outside each time.
// Others do not strike so often: it does so itself, as a mutant that signals
// its own process group.
const maxLost = 3

// Insist repeats a run that is killed from outside, or whose child lies. If it
// always ends so, a signal counts as the child's own doing, and a lie stands.
func Insist(run func() (worker.Exit, error)) (exit worker.Exit, err error) {
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

// Bounds are what events of a child can speak of. Types are those of the target's
// arguments; nil: it runs none.
func (r *Runner) Bounds(types []string) *worker.Bounds {
	return &worker.Bounds{Layout: r.Woven.Layout, Sites: len(r.Woven.Sites), Types: types}
}
