// Package decode makes values from bytes. Drivers are compiled with a copy of its text, so it uses the standard library
// only, and no language feature that old modules lack.
package decode

import ( // renamed, so as not to clash with names of the package that gets the copy
	driverMath "math"
	driverReflect "reflect"
	driverTime "time"
)

// driverInput makes values from bytes, one after the other. When no bytes are left it returns zero values, so any bytes
// are a valid input.
type driverInput struct{ rest []byte }

// more returns the next byte, or 0 when none is left.
func (in *driverInput) more() byte {
	if len(in.rest) == 0 {
		return 0
	}
	b := in.rest[0]
	in.rest = in.rest[1:]
	return b
}

// upTo returns a number from 0 to most, for the length of a list or the choice among alternatives.
func (in *driverInput) upTo(most int) int { return int(in.more()) % (most + 1) }

// call chooses a call: it returns a number from 0 to most as upTo does, or for one byte of 256 another one, -1: then no
// call is made. So each call can be left out of an input without the others.
func (in *driverInput) call(most int) int {
	const none = 0xff
	b := in.more()
	if b == none {
		return -1
	}
	return int(b) % (most + 1)
}

// rarely returns true for one in sixteen bytes, and false when no bytes are left.
func (in *driverInput) rarely() bool { return in.more()&0xf == 0xf }

func (in *driverInput) bool() bool { return in.more()&1 == 1 }

// int returns a number. One byte stands for a small number; 0x80 introduces one of eight bytes, the lowest first.
func (in *driverInput) int() int64 {
	const introduces = 0x80
	b := in.more()
	if b != introduces {
		return int64(int8(b))
	}
	var n uint64
	for i := uint(0); i < 64; i += 8 {
		n |= uint64(in.more()) << i
	}
	return int64(n)
}

// within returns n if it is from least to most, else another number that is, depending on n. It reads nothing.
func (*driverInput) within(n, least, most int64) int64 {
	if n >= least && n <= most {
		return n
	}
	return least + int64(uint64(n)%uint64(most-least+1))
}

// instant returns the time that is so many seconds after 1970-01-01 UTC, modulo the seconds up to the year 10000. For 0
// it returns the zero Time, which is easier to read. It reads nothing.
func (*driverInput) instant(seconds int64) driverTime.Time {
	const year10000 = 253402300800
	if seconds == 0 {
		return driverTime.Time{}
	}
	return driverTime.Unix(seconds%year10000, 0).UTC()
}

// target returns the target of a request, a path and perhaps a query: "/" and then text, without the characters that no
// client sends there. It reads nothing.
func (*driverInput) target(text string) string {
	target := []byte{'/'}
	for i := 0; i < len(text); i++ {
		if c := text[i]; c > ' ' && c < 0x7f && c != '%' {
			target = append(target, c)
		}
	}
	return string(target)
}

// float returns a multiple of 1/8 for small numbers of int, else the float64 that has their bits.
func (in *driverInput) float() float64 {
	n := in.int()
	if n == int64(int8(n)) {
		return float64(n) / 8
	}
	return driverMath.Float64frombits(uint64(n))
}

// bytes returns the bytes before the next zero byte, which it skips, or all that are left if there is none.
func (in *driverInput) bytes() []byte {
	for i, b := range in.rest {
		if b == 0 {
			text := in.rest[:i:i]
			in.rest = in.rest[i+1:]
			return text
		}
	}
	text := in.rest
	in.rest = nil
	return text
}

func (in *driverInput) string() string { return string(in.bytes()) }

// joined returns v if before is nil. Otherwise before is a struct, and it returns one with the fields of both, or
// before if v is no struct. again is true for one in four structs v without a before: the caller then passes v as
// before, with another value as v.
func (in *driverInput) joined(before, v interface{}) (value interface{}, again bool) {
	isStruct := v != nil && driverReflect.TypeOf(v).Kind() == driverReflect.Struct
	if before == nil {
		return v, isStruct && in.more()&3 == 3
	}
	if !isStruct {
		return before, false
	}
	var fields []driverReflect.StructField
	var values []driverReflect.Value
	taken := map[string]bool{}
	for _, one := range []interface{}{before, v} {
		for i, s := 0, driverReflect.ValueOf(one); i < s.NumField(); i++ {
			f := s.Type().Field(i)
			if f.PkgPath != "" || f.Anonymous { // reflect.StructOf does not make such fields
				continue
			}
			for taken[f.Name] {
				f.Name += "2"
			}
			taken[f.Name] = true
			fields = append(fields, driverReflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
			values = append(values, s.Field(i))
		}
	}
	s := driverReflect.New(driverReflect.StructOf(fields)).Elem()
	for i, field := range values {
		s.Field(i).Set(field)
	}
	return s.Interface(), false
}
