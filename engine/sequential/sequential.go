// Package sequential estimates which share of the runs of a test fails, with as few runs as possible.
package sequential

import "math"

// Share says how many of the runs fail. The zero value is [Unknown].
type Share int

// Values of Share.
const (
	Unknown Share = iota // more runs are needed
	None                 // hardly any run fails; from [Most]: fewer than half
	All                  // nearly all runs fail; from [Most]: more than half
	Some                 // neither, or still unclear after many runs
)

// MaxRuns is the number of runs after which [Decide] returns [Some] if the share is still unclear.
const MaxRuns = 120

// Bounds of the two tests of [Decide], as shares of failing runs.
const (
	nearlyAll  = 0.95
	notAll     = 0.70 // or less
	hardlyAny  = 0.02
	notNone    = 0.20 // or more
	errorBound = 0.01 // error probability of each test, in either direction
)

// Bounds of the test of [Most], which uses errorBound too, and the number of runs after which it returns [Some].
const (
	most, least = 0.65, 0.35
	mostRuns    = MaxRuns / 2
)

// Most says whether most runs fail, given how many passed and failed. It returns [All], [None], [Unknown] if more runs
// are needed, or [Some] if it is still unclear after mostRuns runs. It is a single sequential probability ratio test.
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

// Decide says which share of the runs fails, given how many passed and failed. It combines two sequential probability
// ratio tests (Wald: Sequential Tests of Statistical Hypotheses, 1945): do nearly all runs fail, and does hardly any
// fail?
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

// ratio returns 1 if the runs support a failure share of a over one of b, -1 if they support b, and 0 if there are not
// enough runs to tell.
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

// Runs counts the runs that passed and those that failed.
type Runs struct{ Passed, Failed int }

// Repeat calls run until it is known which share of the runs fails. If the first run passes, the result is [None]; if
// the first two fail, [All]; otherwise [Decide] tells when to stop. With failedBefore, one failure at the start is
// enough for [All], [None] takes four passes, and [Most] tells when to stop: a test with random data may fail in most
// of its runs only. An error of run ends it and is returned.
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
