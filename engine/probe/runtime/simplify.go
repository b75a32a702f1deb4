//go:build go1.21

package runtime

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// simplify is JobSimplify: it makes the job's first entry as easy to read as it can while the
// job's mutant differs from the program there as before or, without a mutant, while the program
// fails as before. It reports the entry only if it could.
func (l *loop) simplify() {
	list := l.given(false)
	if len(list) == 0 {
		return
	}
	values := list[0].values
	holds, escapes := l.asBefore(values)
	if holds == nil {
		return
	}
	start := time.Now()
	m := &minimiser{values: values, holds: holds, left: int(l.job.ProgramExecs), driver: l.job.Driver, escapes: escapes}
	m.over = func() bool {
		return l.drifted || l.job.ProgramTime >= 0 && time.Since(start) > time.Duration(l.job.ProgramTime)
	}
	m.legible()
	if e := jobEntry(m.values); e.ID != jobEntry(values).ID {
		l.events.send(wire.Event{Event: wire.EventEntry, Entry: &e})
	}
}

// asBefore tells whether other inputs show what values show; nil: values show nothing. Escapes is how many escapes
// there are in the calls of the last input that did; nil: calls are not compared.
func (l *loop) asBefore(values []any) (holds func([]any) bool, escapes func() int) {
	if len(l.mutants) == 0 {
		r := l.execute(l.onOriginal(values, false))
		if !r.failed() {
			return nil, nil
		}
		place := r.place()
		return func(v []any) bool {
			again := l.execute(l.onOriginal(v, false))
			return again.failed() && again.place() == place
		}, nil
	}
	shown := l.shownBy(values)
	if shown == nil {
		return nil, nil
	}
	return func(v []any) bool {
		again := l.shownBy(v)
		if again == nil || !again.as(*shown) {
			return false
		}
		shown = again
		return true
	}, func() int { return shown.escapes }
}

// place identifies a failure as signature does, and by the lines of the innermost two functions.
func (r *run) place() string {
	place := r.signature()
	for i := 0; i < len(r.frames) && i < 2; i++ {
		place += fmt.Sprintf("|%s:%d", r.frames[i].File, r.frames[i].Line)
	}
	return place
}

// difference is what the first observation in which program and mutant differ shows a reader.
type difference struct {
	site           int
	made           [2]bool // the call was made, by program and mutant
	failed         [2]bool // a result is an error
	alikeButErrors bool    // all results but errors have a form as source, and are the same
	visible        bool    // the texts differ
	call           bool    // both pass the same arguments, all of which have a form as source
	ends           string  // the outcome of the mutant's run, if it fails: of a driver's
	escapes        int     // in the arguments of all calls, as Go source
}

// as reports whether a difference is one like another, and shows a reader no less.
func (d difference) as(other difference) bool {
	if other.visible && !d.visible || other.call && !d.call {
		return false
	}
	d.visible, d.call, d.escapes = other.visible, other.call, other.escapes
	return d == other
}

// shownBy is the difference that an input shows between the program and the job's mutant; nil:
// there is none, or one of them fails.
func (l *loop) shownBy(values []any) *difference {
	o := l.onOriginal(values, true)
	o.render = true
	if l.execute(o).failed() {
		return nil
	}
	r := l.onMutant(values, l.mutants[0], o.steps)
	r.render = true
	var d *difference
	switch l.execute(r); {
	case r.failed() && l.job.Driver:
		d = &difference{visible: true, ends: r.outcome}
	case !r.failed():
		d = l.struck.shown(o.record, r.record)
	}
	if d != nil {
		d.escapes = escapesIn(o.record)
	}
	return d
}

// escapesIn counts the escapes of what cannot be read in the arguments of calls.
func escapesIn(record []wire.Observation) (n int) {
	for _, o := range record {
		for _, source := range o.Args {
			n += strings.Count(source, `\x`) + strings.Count(source, `\u`)
		}
	}
	return n
}

// shown is the first difference between two records, which are rendered, that a reader can see: else
// the first; nil: there is none.
func (s struckSites) shown(a, b []wire.Observation) (first *difference) {
	for {
		a, b = s.skip(a), s.skip(b)
		var d *difference
		switch {
		case len(a) == 0 && len(b) == 0:
			return first
		case len(a) == 0:
			d = &difference{site: b[0].Site, made: [2]bool{false, true}, failed: [2]bool{false, fails(&b[0])}, visible: true}
		case len(b) == 0 || a[0].Site != b[0].Site:
			d = &difference{site: a[0].Site, made: [2]bool{true, false}, failed: [2]bool{fails(&a[0]), false}, visible: true}
		case a[0].Hash != b[0].Hash:
			d = between(&a[0], &b[0])
		}
		if d != nil && d.visible {
			return d
		}
		if first == nil {
			first = d
		}
		a, b = a[1:], b[1:]
	}
}

// between is the difference between two observations of the same call.
func between(a, b *wire.Observation) *difference {
	d := &difference{
		site: a.Site, made: [2]bool{true, true}, failed: [2]bool{fails(a), fails(b)},
		visible: a.Text != b.Text || !reflect.DeepEqual(a.After, b.After),
		call:    reflect.DeepEqual(a.Args, b.Args), alikeButErrors: len(a.Values) == len(b.Values),
	}
	for _, source := range a.Args {
		d.call = d.call && source != ""
	}
	for i := 0; d.alikeButErrors && i < len(a.Values); i++ {
		d.alikeButErrors = a.Errors[i] != "" && b.Errors[i] != "" || a.Values[i] != "" && a.Values[i] == b.Values[i]
	}
	return d
}

