//go:build go1.21

package input

import (
	"fmt"
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
