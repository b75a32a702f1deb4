//go:build go1.21

package runtime

import (
	"math"
	"reflect"
	"time"
)

// Bounds on minimising one input.
const (
	minimiseRuns = 250 // checks; a check of a verdict is two runs
	minimiseTime = 300 * time.Millisecond
)

// minimiser makes an input smaller and simpler while a property holds:
// delta debugging on the arguments (Zeller, Hildebrandt: Simplifying and
// Isolating Failure-Inducing Input, TSE 2002), then simpler bytes and numbers.
type minimiser struct {
	values []any
	holds  func([]any) bool
	left   int
	over   func() bool
	// driver says that bytes are what a driver makes values of: zeros are the simplest, and nobody
	// reads them.
	driver bool
	// escapes is how many characters that cannot be read the arguments of the calls have that the values
	// lead to, as Go source; nil: nobody reads them.
	escapes func() int
}

// minimise gives a smaller input for which holds is true, as it is for values.
// It checks at most limit times, and stops early when slow inputs would use up
// a job bounded by time.
func (l *loop) minimise(values []any, limit int, holds func([]any) bool) []any {
	timed := l.job.MutantTime >= 0 || l.job.ProgramTime >= 0
	start := time.Now()
	m := &minimiser{values: values, holds: holds, left: limit}
	m.over = func() bool { return l.drifted || timed && time.Since(start) > minimiseTime }
	for i := range values {
		m.argument(i)
	}
	return m.values
}

// argument minimises one argument.
func (m *minimiser) argument(i int) {
	switch v := m.values[i].(type) {
	case []byte:
		m.text(i, v, func(b []byte) any { return append([]byte{}, b...) })
	case string:
		m.text(i, []byte(v), func(b []byte) any { return string(b) })
	case bool:
		m.try(i, false)
	default:
		m.number(i)
	}
}

// try replaces an argument if the property still holds.
func (m *minimiser) try(i int, v any) bool {
	if m.left <= 0 || reflect.DeepEqual(m.values[i], v) {
		return false
	}
	m.left--
	if m.over() {
		m.left = 0
		return false
	}
	changed := append([]any(nil), m.values...)
	changed[i] = v
	if !m.holds(changed) {
		return false
	}
	m.values = changed
	return true
}

// text drops pieces, of half the length first and then ever shorter ones, and
// makes what is left plain.
func (m *minimiser) text(i int, text []byte, value func([]byte) any) {
	if m.try(i, value(nil)) {
		return
	}
	for size := (len(text) + 1) / 2; size > 0; size /= 2 {
		for end := len(text); end > 0 && m.left > 0; end -= size {
			start := max(end-size, 0)
			shorter := append(append([]byte(nil), text[:start]...), text[end:]...)
			if m.try(i, value(shorter)) {
				text = shorter
			}
		}
	}
	for at := 0; at < len(text) && m.left > 0; at++ {
		for _, plain := range []byte{'0', 'a', ' '} {
			if text[at] == plain {
				break
			}
			simpler := append([]byte(nil), text...)
			simpler[at] = plain
			if m.try(i, value(simpler)) {
				text = simpler
				break
			}
		}
	}
}

// number brings a number towards 0: at once, by half, by ever smaller steps.
func (m *minimiser) number(i int) {
	if reflect.ValueOf(m.values[i]).IsZero() || m.try(i, reflect.Zero(reflect.TypeOf(m.values[i])).Interface()) {
		return
	}
	if r := reflect.ValueOf(m.values[i]); r.CanFloat() && (math.IsNaN(r.Float()) || math.IsInf(r.Float(), 0)) {
		return // no number is closer
	}
	for part := 1; part < 64; part++ {
		for m.left > 0 && m.try(i, closer(m.values[i], part)) {
		}
	}
}

// closer takes the 2^part-th part off a number, or 1 if that is more. Floats
// become whole.
func closer(v any, part int) any {
	r := reflect.ValueOf(v)
	n := reflect.New(r.Type()).Elem()
	switch {
	case r.CanInt() && r.Int() > 0:
		n.SetInt(r.Int() - max(r.Int()>>part, 1))
	case r.CanInt() && r.Int() < 0:
		n.SetInt(r.Int() - min(r.Int()>>part, -1))
	case r.CanUint() && r.Uint() > 0:
		n.SetUint(r.Uint() - max(r.Uint()>>part, 1))
	case r.CanFloat():
		n.SetFloat(math.Trunc(r.Float() - math.Ldexp(r.Float(), -part)))
	}
	return n.Interface()
}
