//go:build go1.21

package runtime

import (
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Bounds on what is rendered, in bytes.
const (
	maxSource = 2000
	maxPeople = 2000 // more than is shown: the difference may come late
)

// renderObservation fills what of an observation is for reading.
func renderObservation(o *wire.Observation, arguments []argument, results []any) {
	var texts []string
	for _, x := range results {
		texts = append(texts, forPeople(x))
		o.Values = append(o.Values, goSource(x))
		text := ""
		if err, ok := x.(error); ok && !isNil(x) {
			text, _ = errorText(err)
		}
		o.Errors = append(o.Errors, text)
	}
	o.Text = strings.Join(texts, ", ")
	for _, a := range arguments {
		o.Args = append(o.Args, a.source)
		after := ""
		if a.shared {
			after = forPeople(a.value)
		}
		if after == a.before {
			after = ""
		}
		o.After = append(o.After, after)
	}
}

// isNil reports whether x is a nil of any type, such as a list of faults that has none.
func isNil(x any) bool {
	switch v := reflect.ValueOf(x); v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}

// goSource writes x as a Go expression of its type, as a file that imports x's
// packages by their own names would. It is "" where there is no such
// expression, as for a pointer to an int, or where it would be too long.
func goSource(x any) string {
	if x == nil {
		return "nil"
	}
	s, ok := source{}, false
	if !readable(func() { ok = s.value(reflect.ValueOf(x), true) }) || !ok || s.text.Len() > maxSource {
		return ""
	}
	return s.text.String()
}

// source writes Go expressions. Its methods return false if there is none; then
// what was written is incomplete.
type source struct {
	text  strings.Builder
	depth int
}

// value writes v; typed asks for a form that has v's type anywhere.
func (s *source) value(v reflect.Value, typed bool) bool {
	if s.depth++; s.depth > 20 || s.text.Len() > maxSource {
		return false
	}
	defer func() { s.depth-- }()
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			s.text.WriteString("nil")
			return true
		}
		return s.value(v.Elem(), true)
	case reflect.Slice, reflect.Map, reflect.Pointer:
		if v.IsNil() {
			return s.null(v.Type(), typed)
		}
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		return s.list(v)
	case reflect.Map:
		return s.entries(v)
	case reflect.Struct:
		return s.fields(v)
	case reflect.Pointer:
		if v.Elem().Kind() != reflect.Struct {
			return false
		}
		s.text.WriteByte('&')
		return s.fields(v.Elem())
	}
	return s.basic(v, typed)
}

// null writes a nil of type t.
func (s *source) null(t reflect.Type, typed bool) bool {
	if !typed {
		s.text.WriteString("nil")
		return true
	}
	name, ok := typeName(t)
	if !ok {
		return false
	}
	if t.Kind() == reflect.Pointer {
		name = "(" + name + ")"
	}
	s.text.WriteString(name + "(nil)")
	return true
}

// basic writes a bool, number or string. Constants that have the type by
// default need no conversion.
func (s *source) basic(v reflect.Value, typed bool) bool {
	var literal string
	byDefault := false
	switch v.Kind() {
	case reflect.Bool:
		literal, byDefault = strconv.FormatBool(v.Bool()), true
	case reflect.String:
		literal, byDefault = wire.Quote(v.String()), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		literal, byDefault = strconv.FormatInt(v.Int(), 10), v.Kind() == reflect.Int
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		literal = strconv.FormatUint(v.Uint(), 10)
	case reflect.Float32, reflect.Float64:
		f := v.Float()
		if math.IsNaN(f) || math.IsInf(f, 0) || f == 0 && math.Signbit(f) {
			return false
		}
		literal = strconv.FormatFloat(f, 'g', -1, v.Type().Bits())
		byDefault = v.Kind() == reflect.Float64 && strings.ContainsAny(literal, ".e")
	default:
		return false
	}
	if !typed || byDefault && v.Type().PkgPath() == "" {
		s.text.WriteString(literal)
		return true
	}
	name, ok := typeName(v.Type())
	s.text.WriteString(name + "(" + literal + ")")
	return ok
}

// list writes a slice or array.
func (s *source) list(v reflect.Value) bool {
	name, ok := typeName(v.Type())
	if !ok {
		return false
	}
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		s.text.WriteString(name + "(" + wire.Quote(string(v.Bytes()[:min(v.Len(), maxSource+1)])) + ")")
		return true
	}
	if v.Len() > maxSource {
		return false
	}
	s.text.WriteString(name + "{")
	for i := 0; i < v.Len(); i++ {
		if i > 0 {
			s.text.WriteString(", ")
		}
		if !s.value(v.Index(i), false) {
			return false
		}
	}
	s.text.WriteByte('}')
	return true
}

