package engine

import (
	"context"

	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

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

// lastStarted names the test that ends the plain tests of pkg without a word,
// as one does that calls os.Exit: the last one that was started, if it fails by
// itself too. None where that cannot be told.
func (u *unit) lastStarted(ctx context.Context, sl *slot, pkg string) ([]string, error) {
	c := u.plainCommand(pkg)
	c.Args = append(c.Args, "-test.v")
	run, err := u.execTests(ctx, sl, c)
	name := worker.LastStarted(run.exit.Output)
	if err != nil || run.outcome.Kind == "" || name == "" {
		return nil, err
	}
	if run, err = u.runPlain(ctx, sl, nil, pkg, name); err != nil || run.outcome.Kind == "" {
		return nil, err
	}
	return []string{name}, nil
}
