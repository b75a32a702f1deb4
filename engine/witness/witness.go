// Package witness finds where a run with a mutant differs from a run of the program, and writes that for people: a call
// as Go source, and what it gives with the program and with the mutant.
package witness

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Difference is one observation that differs between program and mutant.
type Difference struct {
	Site             int                // index in weave.Woven.Sites; out of range: none is known
	Nth              int                // how many calls at the site the program makes before this one
	Original, Mutant *wire.Observation  // nil: the call was not made
	Ends             string             // how the mutant ends in the call, as in results.ExposedBy; empty: it returns
	Ran              []wire.Observation // the calls of the program's run, in order
}

// Differences returns where two lists of observations differ, in order.
func Differences(original, mutant []wire.Observation) (list []Difference) {
	for i := range max(len(original), len(mutant)) {
		var a, b *wire.Observation
		if i < len(original) {
			a = &original[i]
		}
		if i < len(mutant) {
			b = &mutant[i]
		}
		if a != nil && b != nil && a.Site == b.Site {
			if a.Hash != b.Hash {
				list = append(list, Difference{Site: a.Site, Nth: CallsAt(a.Site, original[:i]), Original: a, Mutant: b})
			}
			continue
		}
		if a != nil {
			list = append(list, Difference{Site: a.Site, Nth: CallsAt(a.Site, original[:i]), Original: a})
		}
		if b != nil {
			list = append(list, Difference{Site: b.Site, Mutant: b})
		}
	}
	return list
}

// CallsAt returns how many of the observed calls are at a site.
func CallsAt(site int, ran []wire.Observation) (n int) {
	for i := range ran {
		if ran[i].Site == site {
			n++
		}
	}
	return n
}

// Clearest returns the difference that says most, from a list in the order of the calls, which must not be empty. That
// is the first one that people can see, with two exceptions. If it is only what became of an argument, a later call
// that consumes what the module made says it better. If it is within a result that other packages see nothing of, a
// later call whose result they see does.
func Clearest(list []Difference, sites []weave.Site) Difference {
	d := list[max(0, slices.IndexFunc(list, Difference.Visible))]
	if d.Original == nil || d.Mutant == nil {
		return d
	}
	s, _ := d.site(sites)
	better := func(o Difference) bool {
		later, ok := o.site(sites)
		return ok && later.Consumes && o.Visible()
	}
	switch {
	case d.Original.Text == d.Mutant.Text && slices.Equal(d.Original.Is, d.Mutant.Is):
	case s.Opaque && d.within():
		better = func(o Difference) bool {
			later, ok := o.site(sites)
			return ok && !later.Opaque && later.Results > 0 && o.Original != nil && o.Mutant != nil && o.Original.Text != o.Mutant.Text
		}
	default:
		return d
	}
	if i := slices.IndexFunc(list, better); i >= 0 {
		return list[i]
	}
	return d
}

// within reports whether both sides have results with the same errors, so that the difference is within these results.
func (d *Difference) within() bool {
	isNil := func(o *wire.Observation) bool { return o.Text == "" || strings.HasPrefix(o.Text, "nil") }
	return !isNil(d.Original) && !isNil(d.Mutant) && slices.Equal(d.Original.Errors, d.Mutant.Errors)
}

// Visible reports whether a reader sees how the two observations differ, or one call was not made.
func (d Difference) Visible() bool {
	return d.Original == nil || d.Mutant == nil || d.Original.Text != d.Mutant.Text ||
		!slices.Equal(d.Original.After, d.Mutant.After) || !slices.Equal(d.Original.Is, d.Mutant.Is)
}

// Named returns d with returned constants written by their names.
func (d Difference) Named(sites []weave.Site) Difference {
	if s, ok := d.site(sites); ok {
		d.Original, d.Mutant = named(s, d.Original), named(s, d.Mutant)
	}
	return d
}

