//go:build go1.21

package observation

import (
	"reflect"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Difference describes how an observation of the program and one of a mutant differ, as far as a reader sees it.
type Difference struct {
	site           int
	made           [2]bool // whether program and mutant made the call
	failed         [2]bool // whether a result of program and mutant is an error
	alikeButErrors bool    // all results that are not errors have a form as source and are the same
	visible        bool    // the rendered texts differ, or the next
	sentinels      string  // which known errors both return, if callers that ask for them get another answer
	call           bool    // both pass the same arguments, all of which have a form as source
	results        bool    // each result of the program has a form as source or is an error
	returned       bool    // not only what has become of the arguments differs
	before         int     // how many calls the program makes before the one in which a reader sees it
	ends           string  // if the mutant's run fails, its outcome; only for drivers
}

// Ending returns the difference that the mutant's run fails with an outcome, after the calls in its record, while the
// program's run does not fail.
func Ending(outcome string, record []wire.Observation) *Difference {
	d := &Difference{visible: true, ends: outcome}
	for _, o := range record {
		if !o.Open {
			d.before++
		}
	}
	return d
}

// Before returns how many calls are made before the one in which d is seen. If d is only in what has become of
// arguments, that is the last call that returns something else: it may read what was written to them.
func (d Difference) Before() int { return d.before }

// BeforeLastTwin returns how many calls of a record come before the last one of the function in whose call d is seen; 0:
// d is in no such call.
func (d Difference) BeforeLastTwin(record []wire.Observation, twins map[int]int) (before int) {
	made := 0
	for _, o := range record {
		if o.Open {
			continue
		}
		if firstTwin(o.Site, twins) == firstTwin(d.site, twins) {
			before = made
		}
		made++
	}
	return before
}

// firstTwin returns the first site that calls the same function as site.
func firstTwin(site int, twins map[int]int) int {
	if twin, ok := twins[site]; ok {
		return twin
	}
	return site
}

// As reports whether d is the same kind of difference as other, and shows a reader at least as much. It may be seen at
// another site if one of them is the twin of the other, or both have the same twin.
func (d Difference) As(other Difference, twins map[int]int) bool {
	d.site, other.site = firstTwin(d.site, twins), firstTwin(other.site, twins)
	if other.visible && !d.visible || other.call && !d.call || other.results && !d.results {
		return false
	}
	d.visible, d.call, d.results, d.returned, d.before = other.visible, other.call, other.results, other.returned, other.before
	return d == other
}

// Sources returns the arguments of all calls as Go source, and the results of each call as text.
func Sources(record []wire.Observation) (args, results []string) {
	for _, o := range record {
		args, results = append(args, o.Args...), append(results, o.Text)
	}
	return args, results
}

// Shown returns the first difference between two rendered records that a reader can see. If a reader can see none,
// it returns the first of all, or nil if the records do not differ.
func (s Struck) Shown(a, b []wire.Observation) (first *Difference) {
	calls := len(a)
	for {
		a, b = s.skip(a), s.skip(b)
		var d *Difference
		switch {
		case len(a) == 0 && len(b) == 0:
			return first
		case len(a) == 0:
			d = &Difference{site: b[0].Site, made: [2]bool{false, true}, failed: [2]bool{false, fails(&b[0])}, visible: true, returned: true}
		case len(b) == 0 || a[0].Site != b[0].Site:
			d = &Difference{site: a[0].Site, made: [2]bool{true, false}, failed: [2]bool{fails(&a[0]), false}, visible: true, returned: true}
		case a[0].Hash != b[0].Hash:
			d = between(&a[0], &b[0])
		}
		if d != nil {
			d.before = calls - len(a)
			switch {
			case first == nil || !first.visible && d.visible:
				first = d
			case first.visible && d.visible && d.returned:
				first.before = d.before
			}
			if first.visible && (first.returned || d.made[0] != d.made[1]) {
				return first
			}
		}
		a, b = a[1:], b[1:]
	}
}

// between returns the difference between two observations of the same call.
func between(a, b *wire.Observation) *Difference {
	d := &Difference{
		site: a.Site, made: [2]bool{true, true}, failed: [2]bool{fails(a), fails(b)},
		returned: a.Text != b.Text || !slices.Equal(a.Is, b.Is),
		call:     reflect.DeepEqual(a.Args, b.Args), results: true, alikeButErrors: len(a.Values) == len(b.Values),
	}
	d.visible = d.returned || !reflect.DeepEqual(a.After, b.After)
	if !slices.Equal(a.Is, b.Is) {
		d.sentinels = strings.Join(a.Is, " ") + "|" + strings.Join(b.Is, " ")
	}
	for i, source := range a.Values {
		d.results = d.results && (source != "" || a.Errors[i] != "")
	}
	for _, source := range a.Args {
		d.call = d.call && source != ""
	}
	for i := 0; d.alikeButErrors && i < len(a.Values); i++ {
		d.alikeButErrors = a.Errors[i] != "" && b.Errors[i] != "" || a.Values[i] != "" && a.Values[i] == b.Values[i]
	}
	return d
}

// fails reports whether a result of the call is an error.
func fails(o *wire.Observation) bool {
	for _, text := range o.Errors {
		if text != "" {
			return true
		}
	}
	return false
}
