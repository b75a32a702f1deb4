//go:build go1.21

package input

import (
	"fmt"
	"math"
	"reflect"
)

// Fuzzable reports whether Go fuzzes arguments of a type: the basic types that it allows, and
// []byte, but no defined types.
func Fuzzable(t reflect.Type) bool {
	if t == reflect.TypeOf([]byte(nil)) {
		return true
	}
	switch t.Kind() {
	case reflect.Uintptr, reflect.Complex64, reflect.Complex128:
		return false
	}
	return t.PkgPath() == "" && (reflect.Bool <= t.Kind() && t.Kind() <= reflect.Float64 || t.Kind() == reflect.String)
}

// CheckTypes returns an error if values do not have the types that the target takes.
func CheckTypes(values []any, types []reflect.Type) error {
	if len(values) != len(types) {
		return fmt.Errorf("the entry has %d values, the target takes %d", len(values), len(types))
	}
	for i, v := range values {
		if reflect.TypeOf(v) != types[i] {
			return fmt.Errorf("value %d of the entry is of type %T, the target takes %s", i+1, v, TypeName(types[i]))
		}
	}
	return nil
}

// TypeName returns a type as source code has it: []byte instead of []uint8.
func TypeName(t reflect.Type) string {
	if t == reflect.TypeOf([]byte(nil)) {
		return "[]byte"
	}
	return t.String()
}

// Clone appends copies of values to dst. It copies byte slices too, because a target may keep
// or change what it is given.
func Clone(dst, values []any) []any {
	for _, v := range values {
		if b, ok := v.([]byte); ok {
			v = append(make([]byte, 0, len(b)), b...)
		}
		dst = append(dst, v)
	}
	return dst
}

// Size returns the length of an input in bytes: that of its texts, and 8 for every other value.
func Size(values []any) int {
	n := 0
	for _, v := range values {
		switch v := v.(type) {
		case []byte:
			n += len(v)
		case string:
			n += len(v)
		default:
			n += 8
		}
	}
	return n
}

// Hash returns a hash of an input. It is not a cryptographic one.
func Hash(values []any) uint64 {
	h := uint64(len(values))
	word := func(w uint64) { h = (h ^ w) * 0x9e3779b97f4a7c15; h ^= h >> 29 }
	for _, v := range values {
		switch v := v.(type) {
		case []byte:
			for _, b := range v {
				word(uint64(b))
			}
			word(uint64(len(v)))
		case string:
			for i := 0; i < len(v); i++ {
				word(uint64(v[i]))
			}
			word(uint64(len(v)))
		default:
			r := reflect.ValueOf(v)
			switch {
			case r.Kind() == reflect.Bool && r.Bool():
				word(1)
			case r.CanInt():
				word(uint64(r.Int()))
			case r.CanUint():
				word(r.Uint())
			case r.CanFloat():
				word(math.Float64bits(r.Float()))
			}
		}
	}
	return h
}
