package pool

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Tests are named as slow if they took minSlow and slowPart of the time of all, the
// slowest maxSlow at most.
const (
	minSlow  = 2 * time.Second
	slowPart = 0.1
	maxSlow  = 3
)

// spend adds the time of a run to that of its tests, an equal part to each. Runs of a
// whole suite, which name no tests, are not counted.
func (r *Runner) spend(d time.Duration, pkg string, tests []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range tests {
		r.spent[pkg+"."+t] += d / time.Duration(len(tests))
	}
}

// Slowest names the tests that took much of the time of all that were run by
// themselves, the slowest first, with what they took; none where there was but one.
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
