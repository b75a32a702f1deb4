//go:build go1.21

package input

import (
	"math"
	"reflect"
)

// Minimiser makes an input smaller and simpler while a property holds. It applies delta debugging to the
// arguments (Zeller, Hildebrandt: Simplifying and Isolating Failure-Inducing Input, TSE 2002), then tries
// simpler bytes and numbers.
type Minimiser struct {
	Values []any            // the input; Holds is true for it before and afterwards
	Holds  func([]any) bool // the property
	Left   int              // how often Holds may still be called
	Over   func() bool      // whether to stop early; it is asked before each call of Holds
	// Reads says that the last argument is driver data: bytes that a driver decodes values from. Nobody reads these
	// bytes, and zeros are the simplest.
	Reads bool
	// Calls returns the calls that the last input led to for which Holds was true; nil: nobody reads them.
	Calls func() Calls

	Written Written // what Simplify prefers
}

// Minimise makes the input smaller.
func (m *Minimiser) Minimise() {
	for i := range m.Values {
		m.argument(i)
	}
}

// argument minimises one argument.
func (m *Minimiser) argument(i int) {
	switch v := m.Values[i].(type) {
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

// may reports whether one more check is allowed, and counts it.
func (m *Minimiser) may() bool {
	if m.Left <= 0 {
		return false
	}
	m.Left--
	if m.Over() {
		m.Left = 0
		return false
	}
	return true
}

// try replaces an argument if the property still holds, and reports whether it did.
func (m *Minimiser) try(i int, v any) bool {
	if reflect.DeepEqual(m.Values[i], v) || !m.may() {
		return false
	}
	changed := append([]any(nil), m.Values...)
	changed[i] = v
	if !m.Holds(changed) {
		return false
	}
	m.Values = changed
	return true
}

// text drops pieces, of half the length first and then ever shorter ones. Then it tries
// plainer bytes for what is left.
func (m *Minimiser) text(i int, text []byte, value func([]byte) any) {
	if m.try(i, value(nil)) {
		return
	}
	for size := (len(text) + 1) / 2; size > 0; size = m.shorter(i, size) {
		for end := len(text); end > 0 && m.Left > 0; end -= size {
			start := max(end-size, 0)
			shorter := append(append([]byte(nil), text[:start]...), text[end:]...)
			if m.try(i, value(shorter)) {
				text = shorter
			}
		}
	}
	for at := 0; at < len(text) && m.Left > 0; at++ {
		for _, plain := range m.plainer(i, text[at]) {
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

// valueSize is how many bytes most values in driver data take at most.
const valueSize = 8

// shorter returns the length of the pieces to drop after those of length size. In driver data, it tries every
// length that a call with its values may have.
func (m *Minimiser) shorter(i, size int) int {
	if m.data(i) && size <= valueSize {
		return size - 1
	}
	return size / 2
}

// plainer returns the bytes to try in place of c in the i-th argument, the best first.
func (m *Minimiser) plainer(i int, c byte) []byte {
	if isDigit(c) && !m.data(i) {
		return []byte{'0', 'a', ' '}
	}
	return []byte{'a', '0', ' '}
}

// number moves a number towards 0: at once, by half, then by ever smaller steps.
func (m *Minimiser) number(i int) {
	if reflect.ValueOf(m.Values[i]).IsZero() || m.try(i, reflect.Zero(reflect.TypeOf(m.Values[i])).Interface()) {
		return
	}
	if r := reflect.ValueOf(m.Values[i]); r.CanFloat() && (math.IsNaN(r.Float()) || math.IsInf(r.Float(), 0)) {
		return // no number is closer
	}
	for part := 1; part < 64; part++ {
		for m.Left > 0 && m.try(i, closer(m.Values[i], part)) {
		}
	}
}

// closer subtracts 1/2^part of a number from it, and at least 1 from an integer. Floats become whole.
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
