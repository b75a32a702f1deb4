// Package sequential finds out what share of the runs of a test fails, with as few runs as that takes.
package sequential

import "math"

// Share is what share of the runs fails.
type Share int

// Values of Share.
const (
	Unknown Share = iota // more runs are needed
	None                 // or hardly any; of [Most], less than half
	All                  // or nearly; of [Most], more than half
	Some                 // neither, or it is still unclear after many runs
)

// MaxRuns is the number of runs after which a share that is still unclear is [Some].
const MaxRuns = 120

// Bounds of the tests: shares of runs that fail.
const (
	nearlyAll  = 0.95
	notAll     = 0.70 // or fewer
	hardlyAny  = 0.02
	notNone    = 0.20 // or more
	errorBound = 0.01 // how often either test may be wrong, in both directions
)

// Bounds of the test on whether most runs fail, with the same errorBound, and the number of runs after which that is [Some].
const (
	most, least = 0.65, 0.35
	mostRuns    = MaxRuns / 2
)

// Most says whether most of runs fail of which some have passed, and some failed: [All], [None], or [Some] if that is unclear even after
// many. It makes one sequential probability ratio test.
func Most(passed, failed int) Share {
	switch ratio(passed, failed, most, least) {
	case 1:
		return All
	case -1:
		return None
	}
	if passed+failed >= mostRuns {
		return Some
	}
	return Unknown
}

// Decide says what share fails of runs some of which have passed, and some failed. It makes two sequential probability
// ratio tests (Wald: Sequential Tests of Statistical Hypotheses, 1945): on whether nearly all runs fail, and on whether hardly any does.
func Decide(passed, failed int) Share {
	all := ratio(passed, failed, nearlyAll, notAll)
	none := ratio(passed, failed, hardlyAny, notNone)
	switch {
	case all == 1:
		return All
	case none == 1:
		return None
	case all == -1 && none == -1 || passed+failed >= MaxRuns:
		return Some
	}
	return Unknown
}

// ratio is 1 if the runs speak for a share of a and against one of b, -1 if they speak for
// b, and 0 if they do not suffice.
func ratio(passed, failed int, a, b float64) int {
	log := float64(failed)*math.Log(a/b) + float64(passed)*math.Log((1-a)/(1-b))
	bound := math.Log((1 - errorBound) / errorBound)
	switch {
	case log >= bound:
		return 1
	case log <= -bound:
		return -1
	}
	return 0
}

// Runs are counted by whether they passed.
type Runs struct{ Passed, Failed int }

// Repeat repeats a run that passes or fails until it is known what share fails. If the first one
// passes, that is [None]; two failures in a row at the start are [All]; else [Decide] says
// when it is enough. Of what has failed before, one failure at the start is enough, it takes four passes, and [Most] says when it is enough: a test of
// random data may fail in most runs. Errors are those of run.
func Repeat(failedBefore bool, run func() (failed bool, err error)) (Share, Runs, error) {
	passes, failures, decide := 1, 2, Decide
	if failedBefore {
		passes, failures, decide = 4, 1, Most
	}
	var n Runs
	for {
		fails, err := run()
		if err != nil {
			return Unknown, n, err
		}
		if fails {
			n.Failed++
		} else {
			n.Passed++
		}
		switch {
		case n.Failed == 0 && n.Passed == passes:
			return None, n, nil
		case n.Passed == 0 && n.Failed == failures:
			return All, n, nil
		case n.Passed > 0 && n.Failed > 0:
			if s := decide(n.Passed, n.Failed); s != Unknown {
				return s, n, nil
			}
		}
	}
}
