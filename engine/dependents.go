package engine

import (
	"context"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/judge"
)

// minDependents is how long the tests of dependents may take at least, even if all
// before them took less.
const minDependents = 20 * time.Second

// dependents returns the packages whose tests run after those of the touched ones.
type dependents struct {
	*analysis
	left    []string
	size    int      // of the last group
	unbuilt []string // those whose tests do not build
}

// next builds the tests of the next packages that may reach a mutant that is alive: the
// nearest first, and each time twice as many. A repository has hundreds of packages, and
// few of them are needed.
func (d *dependents) next(ctx context.Context, alive []*judge.Mutant) ([]*judge.Suite, error) {
	functions := map[string]bool{}
	for _, m := range alive {
		functions[d.mutants.ByNumber(m.Number).Function] = true
	}
	for len(d.left) > 0 {
		nearest := d.reach.Nearest(ctx, d.left, functions)
		d.size = max(2*d.size, d.cfg.Workers)
		group := nearest[:min(d.size, len(nearest))]
		d.left = nearest[len(group):]
		if err := d.binaries.Add(ctx, group); err != nil {
			return nil, err
		}
		var suites []*judge.Suite
		for _, pkg := range group {
			if d.binaries.Of(pkg) == "" {
				d.unbuilt = append(d.unbuilt, pkg)
				continue
			}
			suites = append(suites, &judge.Suite{Package: pkg, Only: d.reach.Tests(ctx, pkg, functions)})
		}
		if len(suites) > 0 {
			return suites, nil
		}
	}
	return nil, nil
}
