//go:build go1.21

// Package value digests and writes the values of a program under test: by their
// contents as a hash, as Go source, and as text for people. It reads what is behind
// pointers and in unexported fields, calls Error and String methods, and knows nothing
// of runs and mutants.
package value

import (
	"encoding/binary"
	"math"
	"math/bits"
	"reflect"
	"strings"
	"time"
	"unsafe"
)

// maxNodes is how many values of a structure the hash visits.
const maxNodes = 10_000

// Hasher digests Go values by their contents, never by their addresses: maps in any
// order, every NaN alike, functions and channels as nil or not, errors by type and
// text. The same values have the same hash in every process. It is no cryptographic
// hash. The zero value is ready to use.
type Hasher struct {
	Sum    uint64 // of all that was mixed in so far
	Fields Fields
	left   int           // values that may still be visited
	path   map[visit]int // what is being visited, with its depth, to end cycles
}

// Fields says which fields count of structs whose types are not the standard library's.
type Fields int

// Values of Fields.
const (
	AllFields      Fields = iota
	ShownFields           // of types that have exported ones, those: callers see the others only through methods
	ExportedFields        // exported ones
)

// leaveOut reports whether unexported fields of a struct type do not count.
func (f Fields) leaveOut(t reflect.Type) bool {
	return f != AllFields && !standard(t) && (f == ExportedFields || showsField(t))
}

// showsField reports whether a struct type has an exported field.
func showsField(t reflect.Type) bool {
	for i := 0; i < t.NumField(); i++ {
		if t.Field(i).IsExported() {
			return true
		}
	}
	return false
}

// visit is a reference that is being followed.
type visit struct {
	pointer uintptr
	length  int
	typ     reflect.Type
}

// Words that stand for what has no content of its own.
const (
	hashNil = iota + 0x51
	hashSet // a function, channel or raw pointer that is not nil
	hashCut // the bound was reached
	hashCycle
	hashPanic
	hashError
	hashOpaque
	hashMap
	hashEmpty // a list or map with nothing in it, nil or not
)

// Word mixes one word in, by a folded multiplication.
func (h *Hasher) Word(w uint64) {
	high, low := bits.Mul64(h.Sum^w^0x2d358dccaa6c78a5, 0x8bb84b93962eacc9)
	h.Sum = high ^ low ^ w
}

// maxHashed is how much of a text counts, in bytes. A database has gigabytes of a file mapped.
const maxHashed = 1 << 20

// bytes mixes in what a string of them would.
func (h *Hasher) bytes(b []byte) { h.text(unsafe.String(unsafe.SliceData(b), len(b))) }

// text mixes a string in.
func (h *Hasher) text(s string) {
	h.Word(uint64(len(s)))
	if len(s) > maxHashed {
		h.Word(hashCut)
		s = s[:maxHashed]
	}
	for len(s) >= 8 {
		h.Word(binary.LittleEndian.Uint64([]byte(s[:8])))
		s = s[8:]
	}
	var last uint64
	for i := 0; i < len(s); i++ {
		last |= uint64(s[i]) << (8 * i)
	}
	h.Word(last)
}

// float mixes a float in, every NaN alike.
func (h *Hasher) float(f float64) {
	if f != f {
		f = math.NaN()
	}
	h.Word(math.Float64bits(f))
}

// Failure mixes in that a call has failed, whatever it gave.
func (h *Hasher) Failure() { h.Word(hashError) }

// Mix mixes in x with its dynamic type, by up to 10,000 values that it consists of.
func (h *Hasher) Mix(x any) {
	before := h.Sum
	h.left = maxNodes
	if !readable(func() { h.any(x) }) {
		*h = Hasher{Sum: before, Fields: h.Fields}
		h.Word(hashOpaque)
	}
}

// any mixes in a value with its dynamic type.
func (h *Hasher) any(x any) {
	switch x := x.(type) {
	case nil:
		h.Word(hashNil)
	case string:
		h.text(x)
	case []byte:
		h.bytes(x)
	case int:
		h.Word(uint64(x))
	case bool:
		h.bool(x)
	default:
		v := reflect.ValueOf(x)
		h.text(v.Type().String())
		h.value(v)
	}
}

func (h *Hasher) bool(b bool) {
	if b {
		h.Word(1)
	} else {
		h.Word(0)
	}
}

