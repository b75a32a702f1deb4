package pool

import (
	"cmp"
	"fmt"
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
func (r *Runner) Slowest() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.spent) < 2 {
		return nil
	}
	return slowest(r.spent)
}

// slowest names the tests that took much of the time spent, the slowest first,
// with what they took.
func slowest(spent map[string]time.Duration) []string {
	var sum time.Duration
	var names []string
	for name, d := range spent {
		sum += d
		names = append(names, name)
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return spent[name] < minSlow || float64(spent[name]) < slowPart*float64(sum)
	})
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(spent[b], spent[a]), strings.Compare(a, b)) })
	names = names[:min(len(names), maxSlow)]
	for i, name := range names {
		names[i] = fmt.Sprintf("%s (%.0f s)", name, spent[name].Seconds())
	}
	return names
}