// fails reports whether a result is an error.
func fails(o *wire.Observation) bool {
	for _, text := range o.Errors {
		if text != "" {
			return true
		}
	}
	return false
}

// legible minimises an input again and again until nothing changes, and each time replaces what
// cannot be read.
func (m *minimiser) legible() {
	for before := []any(nil); m.left > 0 && !reflect.DeepEqual(before, m.values); {
		before = m.values
		for i := range m.values {
			m.argument(i)
			m.legibleArgument(i)
		}
	}
}

// legibleArgument makes one argument easier to read.
func (m *minimiser) legibleArgument(i int) {
	switch v := m.values[i].(type) {
	case []byte:
		if m.driver {
			m.zeros(i, v)
			m.letters(i)
			return
		}
		m.legibleText(i, v, func(b []byte) any { return append([]byte{}, b...) })
	case string:
		m.legibleText(i, []byte(v), func(b []byte) any { return string(b) })
	case bool:
	default:
		m.shortNumber(i)
	}
}

// zeros puts zeros, or else ones, in the place of other bytes that are no letters.
func (m *minimiser) zeros(i int, data []byte) {
	for at, b := range data {
		for _, better := range "\x00\x01" {
			if b == byte(better) || unicode.IsLetter(rune(b)) && better > 0 {
				break
			}
			if changed := splice(data, at, 1, string(better)); m.try(i, changed) {
				data = changed
				break
			}
		}
	}
}

// letters puts a letter in the place of bytes where that leaves less that cannot be read: they are part of a text then.
func (m *minimiser) letters(i int) {
	for at := 0; m.escapes != nil && m.escapes() > 0; at++ {
		data, _ := m.values[i].([]byte)
		if at >= len(data) {
			return
		}
		before, values := m.escapes(), m.values
		if !unicode.IsLetter(rune(data[at])) && m.try(i, splice(data, at, 1, "a")) && m.escapes() >= before {
			m.try(i, data) // so that the escapes are counted of it again
			m.values = values
		}
	}
}

// legibleBytes are what takes the place of bytes, the best first.
const legibleBytes = "0a 1A.,-_/:;+*=()[]{}<>\"'`#!?&|%$@^~\\bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ23456789\n\t"

// legibleText drops characters and pairs of brackets and quotes, and replaces the characters that
// minimising has left by ones that are easier to read.
func (m *minimiser) legibleText(i int, text []byte, value func([]byte) any) {
	try := func(changed []byte) bool {
		if !m.try(i, value(changed)) {
			return false
		}
		text = changed
		return true
	}
	for at := len(text) - 1; at >= 0; at-- {
		if partner := closing(text, at); partner > 0 {
			try(splice(splice(text, partner, 1, ""), at, 1, ""))
		}
	}
	for at := 0; at < len(text) && m.left > 0; {
		size := 1
		if r, width := utf8.DecodeRune(text[at:]); r != utf8.RuneError {
			size = width
		}
		if size > 1 && try(splice(text, at, size, "")) {
			continue
		}
		m.legibleCharacter(text[at:at+size], func(better string) bool { return try(splice(text, at, size, better)) })
		_, size = utf8.DecodeRune(text[at:])
		at += size
	}
}

// legibleCharacter tries what is easier to read in the place of a character: of letters and digits
// the first of their kind, of what is no printable ASCII anything that is, and of other characters
// a common one.
func (m *minimiser) legibleCharacter(c []byte, try func(string) bool) {
	var instead string
	switch r := rune(c[0]); {
	case len(c) > 1:
		instead = legibleBytes + "éäß"
	case r < ' ' || r >= 0x7f:
		instead = legibleBytes
	case r > '1' && r <= '9':
		instead = "123456789"[:r-'1']
	case r > 'A' && r <= 'Z':
		instead = "A" + string(r+'a'-'A')
	case r > 'b' && r <= 'z':
		instead = "b"
	}
	for _, better := range instead {
		if string(c) == string(better) || m.left <= 0 || try(string(better)) {
			return
		}
	}
}

// closing is where the bracket or quote that begins at a place ends; 0: none does.
func closing(text []byte, at int) int {
	counterparts := map[byte]byte{'(': ')', '[': ']', '{': '}', '<': '>', '"': '"', '\'': '\'', '`': '`'}
	for end := len(text) - 1; end > at; end-- {
		if text[end] == counterparts[text[at]] {
			return end
		}
	}
	return 0
}

// splice replaces n bytes of a text.
func splice(text []byte, at, n int, by string) []byte {
	return append(append(append(make([]byte, 0, len(text)), text[:at]...), by...), text[at+n:]...)
}

// shortNumber tries numbers that are easier to read: 1, without the sign, with fewer digits.
func (m *minimiser) shortNumber(i int) {
	v := reflect.ValueOf(m.values[i])
	with := func(set func(reflect.Value)) any {
		n := reflect.New(v.Type()).Elem()
		set(n)
		return n.Interface()
	}
	switch {
	case v.CanInt() && v.Int() < 0:
		m.try(i, with(func(n reflect.Value) { n.SetInt(-v.Int()) }))
	case v.CanFloat():
		for _, shorter := range shorterFloats(v.Float()) {
			if m.try(i, with(func(n reflect.Value) { n.SetFloat(shorter) })) {
				return
			}
		}
	}
}

// shorterFloats are numbers to try in the place of one, the best first.
func shorterFloats(f float64) (list []float64) {
	if f == 0 || f == 1 {
		return nil
	}
	list = append(list, 1)
	if f < 0 {
		list = append(list, -f)
	}
	for digits := 1; digits < 5; digits++ {
		short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', digits, 64), 64)
		if short == f {
			break
		}
		if err == nil && f == f {
			list = append(list, short)
		}
	}
	return list
}