// value mixes a value in; its type is known from what contains it.
func (h *Hasher) value(v reflect.Value) {
	if h.left--; h.left < 0 {
		h.Word(hashCut)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		h.bool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		h.Word(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		h.Word(v.Uint())
	case reflect.Float32, reflect.Float64:
		h.float(v.Float())
	case reflect.Complex64, reflect.Complex128:
		h.float(real(v.Complex()))
		h.float(imag(v.Complex()))
	case reflect.String:
		h.text(v.String())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		h.Word(nilness(v))
	case reflect.Array:
		h.elements(v)
	case reflect.Struct:
		h.structure(v)
	default:
		h.reference(v)
	}
}

func nilness(v reflect.Value) uint64 {
	if v.IsNil() {
		return hashNil
	}
	return hashSet
}

// reference mixes in a pointer, slice, map or interface.
func (h *Hasher) reference(v reflect.Value) {
	if isEmpty(v) {
		h.Word(hashEmpty)
		return
	}
	if v.IsNil() {
		h.Word(hashNil)
		return
	}
	if opaque(v.Type()) {
		h.Word(hashOpaque)
		return
	}
	if v.Kind() == reflect.Interface {
		h.text(v.Elem().Type().String())
		h.value(v.Elem())
		return
	}
	if h.error(v) {
		return
	}
	if !h.enter(v) {
		return
	}
	defer h.leave(v)
	switch v.Kind() {
	case reflect.Pointer:
		h.Word(hashSet)
		h.value(v.Elem())
	case reflect.Slice:
		h.Word(uint64(v.Len()))
		h.elements(v)
	case reflect.Map:
		h.entries(v)
	}
}

// isEmpty reports whether v is a slice or map with nothing in it. Few callers tell nil from one that is not, and fewer
// maintainers test it; but an error that is nil is none.
func isEmpty(v reflect.Value) bool {
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Map || v.Len() > 0 {
		return false
	}
	return !v.Type().Implements(errorInterface)
}

var errorInterface = reflect.TypeOf((*error)(nil)).Elem()

// opaque reports whether the contents of a type are not results of the program:
// the test's own state, locks and pools, the run-time's descriptions of types,
// caches of time zones. These change from run to run, or take long to walk.
func opaque(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.PkgPath() {
	case "testing", "sync", "internal/sync", "reflect", "internal/abi", "runtime":
		return true
	}
	return t == reflect.TypeOf(time.Location{})
}

// enter notes that a reference is followed. It is false, and mixes in how far
// up the cycle leads, when the reference is being followed already.
func (h *Hasher) enter(v reflect.Value) bool {
	at := visitOf(v)
	if depth, ok := h.path[at]; ok {
		h.Word(hashCycle)
		h.Word(uint64(len(h.path) - depth))
		return false
	}
	if h.path == nil {
		h.path = make(map[visit]int)
	}
	h.path[at] = len(h.path)
	return true
}

func (h *Hasher) leave(v reflect.Value) { delete(h.path, visitOf(v)) }

func visitOf(v reflect.Value) visit {
	at := visit{pointer: v.Pointer(), typ: v.Type()}
	if v.Kind() == reflect.Slice {
		at.length = v.Len()
	}
	return at
}

// elements mixes in what an array or slice holds, bytes all at once.
func (h *Hasher) elements(v reflect.Value) {
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		h.bytes(v.Bytes())
		return
	}
	for i := 0; i < v.Len() && h.left > 0; i++ {
		h.value(v.Index(i))
	}
}

// structure mixes in the fields of a struct, unexported ones too.
func (h *Hasher) structure(v reflect.Value) {
	if opaque(v.Type()) {
		h.Word(hashOpaque)
		return
	}
	if h.time(v) || h.error(v) {
		return
	}
	hides := h.Fields.leaveOut(v.Type())
	for i := 0; i < v.NumField(); i++ {
		if !hides || v.Type().Field(i).IsExported() {
			h.value(v.Field(i))
		}
	}
}

// standard reports whether a type is the standard library's, or has no name.
func standard(t reflect.Type) bool {
	first, _, _ := strings.Cut(t.PkgPath(), "/")
	return t.PkgPath() == "" || !strings.Contains(first, ".") && first != "main" && first != home
}

// home is the first element of the import path of the run-time, which is below the program's.
var home, _, _ = strings.Cut(reflect.TypeOf(Hasher{}).PkgPath(), "/")

// time mixes in a time.Time without its monotonic reading, where it can be
// had.
func (h *Hasher) time(v reflect.Value) bool {
	if v.Type() != reflect.TypeOf(time.Time{}) || !v.CanInterface() {
		return false
	}
	t := v.Interface().(time.Time)
	_, offset := t.Zone()
	h.Word(uint64(t.Unix()))
	h.Word(uint64(t.Nanosecond()))
	h.Word(uint64(offset))
	return true
}

// error mixes in an error by its type and text.
func (h *Hasher) error(v reflect.Value) bool {
	if !v.CanInterface() || v.NumMethod() == 0 {
		return false
	}
	err, ok := v.Interface().(error)
	if !ok {
		return false
	}
	h.Word(hashError)
	h.text(v.Type().String())
	if text, ok := ErrorText(err); ok {
		h.text(text)
	} else {
		h.Word(hashPanic)
	}
	return true
}

// ErrorText is what err says, unless that panics: Error is the program's own code.
func ErrorText(err error) (text string, ok bool) {
	defer func() {
		if recover() != nil {
			text, ok = "", false
		}
	}()
	return err.Error(), true
}

// entries mixes in a map: a sum over its entries, so that their order does not
// matter. Each entry has an equal share of the bound, for the same reason.
func (h *Hasher) entries(v reflect.Value) {
	h.Word(hashMap)
	h.Word(uint64(v.Len()))
	if v.Len() == 0 {
		return
	}
	share := h.left / v.Len()
	if share < 2 {
		h.Word(hashCut)
		return
	}
	var sum uint64
	for entry := v.MapRange(); entry.Next(); {
		one := Hasher{left: share, path: h.path, Fields: h.Fields}
		one.value(entry.Key())
		one.value(entry.Value())
		sum += one.Sum
	}
	h.left -= share * v.Len()
	h.Word(sum)
}
