//go:build go1.21

package value

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
	"unsafe"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Bounds on what is rendered, in bytes.
const (
	maxSource = 2000
	maxText   = 2000 // more than is shown: the difference may come late
)

// IsNil reports whether x holds a nil pointer, slice, map, function or channel, for example an error that is a nil
// list. It is false if x itself is the nil interface.
func IsNil(x any) bool {
	switch v := reflect.ValueOf(x); v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}

// Source returns x as a Go expression of its type, for a file that imports x's packages under their own names.
// The expression may name unexported types of the package home, for use in its tests; "" means no such
// package. Source returns "" where there is no such expression, as for a pointer to an int that is not 0, or
// where it would be too long.
func Source(x any, home string) string { return (&source{home: home}).of(x) }

// Argument is Source for an argument. It also has a form for pointers to basic values and times, and for
// errors that are nothing but a text. Two of these can look the same and still be told apart, so Source has no
// form for them, as results.
func Argument(x any, home string) string { return (&source{home: home, argument: true}).of(x) }

func (s *source) of(x any) string {
	if x == nil {
		return "nil"
	}
	ok := false
	if !readable(func() { ok = s.value(reflect.ValueOf(x), true) }) || !ok || s.text.Len() > maxSource {
		return ""
	}
	return s.text.String()
}

// source writes Go expressions. Its methods return false if there is no expression; what was
// written then is incomplete.
type source struct {
	home     string
	argument bool // write for Argument instead of Source
	text     strings.Builder
	depth    int
}

// value writes v. If typed is set, the expression has v's type in any context: int8(1) and not just 1.
func (s *source) value(v reflect.Value, typed bool) bool {
	if s.depth++; s.depth > 20 || s.text.Len() > maxSource {
		return false
	}
	defer func() { s.depth-- }()
	if s.failure(v) || s.instant(v) {
		return true
	}
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
		if v.Elem().Kind() != reflect.Struct || v.Elem().Type() == timeType && !v.Elem().IsZero() {
			return s.pointer(v.Elem())
		}
		s.text.WriteByte('&')
		return s.fields(v.Elem())
	}
	return s.basic(v, typed)
}

// pointer writes a pointer to v, which is a time or a basic value. A literal has no address, but an element of
// a list does: &[]int{1}[0].
func (s *source) pointer(v reflect.Value) bool {
	name, ok := s.typeName(v.Type())
	switch {
	case !ok:
		return false
	case v.IsZero():
		s.text.WriteString("new(" + name + ")")
		return true
	case !s.argument:
		return false
	}
	s.text.WriteString("&[]" + name + "{")
	if !s.instant(v) && !s.basic(v, false) {
		return false
	}
	s.text.WriteString("}[0]")
	return true
}

// failure writes an error of the type that errors.New returns. Error variables that are known are written by their
// names, because code compares errors with them.
func (s *source) failure(v reflect.Value) bool {
	if !s.argument || v.Type() != plainError || !v.CanInterface() {
		return false
	}
	err := v.Interface().(error)
	if name := nameOf(err); name != "" {
		s.text.WriteString(name)
	} else {
		s.text.WriteString("errors.New(" + wire.Quote(err.Error()) + ")")
	}
	return true
}

// instant writes a time as its date if it is in UTC or in a fixed zone without a name.
// Others depend on the machine.
func (s *source) instant(v reflect.Value) bool {
	if v.Type() != timeType || !v.CanInterface() {
		return false
	}
	t := v.Interface().(time.Time)
	zone := ""
	switch _, offset := t.Zone(); {
	// The zero value needs no date, and a monotonic reading has none.
	case t.IsZero() || t.Year() < 1 || t.Year() > 9999 || t != t.Round(0):
		return false
	case t.Location() == time.UTC:
		zone = "time.UTC"
	case t.Location().String() == "":
		zone = fmt.Sprintf("time.FixedZone(\"\", %d)", offset)
	default:
		return false
	}
	fmt.Fprintf(&s.text, "time.Date(%d, %d, %d, %d, %d, %d, %d, %s)", t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone)
	return true
}

var (
	plainError = reflect.TypeOf(io.EOF)
	timeType   = reflect.TypeOf(time.Time{})
)

// null writes a nil of type t.
func (s *source) null(t reflect.Type, typed bool) bool {
	if !typed {
		s.text.WriteString("nil")
		return true
	}
	name, ok := s.typeName(t)
	if !ok {
		return false
	}
	if t.Kind() == reflect.Pointer {
		name = "(" + name + ")"
	}
	s.text.WriteString(name + "(nil)")
	return true
}

// basic writes a bool, number or string. A constant whose default type is that of v needs no conversion.
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
		if special := specialFloat(f); special != "" { // it has a type, unlike an untyped constant
			literal, typed, byDefault = special, true, v.Kind() == reflect.Float64
			break
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
	name, ok := s.typeName(v.Type())
	s.text.WriteString(name + "(" + literal + ")")
	return ok
}

