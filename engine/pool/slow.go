package pool

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A test is named as slow if it took at least minSlow, and at least slowPart of the time of all. At most maxSlow are
// named.
const (
	minSlow  = 2 * time.Second
	slowPart = 0.1
	maxSlow  = 3
)

// spend adds d, the time of a run, to its tests in equal parts. It does not count runs of a whole suite, which name
// no tests.
func (r *Runner) spend(d time.Duration, pkg string, tests []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range tests {
		r.spent[pkg+"."+t] += d / time.Duration(len(tests))
	}
}

// Slowest returns the tests that took much of the time of all tests run by themselves, with and without mutants, each with
// the time of all its runs, the longest first. It returns none if only one test ran.
func (r *Runner) Slowest() (list []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.spent) < 2 {
		return nil
	}
	var sum time.Duration
	for _, d := range r.spent {
		sum += d
	}
	names := slices.SortedFunc(maps.Keys(r.spent), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.spent[b], r.spent[a]), strings.Compare(a, b))
	})
	for _, name := range names[:min(len(names), maxSlow)] {
		if d := r.spent[name]; d >= minSlow && float64(d) >= slowPart*float64(sum) {
			list = append(list, fmt.Sprintf("%s (%.0f s)", name, d.Seconds()))
		}
	}
	return list
}
