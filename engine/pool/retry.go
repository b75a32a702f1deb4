package pool

import (
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

// maxLost is how often a run is tried whose child is killed from outside each
// time. After that the child is taken to have done it itself, as a mutant may
// that signals its own process group.
const maxLost = 3

// Retry repeats a run whose child is killed from outside or reports invalid data,
// up to maxLost times. If the last child was killed, the cause is worker.Exited.
func Retry(run func() (worker.Exit, error)) (exit worker.Exit, err error) {
	for range maxLost {
		exit, err = run()
		if err != nil || exit.Cause != worker.Lost && exit.Cause != worker.Invalid {
			return exit, err
		}
	}
	if exit.Cause == worker.Lost {
		exit.Cause = worker.Exited
	}
	return exit, nil
}

// Bounds are what events of a child can be about. Types are those of the target's
// arguments; nil: it runs none.
func (r *Runner) Bounds(types []string) *worker.Bounds {
	return &worker.Bounds{Layout: r.Woven.Layout, Sites: len(r.Woven.Sites), Types: types}
}