// specialFloat returns the expression, of type float64, for a number that has no literal,
// such as NaN; "" for others.
func specialFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "math.NaN()"
	case math.IsInf(f, 1):
		return "math.Inf(1)"
	case math.IsInf(f, -1):
		return "math.Inf(-1)"
	case f == 0 && math.Signbit(f):
		return "math.Copysign(0, -1)"
	}
	return ""
}

// list writes a slice or array.
func (s *source) list(v reflect.Value) bool {
	name, ok := s.typeName(v.Type())
	if !ok {
		return false
	}
	if s.address(v) || s.zeros(v, name) {
		return true
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

// address writes a net.IP as people write it: net.ParseIP("10.0.0.1"). It does so without linking package net.
func (s *source) address(v reflect.Value) bool {
	if t := v.Type(); t.PkgPath() != "net" || t.Name() != "IP" || !v.CanInterface() {
		return false
	}
	ip, ok := v.Interface().(fmt.Stringer)
	if !ok || v.Len() != 4 && v.Len() != 16 {
		return false
	}
	s.text.WriteString("net.ParseIP(" + wire.Quote(ip.String()) + ")")
	if v.Len() == 4 {
		s.text.WriteString(".To4()")
	}
	return true
}

// manyZeros is the length from which a slice of zero bytes is written with make.
const manyZeros = 8

// zeros writes such a slice: make([]byte, 8). Name is the name of its type.
func (s *source) zeros(v reflect.Value, name string) bool {
	if v.Kind() != reflect.Slice || v.Type().Elem().Kind() != reflect.Uint8 || v.Len() < manyZeros || v.Len() > maxSource {
		return false
	}
	for _, b := range v.Bytes() {
		if b != 0 {
			return false
		}
	}
	s.text.WriteString("make(" + name + ", " + strconv.Itoa(v.Len()) + ")")
	return true
}

// entries writes a map, sorted by the source of its entries.
func (s *source) entries(v reflect.Value) bool {
	name, ok := s.typeName(v.Type())
	if !ok || v.Len() > maxSource {
		return false
	}
	var lines []string
	for e := v.MapRange(); e.Next(); {
		one := source{home: s.home, argument: s.argument, depth: s.depth}
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

// fields writes a struct by its non-zero fields. If the struct type has a name, all of them have to be exported.
func (s *source) fields(v reflect.Value) bool {
	name, ok := s.typeName(v.Type())
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
		if !field.IsExported() && v.Type().Name() != "" { // callers do not set it freely, not even in the home package
			return false
		}
		if !first {
			s.text.WriteString(", ")
		}
		first = false
		s.text.WriteString(field.Name + ": ")
		if !s.value(fieldOf(v, i), false) {
			return false
		}
	}
	s.text.WriteByte('}')
	return true
}

// fieldOf returns the i-th field of a struct, in a form that allows its methods to be called
// even if it is not exported.
func fieldOf(v reflect.Value, i int) reflect.Value {
	if !v.CanInterface() || v.Field(i).CanInterface() {
		return v.Field(i)
	}
	s := reflect.New(v.Type()).Elem()
	s.Set(v)
	return reflect.NewAt(s.Field(i).Type(), unsafe.Pointer(s.Field(i).UnsafeAddr())).Elem()
}

// typeName returns a type as tests of the home package write it. It is not ok if they cannot, or if
// the text would be ambiguous.
func (s *source) typeName(t reflect.Type) (name string, ok bool) {
	if t.Name() != "" {
		first, _ := utf8.DecodeRuneInString(t.Name())
		exported := t.PkgPath() == "" || unicode.IsUpper(first) || t.PkgPath() == s.home
		_, args, _ := strings.Cut(t.Name(), "[")
		// Type arguments have the full paths of their packages.
		return strings.ReplaceAll(t.String(), ",", ", "), exported && !strings.ContainsAny(args, "./[")
	}
	switch t.Kind() {
	case reflect.Slice:
		if t.Elem() == reflect.TypeOf(byte(0)) {
			return "[]byte", true
		}
		name, ok = s.typeName(t.Elem())
		return "[]" + name, ok
	case reflect.Array:
		name, ok = s.typeName(t.Elem())
		return fmt.Sprintf("[%d]%s", t.Len(), name), ok
	case reflect.Pointer:
		name, ok = s.typeName(t.Elem())
		return "*" + name, ok
	case reflect.Map:
		key, keyOK := s.typeName(t.Key())
		elem, elemOK := s.typeName(t.Elem())
		return "map[" + key + "]" + elem, keyOK && elemOK
	case reflect.Interface:
		return "any", t.NumMethod() == 0
	case reflect.Struct:
		return s.structName(t)
	}
	return t.String(), false
}

// structName returns a struct type without a name. Its fields must not be embedded, and must be
// exported or of the home package.
func (s *source) structName(t reflect.Type) (name string, ok bool) {
	fields := make([]string, t.NumField())
	for i := range fields {
		f := t.Field(i)
		typ, ok := s.typeName(f.Type)
		if !ok || !f.IsExported() && f.PkgPath != s.home || f.Anonymous {
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
