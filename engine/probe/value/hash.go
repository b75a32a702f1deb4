//go:build go1.21

// Package value hashes and renders values of the program under test: as a hash of their contents, as Go source, and
// as text for people. It follows pointers, reads unexported fields, and calls Error and String methods. It knows
// nothing of runs and mutants.
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

// Hasher hashes Go values by their contents, never by their addresses. The order of map entries does not count, all
// NaNs are alike, functions and channels are nil or not, and errors count by type and text. Equal values have the
// same hash in every process. It is not a cryptographic hash. The zero value is ready to use.
type Hasher struct {
	Sum    uint64 // hash of all that was mixed in so far
	Fields Fields
	left   int           // values that may still be visited
	path   map[visit]int // references being followed, with their depth, to end cycles
}

// Fields says which fields of structs count. For unnamed types and those of the standard library all fields count.
type Fields int

// Values of Fields.
const (
	AllFields      Fields = iota
	ShownFields           // only exported ones, if the type has any: callers see the others only through methods
	ExportedFields        // only exported ones
)

// leaveOut reports whether the unexported fields of a struct type do not count.
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

// visit identifies a reference that is being followed.
type visit struct {
	pointer uintptr
	length  int
	typ     reflect.Type
}

// Words to mix in for what has no content of its own, and before values that could be taken for others. They are no
// number that programs use.
const (
	hashNil = iota + 0x7b1f_5a3c_94d2_e651
	hashSet // a function, channel or raw pointer that is not nil
	hashCut // the bound was reached
	hashCycle
	hashPanic
	hashError
	hashOpaque
	hashMap
	hashEmpty // an empty slice or map, nil or not
	hashBytes
	hashBool
)

// Word mixes in one word, by a folded multiplication.
func (h *Hasher) Word(w uint64) {
	high, low := bits.Mul64(h.Sum^w^0x2d358dccaa6c78a5, 0x8bb84b93962eacc9)
	h.Sum = high ^ low ^ w
}

// maxHashed is how many bytes of a text count. A database, for instance, may have gigabytes of a file mapped.
const maxHashed = 1 << 20

// bytes mixes in b like a string of the same bytes.
func (h *Hasher) bytes(b []byte) { h.text(unsafe.String(unsafe.SliceData(b), len(b))) }

// text mixes in a string.
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

// float mixes in a float; all NaNs are alike.
func (h *Hasher) float(f float64) {
	if f != f {
		f = math.NaN()
	}
	h.Word(math.Float64bits(f))
}

// Failure mixes in that a call has failed, whatever it returned.
func (h *Hasher) Failure() { h.Word(hashError) }

// Mix mixes in x, with its dynamic type and up to 10,000 values that it consists of.
func (h *Hasher) Mix(x any) {
	before := h.Sum
	h.left = maxNodes
	if !readable(func() { h.any(x) }) {
		*h = Hasher{Sum: before, Fields: h.Fields}
		h.Word(hashOpaque)
	}
}

// any does the work of Mix.
func (h *Hasher) any(x any) {
	switch x := x.(type) {
	case nil:
		h.Word(hashNil)
	case string:
		h.text(x)
	case []byte:
		h.Word(hashBytes)
		h.bytes(x)
	case int:
		h.Word(uint64(x))
	case bool:
		h.Word(hashBool)
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

// value mixes in a value without its type, which is known from what contains it.
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
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		h.Word(v.Uint())
	case reflect.Uintptr: // an address, of data or code
		h.Word(hashOpaque)
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

// isEmpty reports whether v is an empty slice or map, nil or not. Few callers tell nil from empty, and fewer
// maintainers test it. Types that implement error are an exception: nil there means no error.
func isEmpty(v reflect.Value) bool {
	if v.Kind() != reflect.Slice && v.Kind() != reflect.Map || v.Len() > 0 {
		return false
	}
	return !v.Type().Implements(errorInterface)
}

var errorInterface = reflect.TypeOf((*error)(nil)).Elem()

// opaque reports whether the contents of a type are not results of the program: the test's own state, locks and
// pools, the run-time's type descriptions, caches of time zones. They change from run to run, or take long to walk.
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

// enter notes that a reference is being followed. If that is the case already, it returns false and mixes in
// how far up the cycle leads.
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

// elements mixes in the elements of an array or slice. Slices of bytes are mixed in as a whole.
func (h *Hasher) elements(v reflect.Value) {
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		h.bytes(v.Bytes())
		return
	}
	for i := 0; i < v.Len() && h.left > 0; i++ {
		h.value(v.Index(i))
	}
}

// structure mixes in the fields of a struct, as far as h.Fields says that they count.
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

// standard reports whether a type is the standard library's, or has no package.
func standard(t reflect.Type) bool {
	first, _, _ := strings.Cut(t.PkgPath(), "/")
	return t.PkgPath() == "" || !strings.Contains(first, ".") && first != "main" && first != home
}

// home is the first element of the run-time's import path. The run-time is placed below the program's import path.
var home, _, _ = strings.Cut(reflect.TypeOf(Hasher{}).PkgPath(), "/")

// time mixes in a time.Time without its monotonic reading. It reports whether v is one and can be accessed.
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

// error mixes in an error by its type and text. It reports whether v is one and can be accessed.
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

// ErrorText returns the text of err. It is not ok if that panics: Error is the program's own code.
func ErrorText(err error) (text string, ok bool) {
	defer func() {
		if recover() != nil {
			text, ok = "", false
		}
	}()
	return err.Error(), true
}

// entries mixes in a map. It adds up the hashes of the entries, so that their order does not matter. For the same
// reason each entry has an equal share of the bound.
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
