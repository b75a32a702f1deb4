//go:build go1.21

package runtime

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

// hasher digests any Go value by its contents, never by its address: maps in any
// order, every NaN alike, functions and channels as nil or not, errors by type and
// text. The same value has the same hash in every process. It is no cryptographic
// hash.
type hasher struct {
	sum    uint64
	left   int           // values that may still be visited
	path   map[visit]int // what is being visited, with its depth, to end cycles
	fields fields
}

// fields says which fields count of structs whose types are not the standard library's.
type fields int

const (
	allFields      fields = iota
	shownFields           // of types that have exported ones, those: callers see the others only through methods
	exportedFields        // exported ones
)

// leaveOut reports whether unexported fields of a struct type do not count.
func (f fields) leaveOut(t reflect.Type) bool {
	return f != allFields && !standard(t) && (f == exportedFields || showsField(t))
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

// word mixes one word in, by a folded multiplication.
func (h *hasher) word(w uint64) {
	high, low := bits.Mul64(h.sum^w^0x2d358dccaa6c78a5, 0x8bb84b93962eacc9)
	h.sum = high ^ low ^ w
}

// maxText is how much of a text counts, in bytes. A database has gigabytes of a file mapped.
const maxText = 1 << 20

// bytes mixes in what a string of them would.
func (h *hasher) bytes(b []byte) { h.text(unsafe.String(unsafe.SliceData(b), len(b))) }

// text mixes a string in.
func (h *hasher) text(s string) {
	h.word(uint64(len(s)))
	if len(s) > maxText {
		h.word(hashCut)
		s = s[:maxText]
	}
	for len(s) >= 8 {
		h.word(binary.LittleEndian.Uint64([]byte(s[:8])))
		s = s[8:]
	}
	var last uint64
	for i := 0; i < len(s); i++ {
		last |= uint64(s[i]) << (8 * i)
	}
	h.word(last)
}

// float mixes a float in, every NaN alike.
func (h *hasher) float(f float64) {
	if f != f {
		f = math.NaN()
	}
	h.word(math.Float64bits(f))
}

// bounded mixes in up to maxNodes values that x consists of.
func (h *hasher) bounded(x any) {
	before := h.sum
	h.left = maxNodes
	if !readable(func() { h.any(x) }) {
		*h = hasher{sum: before, fields: h.fields}
		h.word(hashOpaque)
	}
}

// any mixes in a value with its dynamic type.
func (h *hasher) any(x any) {
	switch x := x.(type) {
	case nil:
		h.word(hashNil)
	case string:
		h.text(x)
	case []byte:
		h.bytes(x)
	case int:
		h.word(uint64(x))
	case bool:
		h.bool(x)
	default:
		v := reflect.ValueOf(x)
		h.text(v.Type().String())
		h.value(v)
	}
}

func (h *hasher) bool(b bool) {
	if b {
		h.word(1)
	} else {
		h.word(0)
	}
}

// value mixes a value in; its type is known from what contains it.
func (h *hasher) value(v reflect.Value) {
	if h.left--; h.left < 0 {
		h.word(hashCut)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		h.bool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		h.word(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		h.word(v.Uint())
	case reflect.Float32, reflect.Float64:
		h.float(v.Float())
	case reflect.Complex64, reflect.Complex128:
		h.float(real(v.Complex()))
		h.float(imag(v.Complex()))
	case reflect.String:
		h.text(v.String())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		h.word(nilness(v))
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
func (h *hasher) reference(v reflect.Value) {
	if isEmpty(v) {
		h.word(hashEmpty)
		return
	}
	if v.IsNil() {
		h.word(hashNil)
		return
	}
	if opaque(v.Type()) {
		h.word(hashOpaque)
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
		h.word(hashSet)
		h.value(v.Elem())
	case reflect.Slice:
		h.word(uint64(v.Len()))
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
func (h *hasher) enter(v reflect.Value) bool {
	at := visitOf(v)
	if depth, ok := h.path[at]; ok {
		h.word(hashCycle)
		h.word(uint64(len(h.path) - depth))
		return false
	}
	if h.path == nil {
		h.path = make(map[visit]int)
	}
	h.path[at] = len(h.path)
	return true
}

func (h *hasher) leave(v reflect.Value) { delete(h.path, visitOf(v)) }

func visitOf(v reflect.Value) visit {
	at := visit{pointer: v.Pointer(), typ: v.Type()}
	if v.Kind() == reflect.Slice {
		at.length = v.Len()
	}
	return at
}

// elements mixes in what an array or slice holds, bytes all at once.
func (h *hasher) elements(v reflect.Value) {
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		h.bytes(v.Bytes())
		return
	}
	for i := 0; i < v.Len() && h.left > 0; i++ {
		h.value(v.Index(i))
	}
}

// structure mixes in the fields of a struct, unexported ones too.
func (h *hasher) structure(v reflect.Value) {
	if opaque(v.Type()) {
		h.word(hashOpaque)
		return
	}
	if h.time(v) || h.error(v) {
		return
	}
	hides := h.fields.leaveOut(v.Type())
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
var home, _, _ = strings.Cut(reflect.TypeOf(hasher{}).PkgPath(), "/")

// time mixes in a time.Time without its monotonic reading, where it can be
// had.
func (h *hasher) time(v reflect.Value) bool {
	if v.Type() != reflect.TypeOf(time.Time{}) || !v.CanInterface() {
		return false
	}
	t := v.Interface().(time.Time)
	_, offset := t.Zone()
	h.word(uint64(t.Unix()))
	h.word(uint64(t.Nanosecond()))
	h.word(uint64(offset))
	return true
}

// error mixes in an error by its type and text.
func (h *hasher) error(v reflect.Value) bool {
	if !v.CanInterface() || v.NumMethod() == 0 {
		return false
	}
	err, ok := v.Interface().(error)
	if !ok {
		return false
	}
	h.word(hashError)
	h.text(v.Type().String())
	if text, ok := errorText(err); ok {
		h.text(text)
	} else {
		h.word(hashPanic)
	}
	return true
}

// errorText calls err.Error, which is the program's own code and may panic.
func errorText(err error) (text string, ok bool) {
	defer func() {
		if recover() != nil {
			text, ok = "", false
		}
	}()
	return err.Error(), true
}

// entries mixes in a map: a sum over its entries, so that their order does not
// matter. Each entry has an equal share of the bound, for the same reason.
func (h *hasher) entries(v reflect.Value) {
	h.word(hashMap)
	h.word(uint64(v.Len()))
	if v.Len() == 0 {
		return
	}
	share := h.left / v.Len()
	if share < 2 {
		h.word(hashCut)
		return
	}
	var sum uint64
	for entry := v.MapRange(); entry.Next(); {
		one := hasher{left: share, path: h.path, fields: h.fields}
		one.value(entry.Key())
		one.value(entry.Value())
		sum += one.sum
	}
	h.left -= share * v.Len()
	h.word(sum)
}
