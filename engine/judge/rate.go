package judge

import "math"

// Bounds of the sequential tests on the failure rate of a test with a mutant. A mutant
// is killed by a test with a failure rate near 1, and survives one with a failure rate
// near 0; anything in between is inconclusive.
const (
	killRate     = 0.95 // failure rate of a kill
	doubtfulHigh = 0.70 // failure rate at or below which it is no kill
	surviveRate  = 0.02 // failure rate of a survivor
	doubtfulLow  = 0.20 // failure rate at or above which it is no survivor
	errorRate    = 0.01 // of either sequential test, in both directions
	maxSamples   = 120  // runs after which an unclear rate is inconclusive
)

// Repeat repeats a run that passes or fails until it is decided. If the first run
// passes, that is [Survived]; two failures in a row at the start are [Killed]; else the
// failure rate decides, and may be [Inconclusive]. Of what has failed before, one failure
// at the start is enough, and it takes two passes to survive. It also returns how many
// runs passed and failed.
func Repeat(failedBefore bool, run func() (failed bool, err error)) (s Status, passed, failed int, err error) {
	passes, failures := 1, 2
	if failedBefore {
		passes, failures = 2, 1
	}
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
			if s := rate(passed, failed); s != Undecided {
				return s, passed, failed, nil
			}
		}
	}
}

// rate decides by two sequential probability ratio tests (Wald: Sequential Tests of
// Statistical Hypotheses, 1945) whether a run that has both passed and failed does one
// of them nearly always: Inconclusive is neither, or still unclear after many runs.
func rate(passed, failed int) Status {
	kill := ratio(passed, failed, killRate, doubtfulHigh)
	survive := ratio(passed, failed, surviveRate, doubtfulLow)
	switch {
	case kill == 1:
		return Killed
	case survive == 1:
		return Survived
	case kill == -1 && survive == -1 || passed+failed >= maxSamples:
		return Inconclusive
	}
	return Undecided
}

// ratio is 1 if the runs support a failure rate of a against one of b, -1 if they
// support b, and 0 if they do not suffice.
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
