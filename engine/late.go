package engine

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

// warnLate says why the tests did not judge every mutant in time, and what helps.
func (u *unit) warnLate() {
	if slow := slowest(u.spent); len(slow) > 0 && len(u.spent) > 1 {
		u.warn("no time for all tests: --skip-tests leaves some out, -- -short shortens some; the slowest were %s", strings.Join(slow, ", "))
	}
	if u.judged != nil && u.judged.OwnDone() {
		u.warn("no time for all tests of dependent packages: --tests package judges by those of the changed packages alone")
	}
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