// entries writes a map, sorted by what the keys look like.
func (s *source) entries(v reflect.Value) bool {
	name, ok := typeName(v.Type())
	if !ok || v.Len() > maxSource {
		return false
	}
	var lines []string
	for e := v.MapRange(); e.Next(); {
		one := source{depth: s.depth}
		if !one.value(e.Key(), false) {
			return false
		}
		one.text.WriteString(": ")
		if !one.value(e.Value(), false) {
			return false
		}
		lines = append(lines, one.text.String())
	}
	sort.Strings(lines)
	s.text.WriteString(name + "{" + strings.Join(lines, ", ") + "}")
	return true
}

// fields writes a struct by its fields that are not zero, all of which have to
// be exported.
func (s *source) fields(v reflect.Value) bool {
	name, ok := typeName(v.Type())
	if !ok {
		return false
	}
	s.text.WriteString(name + "{")
	first := true
	for i := 0; i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			continue
		}
		field := v.Type().Field(i)
		if !field.IsExported() { // no caller fills it, not even one at home, as it likes
			return false
		}
		if !first {
			s.text.WriteString(", ")
		}
		first = false
		s.text.WriteString(field.Name + ": ")
		if !s.value(v.Field(i), false) {
			return false
		}
	}
	s.text.WriteByte('}')
	return true
}

// atHome reports whether the tests that source is for may name types that a package does not export.
func atHome(pkgPath string) bool {
	return session.job != nil && session.job.Home != "" && pkgPath == session.job.Home
}

// typeName writes a type as other packages write it; ok is false if they cannot,
// or if the text would be ambiguous.
func typeName(t reflect.Type) (name string, ok bool) {
	if t.Name() != "" {
		first, _ := utf8.DecodeRuneInString(t.Name())
		exported := t.PkgPath() == "" || unicode.IsUpper(first) || atHome(t.PkgPath())
		return t.String(), exported && !strings.Contains(t.Name(), "[")
	}
	switch t.Kind() {
	case reflect.Slice:
		if t.Elem() == reflect.TypeOf(byte(0)) {
			return "[]byte", true
		}
		name, ok = typeName(t.Elem())
		return "[]" + name, ok
	case reflect.Array:
		name, ok = typeName(t.Elem())
		return fmt.Sprintf("[%d]%s", t.Len(), name), ok
	case reflect.Pointer:
		name, ok = typeName(t.Elem())
		return "*" + name, ok
	case reflect.Map:
		key, keyOK := typeName(t.Key())
		elem, elemOK := typeName(t.Elem())
		return "map[" + key + "]" + elem, keyOK && elemOK
	case reflect.Interface:
		return "any", t.NumMethod() == 0
	case reflect.Struct:
		return structName(t)
	}
	return t.String(), false
}

// structName writes a struct type without a name, of exported fields that have one.
func structName(t reflect.Type) (name string, ok bool) {
	fields := make([]string, t.NumField())
	for i := range fields {
		f := t.Field(i)
		typ, ok := typeName(f.Type)
		if !ok || !f.IsExported() || f.Anonymous {
			return t.String(), false
		}
		fields[i] = f.Name + " " + typ
		switch tag := string(f.Tag); {
		case tag == "":
		case strconv.CanBackquote(tag):
			fields[i] += " `" + tag + "`"
		default:
			fields[i] += " " + strconv.Quote(tag)
		}
	}
	return "struct{ " + strings.Join(fields, "; ") + " }", true
}

// forPeople writes x for a reader: no addresses, errors by their text, short.
func forPeople(x any) string {
	if x == nil {
		return "nil"
	}
	p := people{}
	if !readable(func() { p.value(reflect.ValueOf(x)) }) {
		p.text.WriteString("…")
	}
	return shorten(p.text.String(), maxPeople)
}

// people writes values for readers.
type people struct {
	text  strings.Builder
	depth int
}

// full reports whether enough is written; more would be cut off.
func (p *people) full() bool { return p.text.Len() > maxPeople || p.depth > 8 }

