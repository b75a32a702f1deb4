//go:build go1.21

package value

import (
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Text returns x as a short text for people, without addresses. Errors are shown by their text.
func Text(x any) string {
	if x == nil {
		return "nil"
	}
	p := people{}
	if !readable(func() { p.value(reflect.ValueOf(x)) }) {
		p.text.WriteString("…")
	}
	return shorten(p.text.String(), maxText)
}

// people writes values for people to read.
type people struct {
	text  strings.Builder
	depth int
}

// full reports whether the text is long or deep enough; more would be cut off.
func (p *people) full() bool { return p.text.Len() > maxText || p.depth > 8 }

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

// error writes an error as its text in quotes, after its type. The type of what errors.New and fmt.Errorf return is
// written as "error". It reports whether v is an error.
func (p *people) error(v reflect.Value) bool {
	if text, ok := hiddenError(v); ok {
		p.text.WriteString("error(" + wire.Quote(shorten(text, maxText/2)) + ")")
		return true
	}
	if !v.CanInterface() || v.NumMethod() == 0 || v.Kind() == reflect.Interface {
		return false
	}
	err, ok := v.Interface().(error)
	if !ok {
		return false
	}
	text, ok := ErrorText(err)
	if !ok {
		return false
	}
	name := v.Type().String()
	switch name {
	case "*errors.errorString", "*fmt.wrapError", "*fmt.wrapErrors":
		name = "error"
	}
	p.text.WriteString(name + "(" + wire.Quote(shorten(text, maxText/2)) + ")")
	return true
}

// hiddenError returns the text of what errors.New or fmt.Errorf returned, if it is in an unexported field. There
// its methods cannot be called.
func hiddenError(v reflect.Value) (text string, ok bool) {
	if v.CanInterface() || v.Kind() != reflect.Pointer || v.IsNil() {
		return "", false
	}
	switch v.Type().String() {
	case "*errors.errorString", "*fmt.wrapError", "*fmt.wrapErrors":
		return v.Elem().Field(0).String(), true
	}
	return "", false
}

// speaking has the packages of the standard library whose types hide their values and show them by String.
var speaking = map[string]bool{
	"bytes": true, "math/big": true, "net/netip": true, "regexp": true, "strings": true, "time": true,
}

// spoken writes a struct of such a package that has no exported fields: its type, and the result of String.
// It reports whether it did.
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
		p.text.WriteString(v.Type().String() + "(" + wire.Quote(shorten(text, maxText/2)) + ")")
	}
	return ok
}

// stringOf returns what x.String returns. It is not ok if that panics.
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
		p.text.WriteString(wire.Quote(shorten(v.String(), maxText)))
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
		p.text.WriteString("[]byte(" + wire.Quote(shorten(string(b[:min(len(b), 2*maxText)]), maxText)) + ")")
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
	if v.Len() > maxText {
		// Nobody would read so many, and sorting them takes long.
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

// shorten cuts text after limit bytes, and marks the cut.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit] + "…"
}