// named returns an observation with names for the constants among the results. It looks them up by the results' source
// form: the text for people has only their values.
func named(s *weave.Site, o *wire.Observation) *wire.Observation {
	if o == nil || len(s.Returned) != len(o.Values) {
		return o
	}
	with := *o
	with.Values = slices.Clone(o.Values)
	texts := split(o.Text)
	for i, source := range o.Values {
		name := NameOf(source, s.Returned[i])
		if name == "" {
			continue
		}
		with.Values[i] = name
		if len(texts) == len(o.Values) {
			texts[i] = Localise(name, s.PackageName)
			with.Text = strings.Join(texts, ", ")
		}
	}
	return &with
}

// site returns the site of d, or an empty one and false if it is not known.
func (d *Difference) site(sites []weave.Site) (s *weave.Site, ok bool) {
	if d.Site < 0 || d.Site >= len(sites) {
		return &weave.Site{}, false
	}
	return &sites[d.Site], true
}

// Describe fills in by: the site, the call, and what it gives with the program and with the mutant. For a driver, by
// has its call already: people see that in place of the site.
func (d Difference) Describe(by *results.ExposedBy, sites []weave.Site) {
	d = d.Named(sites)
	s, known := d.site(sites)
	if known {
		by.Site = fmt.Sprintf("%s:%d: %s", s.File, s.Line, s.Source)
	}
	// The call is shown only if both make it with the same arguments: otherwise these may cause the difference.
	if by.Driver && by.Call != "" {
		written := *s
		written.Source, s = by.Call, &written
	} else if known && by.Driver && d.Original != nil && (d.Mutant == nil || slices.Equal(d.Original.Args, d.Mutant.Args)) {
		by.Partly = partly(s, d.Original.Args)
	} else if known && !by.Driver && d.Original != nil && d.Mutant != nil && slices.Equal(d.Original.Args, d.Mutant.Args) {
		if by.Call = callText(s, d.Original.Args); by.Call == "" {
			by.Partly = partly(s, d.Original.Args)
		}
	}
	if by.Ends = d.Ends; d.Ends != "" {
		returned := d.Original.Text
		if returned == "" {
			returned = alone(s, d.Original)
		}
		by.Original, by.Mutant = onlyError(d.Original, returned), begin(d.end(), maxEffect)
		if utf8.RuneCountInString(by.Original) > maxEffect { // what matters is that it returns
			by.Original = ""
		}
		return
	}
	by.Errors, by.OnlyErrors = errorsOf(d.Original, d.Mutant)
	by.OriginalIs, by.MutantIs = Sentinels(d.Original, d.Mutant)
	by.Original, by.Mutant = effects(s, d.Original, d.Mutant)
}

// Driven returns the driver's call at which program and mutant differ, as Go source that does without the driver, and
// the statements before it. The call is empty if it cannot be written.
func (d *Difference) Driven(sites []weave.Site, t *weave.Target, e corpus.Entry) (setup []string, call string) {
	i := d.ran()
	if i < 0 {
		return nil, ""
	}
	tr := newTrace(sites, t, e, d.Ran)
	if d.Mutant != nil {
		tr.other = d.Mutant.Args
	}
	return tr.call(i)
}

// AfterError reports whether the program got an error from a call before the one at which program and mutant differ.
func (d *Difference) AfterError(sites []weave.Site) bool {
	for _, o := range d.Ran[:max(d.ran(), 0)] {
		if o.Site >= 0 && o.Site < len(sites) && sites[o.Site].Fails && len(o.Errors) > 0 && o.Errors[len(o.Errors)-1] != "" {
			return true
		}
	}
	return false
}

// ran returns the index in Ran of the call at which program and mutant differ, -1 if it is not known.
func (d *Difference) ran() int {
	before := 0
	return slices.IndexFunc(d.Ran, func(o wire.Observation) bool {
		if d.Original == nil || o.Site != d.Site {
			return false
		}
		before++
		return before > d.Nth
	})
}

// end returns how a mutant ends in a call, for people.
func (d *Difference) end() string {
	switch d.Ends {
	case results.CrashHang:
		return "does not end"
	case results.CrashPanic:
		return "panics: " + strings.TrimPrefix(d.Mutant.Text, "panic: ")
	}
	return "ends the process: " + d.Mutant.Text
}
