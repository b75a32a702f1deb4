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

// Weigh is the rule for runs that contradict each other, for others that come across
// some: [Survived] where failures are hardly ever seen, [Killed] where they nearly always
// are, [Inconclusive] if it is neither, and [Undecided] as long as more runs are needed.
func Weigh(passed, failed int) Status {
	return map[tendency]Status{unclear: Undecided, passes: Survived, fails: Killed, byChance: Inconclusive}[weigh(passed, failed)]
}

// weigh decides by two sequential probability ratio tests (Wald: Sequential Tests of
// Statistical Hypotheses, 1945) whether something that was seen to pass and to fail
// does one of them nearly always.
func weigh(passed, failed int) tendency {
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
