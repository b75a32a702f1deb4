//go:build go1.21

package runtime

import (
	"io"
	"reflect"
	"sync"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Observe is true while a run is observed. Woven code reads it before it
// gathers anything, so that other runs pay next to nothing.
var Observe bool

// observed is what the run going on has let its caller see.
var observed recorder

// maxObservations is how many calls a run records one by one. All later ones go
// into one more observation, at the site restSite.
const (
	maxObservations = 1024
	restSite        = -1
)

// recorder collects the observations of one run: for each call from the
// harness into the module its results and, after the call, the arguments and
// the receiver that it could have changed. Sites may be reached by several
// goroutines.
type recorder struct {
	mu     sync.Mutex
	render bool // render what is hashed
	// exported leaves out fields of the program's own types that are not exported: what a driver changes
	// there only counts if a result shows it.
	exported bool
	events   []wire.Observation
	pending  []argument // of calls that have not returned
}

// argument is an argument or a receiver of an observed call.
type argument struct {
	site   int
	value  any
	shared bool   // the call can change it
	source string // as Go source, before the call; only if rendering
	before string // for people, before the call; only if rendering
}

// Arg gives v, and remembers it as an argument or receiver of the observed
// call at site.
func Arg[T any](site int, v T) T {
	if Observe {
		observed.argument(site, v, reflect.TypeOf((*T)(nil)).Elem())
	}
	return v
}

// Result records that the call at site returned these results.
func Result(site int, results ...any) {
	if Observe {
		observed.result(site, results)
	}
}

// reset starts an empty record.
func (r *recorder) reset(render bool) {
	r.mu.Lock()
	clear(r.events)
	clear(r.pending)
	r.events, r.pending, r.render = r.events[:0], r.pending[:0], render
	r.mu.Unlock()
}

func (r *recorder) argument(site int, v any, static reflect.Type) {
	a := newArgument(site, v, static, r.render)
	if !a.shared && !r.render {
		return
	}
	r.mu.Lock()
	r.pending = append(r.pending, a)
	r.mu.Unlock()
}

// newArgument is an argument of a type before the call, rendered if that is wanted.
func newArgument(site int, v any, static reflect.Type, render bool) argument {
	a := argument{site: site, value: v, shared: static != nil && shares(static)}
	if render {
		a.source = goSource(v)
		if a.shared {
			a.before = forPeople(v)
		}
	}
	return a
}

// shares reports whether a callee that is passed a value of type t can change what
// its caller sees of it.
func shares(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Interface:
		return true
	case reflect.Array:
		return shares(t.Elem())
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			if shares(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// result hashes outside the lock: an Error method is the program's own code
// and may come back here.
func (r *recorder) result(site int, results []any) {
	r.add(r.observation(site, r.take(site), results))
}

// observation is what a call gave.
func (r *recorder) observation(site int, arguments []argument, results []any) wire.Observation {
	// Each value has a bound of its own, so that a large receiver does not hide
	// what the call has written.
	var h hasher
	if r.exported && onlyFails(results) {
		h.word(hashError)
	} else {
		if r.exported {
			h.fields = shownFields
		}
		for _, x := range results {
			h.bounded(x)
		}
		if r.exported {
			h.fields = exportedFields
		}
		for _, a := range arguments {
			if a.shared {
				h.bounded(a.value)
			}
		}
	}
	o := wire.Observation{Site: site, Hash: h.sum}
	if r.render {
		renderObservation(&o, arguments, results)
	}
	return o
}

// onlyFails reports whether the last of some results is an error, and not io.EOF, which comes with the
// last data: then callers do not look at the others.
func onlyFails(results []any) bool {
	if len(results) == 0 {
		return false
	}
	err, ok := results[len(results)-1].(error)
	if !ok || isNil(err) {
		return false
	}
	text, ok := errorText(err)
	return ok && text != io.EOF.Error()
}

// take removes the arguments of site from those pending and gives them.
func (r *recorder) take(site int) []argument {
	r.mu.Lock()
	defer r.mu.Unlock()
	var taken []argument
	rest := r.pending[:0]
	for _, a := range r.pending {
		if a.site == site {
			taken = append(taken, a)
		} else {
			rest = append(rest, a)
		}
	}
	r.pending = rest
	return taken
}

func (r *recorder) add(o wire.Observation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.events) < maxObservations {
		r.events = append(r.events, o)
		return
	}
	if len(r.events) == maxObservations {
		r.events = append(r.events, wire.Observation{Site: restSite})
	}
	rest := hasher{sum: r.events[maxObservations].Hash}
	rest.word(uint64(o.Site))
	rest.word(o.Hash)
	r.events[maxObservations].Hash = rest.sum
}

// finish records the calls that returned nothing to record, or did not
// return, in the order in which they began, and gives the record.
func (r *recorder) finish() []wire.Observation {
	for len(r.pending) > 0 {
		r.result(r.pending[0].site, nil)
	}
	if len(r.events) == 0 {
		return nil
	}
	return append([]wire.Observation(nil), r.events...)
}

// struckSites are the sites at which the original differs from itself.
type struckSites map[int]bool

// difference gives the first site at which two records differ, struck ones
// apart.
func (s struckSites) difference(a, b []wire.Observation) (site int, differs bool) {
	a, b = s.skip(a), s.skip(b)
	for len(a) > 0 && len(b) > 0 {
		if a[0].Site != b[0].Site || a[0].Hash != b[0].Hash {
			return a[0].Site, true
		}
		a, b = s.skip(a[1:]), s.skip(b[1:])
	}
	switch {
	case len(a) > 0:
		return a[0].Site, true
	case len(b) > 0:
		return b[0].Site, true
	}
	return 0, false
}

// skip drops the struck observations a record begins with.
func (s struckSites) skip(record []wire.Observation) []wire.Observation {
	for len(record) > 0 && s[record[0].Site] {
		record = record[1:]
	}
	return record
}

// strike adds the sites at which two records of the original differ and gives
// the new ones. Where not even the order of calls is the same, every site from
// there on is struck.
func (s struckSites) strike(a, b []wire.Observation) []int {
	var struck []int
	add := func(site int) {
		if !s[site] {
			s[site] = true
			struck = append(struck, site)
		}
	}
	for len(a) > 0 && len(b) > 0 && a[0].Site == b[0].Site {
		if a[0].Hash != b[0].Hash {
			add(a[0].Site)
		}
		a, b = a[1:], b[1:]
	}
	for _, record := range [][]wire.Observation{a, b} {
		for _, o := range record {
			add(o.Site)
		}
	}
	return struck
}
