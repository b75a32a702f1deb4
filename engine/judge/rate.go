package judge

import "math"

// Bounds of the sequential tests on how often a test fails with a mutant. A mutant
// is killed by a test that fails nearly always, and survives one that fails hardly
// ever; what lies between would be left to chance.
const (
	killRate     = 0.95 // fails so often: killed
	doubtfulHigh = 0.70 // ... no more than so often: not
	surviveRate  = 0.02 // fails so seldom: survived
	doubtfulLow  = 0.20 // ... at least so often: not
	errorRate    = 0.01 // of either test, both ways
	maxSamples   = 120  // runs; what is undecided then stays so
)

// tendency is what a number of passes and failures says.
type tendency int

const (
	unclear  tendency = iota // more runs are needed
	passes                   // it hardly ever fails
	fails                    // it nearly always fails
	byChance                 // neither, or nobody knows after many runs
)

// Repeat runs something that fails or passes until it is known what it does: a pass
// before any failure is enough to pass, two failures before any pass are enough to
// fail, and else the failure rate decides. It returns [Survived], [Killed] or
// [Inconclusive], and how often either was seen.
func Repeat(run func() (failed bool, err error)) (s Status, passed, failed int, err error) {
	return repeat(run, 1, 2)
}

// RepeatKill is [Repeat] for what has failed before: a failure before any pass is
// enough to fail, two passes before any failure are enough to pass.
func RepeatKill(run func() (failed bool, err error)) (s Status, passed, failed int, err error) {
	return repeat(run, 2, 1)
}

func repeat(run func() (bool, error), passes, failures int) (s Status, passed, failed int, err error) {
	for {
		fails, err := run()
		if err != nil {
			return Undecided, passed, failed, err
		}
		if fails {
			failed++
		} else {
			passed++
		}
		switch {
		case failed == 0 && passed == passes:
			return Survived, passed, failed, nil
		case passed == 0 && failed == failures:
			return Killed, passed, failed, nil
		case passed > 0 && failed > 0:
			if s := rates[rate(passed, failed)]; s != Undecided {
				return s, passed, failed, nil
			}
		}
	}
}

// rates are what failure rates amount to.
var rates = map[tendency]Status{unclear: Undecided, passes: Survived, fails: Killed, byChance: Inconclusive}

// rate decides by two sequential probability ratio tests (Wald: Sequential Tests of
// Statistical Hypotheses, 1945) whether something that was seen to pass and to fail
// does one of them nearly always.
func rate(passed, failed int) tendency {
	kill := ratio(passed, failed, killRate, doubtfulHigh)
	survive := ratio(passed, failed, surviveRate, doubtfulLow)
	switch {
	case kill == 1:
		return fails
	case survive == 1:
		return passes
	case kill == -1 && survive == -1 || passed+failed >= maxSamples:
		return byChance
	}
	return unclear
}

// ratio is 1 where the observations speak for a failure rate of a against one of b,
// -1 where they speak against it, and 0 where they do not suffice.
func ratio(passed, failed int, a, b float64) int {
	log := float64(failed)*math.Log(a/b) + float64(passed)*math.Log((1-a)/(1-b))
	bound := math.Log((1 - errorRate) / errorRate)
	switch {
	case log >= bound:
		return 1
	case log <= -bound:
		return -1
	}
	return 0
}
