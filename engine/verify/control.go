package verify

import (
	"context"
	"fmt"
	"sync"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
)

// unclear is the error of a check that says nothing about the verdict on its mutant. It is the reason why.
type unclear string

func (u unclear) Error() string { return string(u) }

// controls holds, by choice of tests, which test fails without a mutant. The zero value is empty and ready to use.
type controls struct{ known sync.Map }

// failing returns what run returns, which is called only once for each choice of tests, or until it returns no error.
func (c *controls) failing(choice string, run func() (test string, err error)) (string, error) {
	once, _ := c.known.LoadOrStore(choice, sync.OnceValues(run))
	test, err := once.(func() (string, error))()
	if err != nil {
		c.known.Delete(choice) // its time may have ended, and there may be more
	}
	return test, err
}

// passWithout runs tests that fail with a mutant on the program. If they fail there as well, the error is unclear: tests
// of which nobody has run just these together may collide, or depend on others that are not among them.
func (v *Verifier) passWithout(ctx context.Context, sl *pool.Slot, s executor.Spec) error {
	pkg := s.Suite.Package
	test, err := v.controls.failing(fmt.Sprintf("%s %q but %q", pkg, s.Tests, s.Skip), func() (string, error) {
		binary, err := v.Plain(ctx, pkg)
		if err != nil {
			return "", err
		}
		run, err := v.RunPlain(ctx, sl, binary, s)
		if err != nil || !run.Failed() {
			return "", err
		}
		return failedIn(run), nil
	})
	if err == nil && test != "" {
		err = unclear(fmt.Sprintf("of the tests of %s that have to pass with it, run together, %s fails without it, too", pkg, test))
	}
	return err
}

// passed reports whether tests of a package were seen to pass, unless that is never seen of them.
func (v *Verifier) passed(run pool.Run, pkg string) bool {
	return run.Outcome.Passed() || !run.Failed() && v.Judged.Hides(pkg)
}

// failedIn returns the first test that failed in a run.
func failedIn(run pool.Run) string {
	if len(run.Outcome.Failed) > 0 {
		return run.Outcome.Failed[0]
	}
	return "the test binary"
}
