package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// failOn says which findings make run fail. The zero value means none.
type failOn struct {
	crash    bool // crashes that the change introduced, as the review says
	survivor bool
	exposed  bool
	score    float64 // fail below this test score, in percent; 0: never
}

// parseFailOn parses the value of --fail-on.
func parseFailOn(list string) (failOn, error) {
	var f failOn
	if strings.TrimSpace(list) == "" {
		return f, nil
	}
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimSpace(item)
		percent, isScore := strings.CutPrefix(item, "score<")
		switch {
		case item == "crash":
			f.crash = true
		case item == "survivor":
			f.survivor = true
		case item == "exposed":
			f.exposed = true
		case isScore:
			n, err := strconv.ParseFloat(percent, 64)
			if err != nil || !(n > 0 && n <= 100) {
				return f, usagef("--fail-on %q: %q is not a percentage\nhint: write it as score<80", list, percent)
			}
			f.score = n
		default:
			return f, usagef("--fail-on %q: unknown item %q\nhint: the items are crash, survivor, exposed and score<N, separated by commas; leave the list empty to fail on nothing", list, item)
		}
	}
	return f, nil
}

// check returns a *findingsError if r has findings that f names.
func (f failOn) check(r *results.Results) error {
	var found []string
	add := func(wanted bool, n int, what string) {
		if wanted && n > 0 {
			found = append(found, fmt.Sprintf(what, n))
		}
	}
	introduced := 0
	for _, c := range r.Crashes {
		if c.Introduced == results.IntroducedYes || c.Introduced == results.IntroducedUnknown && c.MendedBy != "" {
			introduced++
		}
	}
	add(f.crash, introduced, "%d introduced crash(es)")
	add(f.survivor, r.Score.Survived, "%d surviving mutant(s)")
	add(f.exposed, r.Score.Exposed, "%d exposed mutant(s)")
	if r.Score.Test != nil && 100**r.Score.Test < f.score {
		found = append(found, fmt.Sprintf("a test score of %.1f %%, below %g %%", 100**r.Score.Test, f.score))
	}
	if len(found) == 0 {
		return nil
	}
	return &findingsError{found}
}
