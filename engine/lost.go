package engine

import "github.com/mutantfuzz/mutantfuzz/engine/worker"

// maxLost is how often a child runs that is killed from outside each time.
// Others do not strike so often: it does so itself, as a mutant that signals
// its own process group.
const maxLost = 3

// insist repeats a run that is killed from outside. If that is how it always
// ends, the signal counts as the child's own doing.
func insist(run func() (worker.Exit, error)) (exit worker.Exit, err error) {
	for range maxLost {
		if exit, err = run(); err != nil || exit.Cause != worker.Lost {
			return exit, err
		}
	}
	exit.Cause = worker.Exited
	return exit, nil
}
