package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

// setting is one way to run an analysis.
type setting struct {
	workers int
	load    int // busy loops beside it
}

func (s setting) String() string { return fmt.Sprintf("%d workers, %d busy loops", s.workers, s.load) }

var settings = []setting{{1, 0}, {2, 0}, {1, 2}, {2, 2}}

// stability analyses every module l.runs times in each setting, and prints every mutant whose verdict is not the
// same in all runs.
func stability(ctx context.Context, l *lab) (bool, error) {
	fmt.Fprint(l.out, "| module | mutants | runs | verdicts that differ |\n|---|--:|--:|--:|\n")
	holds := true
	var details []string
	for _, m := range l.modules {
		var runs []map[string]string
		for range l.runs {
			for _, s := range settings {
				v, err := l.verdictsUnder(ctx, m, s)
				if err != nil {
					return false, err
				}
				runs = append(runs, v)
			}
		}
		differ := differences(runs)
		fmt.Fprintf(l.out, "| %s | %d | %d | %d |\n", m.query, len(runs[0]), len(runs), len(differ))
		for _, d := range differ {
			details = append(details, m.query+" "+d)
			fmt.Fprintln(l.log, d) // at once: the rest may take an hour
		}
		holds = holds && len(differ) == 0
	}
	fmt.Fprint(l.out, "\nRuns take turns:")
	for _, s := range settings {
		fmt.Fprintf(l.out, " %s;", s)
	}
	fmt.Fprintln(l.out)
	for _, d := range details {
		fmt.Fprintf(l.out, "\n%s\n", d)
	}
	return holds, nil
}

func (l *lab) verdictsUnder(ctx context.Context, m module, s setting) (map[string]string, error) {
	calm := busy(s.load)
	defer calm()
	a, err := l.analyse(ctx, m, s.workers)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(l.log, "%s, %s: %.1f s\n", m.query, s, a.took.Seconds())
	return verdicts(a.Results), nil
}

// differences returns the mutants that the runs disagree on, each with what the runs say, in their order.
func differences(runs []map[string]string) []string {
	all := map[string]bool{}
	for _, r := range runs {
		for name := range r {
			all[name] = true
		}
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		var said []string
		for _, r := range runs {
			said = append(said, r[name])
		}
		if len(slices.Compact(slices.Clone(said))) > 1 {
			list = append(list, fmt.Sprintf("%s: %q", name, said))
		}
	}
	return list
}

// busy keeps n CPUs busy until stop is called.
func busy(n int) (stop func()) {
	var done atomic.Bool
	var loops sync.WaitGroup
	for range n {
		loops.Go(func() {
			for !done.Load() { // keep the CPU busy
			}
		})
	}
	return func() { done.Store(true); loops.Wait() }
}
