package engine

import (
	"context"
	"maps"
	"time"
)

// brief is what a test takes at most that is surveyed together with others from the second
// run on: to start a process takes longer.
const brief = 2 * time.Millisecond

// isBrief reports whether t has been run and is surveyed together with others from then on: it
// is cheap, and by its source always does the same.
func (u *unit) isBrief(t *test) bool {
	return t.marks != nil && t.aside == "" && !t.unsteady && !t.failsWithin && t.cost() <= brief && u.reachedBySome(t)
}

// briefOnes are the brief tests of suites, as they share processes.
func (u *unit) briefOnes(suites []*suite) (groups [][]*test) {
	for _, s := range suites {
		var group []*test
		var sum time.Duration
		for _, t := range s.tests {
			if !u.isBrief(t) {
				continue
			}
			if sum += t.cost(); sum > batchDuration {
				groups, group, sum = append(groups, group), nil, t.cost()
			}
			group = append(group, t)
		}
		if len(group) > 0 {
			groups = append(groups, group)
		}
	}
	return groups
}

// surveyTogether surveys brief tests of one suite, which have been run once, in shared
// processes; and each alone, unless together they pass and run just what they run alone.
func (u *unit) surveyTogether(ctx context.Context, sl *slot, tests []*test) error {
	all := &test{blocks: map[int]bool{}} // as they run alone
	for _, t := range tests {
		maps.Copy(all.blocks, t.blocks)
	}
	same := true
	for i := 1; i < minSurveys && same; i++ {
		run, err := u.surveyRun(ctx, sl, i, tests...)
		if err != nil {
			return err
		}
		same = run.outcome.Kind == "" && run.exit.Lie == nil && !all.strays(sl.state.Blocks())
	}
	for _, t := range tests {
		if !same {
			if err := u.surveyRest(ctx, sl, t); err != nil {
				return err
			}
		}
		t.surveyed = true
	}
	return nil
}