func (p *people) value(v reflect.Value) {
	if p.full() {
		p.text.WriteString("…")
		return
	}
	p.depth++
	defer func() { p.depth-- }()
	switch v.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			p.text.WriteString("nil")
			return
		}
	}
	if p.error(v) || p.spoken(v) {
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		p.value(v.Elem())
	case reflect.Pointer:
		p.text.WriteByte('&')
		if opaque(v.Type()) {
			p.text.WriteString(v.Type().Elem().String())
			return
		}
		p.value(v.Elem())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		p.text.WriteString(v.Type().String())
	case reflect.Slice, reflect.Array:
		p.list(v)
	case reflect.Map:
		p.entries(v)
	case reflect.Struct:
		if opaque(v.Type()) {
			p.text.WriteString(v.Type().String() + "{…}")
			return
		}
		p.fields(v)
	default:
		p.basic(v)
	}
}

// error writes an error as its text in quotes, after its type where that is
// more than errors.New or fmt.Errorf gives.
func (p *people) error(v reflect.Value) bool {
	if !v.CanInterface() || v.NumMethod() == 0 || v.Kind() == reflect.Interface {
		return false
	}
	err, ok := v.Interface().(error)
	if !ok {
		return false
	}
	text, ok := errorText(err)
	if !ok {
		return false
	}
	name := v.Type().String()
	switch name {
	case "*errors.errorString", "*fmt.wrapError", "*fmt.wrapErrors":
		name = "error"
	}
	p.text.WriteString(name + "(" + wire.Quote(shorten(text, maxPeople/2)) + ")")
	return true
}

// speaking are the packages of the standard library whose types keep their values to themselves,
// and say them by String.
var speaking = map[string]bool{
	"bytes": true, "math/big": true, "net/netip": true, "regexp": true, "strings": true, "time": true,
}

// spoken writes a struct of the standard library that has no exported fields by what it says
// of itself, after its type.
func (p *people) spoken(v reflect.Value) bool {
	t := v.Type()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || !speaking[t.PkgPath()] || opaque(t) || !v.CanInterface() {
		return false
	}
	for i := 0; i < t.NumField(); i++ {
		if t.Field(i).IsExported() {
			return false
		}
	}
	x, ok := v.Interface().(fmt.Stringer)
	if !ok {
		return false
	}
	text, ok := stringOf(x)
	if ok {
		p.text.WriteString(v.Type().String() + "(" + wire.Quote(shorten(text, maxPeople/2)) + ")")
	}
	return ok
}

// stringOf is what x says of itself, unless that panics.
func stringOf(x fmt.Stringer) (text string, ok bool) {
	defer func() {
		if recover() != nil {
			text, ok = "", false
		}
	}()
	return x.String(), true
}

func (p *people) basic(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		p.text.WriteString(wire.Quote(shorten(v.String(), maxPeople)))
	case reflect.Bool:
		p.text.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.text.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		p.text.WriteString(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		p.text.WriteString(strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits()))
	default:
		fmt.Fprint(&p.text, v.Complex())
	}
}

func (p *people) list(v reflect.Value) {
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		b := v.Bytes()
		p.text.WriteString("[]byte(" + wire.Quote(shorten(string(b[:min(len(b), 2*maxPeople)]), maxPeople)) + ")")
		return
	}
	p.text.WriteString(v.Type().String() + "{")
	for i := 0; i < v.Len() && !p.full(); i++ {
		if i > 0 {
			p.text.WriteString(", ")
		}
		p.value(v.Index(i))
	}
	p.text.WriteByte('}')
}

func (p *people) entries(v reflect.Value) {
	p.text.WriteString(v.Type().String() + "{")
	if v.Len() > maxPeople {
		// Sorting them would take longer than anyone would read.
		fmt.Fprintf(&p.text, "%d entries}", v.Len())
		return
	}
	var lines []string
	for e := v.MapRange(); e.Next(); {
		one := people{depth: p.depth}
		one.value(e.Key())
		one.text.WriteString(": ")
		one.value(e.Value())
		lines = append(lines, one.text.String())
	}
	sort.Strings(lines)
	p.text.WriteString(strings.Join(lines, ", ") + "}")
}

func (p *people) fields(v reflect.Value) {
	p.text.WriteString(v.Type().String() + "{")
	first := true
	for i := 0; i < v.NumField() && !p.full(); i++ {
		if v.Field(i).IsZero() {
			continue
		}
		if !first {
			p.text.WriteString(", ")
		}
		first = false
		p.text.WriteString(v.Type().Field(i).Name + ": ")
		p.value(v.Field(i))
	}
	p.text.WriteByte('}')
}

// shorten cuts text to a number of bytes, and says so.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}
