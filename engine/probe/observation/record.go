//go:build go1.21

// Package observation records what the calls of a run let their caller see, and
// compares two such records.
package observation

import (
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/value"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// maxObservations is how many calls of a run are recorded one by one. All later ones are combined into one more
// observation, at the site restSite.
const (
	maxObservations = 1024
	restSite        = -1
)

// Recorder collects the observations of one run. For each call from the harness into the module it records the
// results and, as the call left them, the arguments and the receiver that it could have changed. Several goroutines
// may reach sites at once. The zero value is ready to use.
type Recorder struct {
	// Exported limits observations to what callers can see. Unexported fields of the program's own types are left
	// out (see value.Fields). Of a call that returns an error, only the failure counts (see onlyFails), and which
	// known errors it is (see value.Sentinels).
	Exported bool
	// Program extends these to the known errors of all woven files. Builds in which only test files are woven do not know
	// them.
	Program bool
	// Home is the import path of the package whose unexported types may be named in rendered source; "": none.
	Home string

	mu      sync.Mutex
	render  bool // also render what is hashed
	events  []wire.Observation
	pending []argument // of calls that have not returned
}

// argument is an argument or the receiver of an observed call.
type argument struct {
	site   int
	value  any
	shared bool   // the call can change it
	source string // as Go source, before the call; only if rendering
	before string // as text for people, before the call; only if rendering
}

// Reset starts an empty record. If render is set, observations are also rendered as text and source.
func (r *Recorder) Reset(render bool) {
	r.mu.Lock()
	clear(r.events)
	clear(r.pending)
	r.events, r.pending, r.render = r.events[:0], r.pending[:0], render
	r.mu.Unlock()
}

// Argument records v, of the given static type, as an argument or receiver of the call at
// site, which is about to begin.
func (r *Recorder) Argument(site int, v any, static reflect.Type) {
	a := r.newArgument(site, v, static)
	if !a.shared && !r.render {
		return
	}
	r.mu.Lock()
	r.pending = append(r.pending, a)
	r.mu.Unlock()
}

// newArgument returns the record of an argument before its call, rendered if the recorder renders.
func (r *Recorder) newArgument(site int, v any, static reflect.Type) argument {
	a := argument{site: site, value: v, shared: static != nil && shares(static) && !(r.Exported && nameless(static, v))}
	if r.render {
		a.source = value.Argument(v, r.Home)
		if a.shared {
			a.before = value.Text(v)
		}
	}
	return a
}

// nameless reports whether v is passed as an interface and has a type that other packages cannot name. Such
// packages see only what the methods of v tell.
func nameless(static reflect.Type, v any) bool {
	if static.Kind() != reflect.Interface || v == nil {
		return false
	}
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	first, _ := utf8.DecodeRuneInString(t.Name())
	return t.PkgPath() != "" && !unicode.IsUpper(first)
}

// shares reports whether a callee that is passed a value of type t can change what its caller sees of the value.
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

// Result records that the call at site returned these results.
func (r *Recorder) Result(site int, results []any) {
	// Hash outside the lock: an Error method is code of the program and may call the recorder.
	err := failure(results)
	o := r.observation(site, r.take(site), results, err)
	o.Succeeded = err == nil && showsSomething(results)
	r.add(o)
}

// showsSomething reports whether some result is not nil: else there is none, or only that nothing failed.
func showsSomething(results []any) bool {
	return slices.ContainsFunc(results, func(x any) bool { return x != nil })
}

// observation returns the observation of a call with the given arguments and results. err is what failure returns of
// the results.
func (r *Recorder) observation(site int, arguments []argument, results []any, err error) wire.Observation {
	// Each value has a bound of its own, so that a large receiver does not hide
	// what the call has written.
	var h value.Hasher
	var is []string
	if err != nil {
		is = value.Sentinels(err, !r.Program)
	}
	if r.Exported && onlyFails(err) {
		h.Failure()
	} else {
		if r.Exported {
			h.Fields = value.ShownFields
		}
		for _, x := range results {
			h.Mix(x)
		}
		if r.Exported {
			h.Fields = value.ExportedFields
		}
		for _, a := range arguments {
			if a.shared && !a.isBuffer(results) {
				h.Mix(a.value)
			}
		}
	}
	for _, name := range is {
		h.Mix(name)
	}
	o := wire.Observation{Site: site, Hash: h.Sum}
	if r.render {
		o.Is = is
		r.write(&o, arguments, results)
	}
	return o
}

// isBuffer reports whether the argument is a []byte and a result is one too, as where a function appends to a
// buffer and returns it. Callers then use the result, and what is left in the argument does not matter.
func (a argument) isBuffer(results []any) bool {
	t := reflect.TypeOf(a.value)
	return t == reflect.TypeOf([]byte(nil)) && slices.ContainsFunc(results, func(x any) bool { return reflect.TypeOf(x) == t })
}

// write fills the fields of an observation that are for reading.
func (r *Recorder) write(o *wire.Observation, arguments []argument, results []any) {
	var texts []string
	for i, x := range results {
		texts = append(texts, value.Text(x))
		source := value.Source(x, r.Home)
		if source == "" && i == len(results)-1 && len(o.Is) > 0 && value.IsSource(o.Is[len(o.Is)-1]) {
			source = o.Is[len(o.Is)-1]
		}
		o.Values = append(o.Values, source)
		text := ""
		if err, ok := x.(error); ok && !value.IsNil(x) {
			text, _ = value.ErrorText(err)
		}
		o.Errors = append(o.Errors, text)
	}
	o.Text = strings.Join(texts, ", ")
	for _, a := range arguments {
		o.Args = append(o.Args, a.source)
		after := ""
		if a.shared && !a.isBuffer(results) {
			after = value.Text(a.value)
		}
		if after == a.before {
			after = ""
		}
		o.After = append(o.After, after)
	}
}

// onlyFails reports whether the last result is err, an error other than io.EOF. Callers then ignore the other results,
// and at most ask which error it is. io.EOF is an exception because it may come with the last data.
func onlyFails(err error) bool {
	if err == nil {
		return false
	}
	text, ok := value.ErrorText(err)
	return ok && text != io.EOF.Error()
}

// failure returns the error that is the last result; nil if the call did not fail.
func failure(results []any) error {
	if len(results) == 0 {
		return nil
	}
	err, ok := results[len(results)-1].(error)
	if !ok || value.IsNil(err) {
		return nil
	}
	return err
}

// take removes the pending arguments of a site and returns them.
func (r *Recorder) take(site int) []argument {
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

func (r *Recorder) add(o wire.Observation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.events) < maxObservations {
		r.events = append(r.events, o)
		return
	}
	if len(r.events) == maxObservations {
		r.events = append(r.events, wire.Observation{Site: restSite})
	}
	rest := value.Hasher{Sum: r.events[maxObservations].Hash}
	rest.Word(uint64(o.Site))
	rest.Word(o.Hash)
	r.events[maxObservations].Hash = rest.Sum
}

// Finish returns the record. Calls that did not return, or returned nothing to record, come last, in the
// order in which they began.
func (r *Recorder) Finish() []wire.Observation {
	for len(r.pending) > 0 {
		site := r.pending[0].site
		o := r.observation(site, r.take(site), nil, nil)
		o.Open = true
		r.add(o)
	}
	if len(r.events) == 0 {
		return nil
	}
	return append([]wire.Observation(nil), r.events...)
}
