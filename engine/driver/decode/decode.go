// Package decode makes values out of bytes. Generated drivers have its text in them, so it uses
// the standard library only, and nothing of the language that old modules do not have.
package decode

import ( // under names that the package with the drivers has not given to anything
	driverMath "math"
	driverReflect "reflect"
	driverTime "time"
)

// driverInput makes values out of bytes, one after the other. Where there are no bytes left
// it gives zero values, so that any bytes will do.
type driverInput struct{ rest []byte }

// more returns the next byte.
func (in *driverInput) more() byte {
	if len(in.rest) == 0 {
		return 0
	}
	b := in.rest[0]
	in.rest = in.rest[1:]
	return b
}

// upTo returns a number from 0 to most: the length of a list, or which of several ways to go.
func (in *driverInput) upTo(most int) int { return int(in.more()) % (most + 1) }

// rarely is true for one in sixteen bytes, and never at the end.
func (in *driverInput) rarely() bool { return in.more()&0xf == 0xf }

func (in *driverInput) bool() bool { return in.more()&1 == 1 }

// int returns a number: most bytes are a small one, the others introduce one of eight bytes.
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

// within returns n, or if that is below least or above most, another number that is not. It reads nothing.
func (*driverInput) within(n, least, most int64) int64 {
	if n >= least && n <= most {
		return n
	}
	return least + int64(uint64(n)%uint64(most-least+1))
}

// instant returns a time in UTC that is so many seconds after the beginning of 1970, or of a year before 10000; the zero value for none, which
// nobody has to read. It reads nothing.
func (*driverInput) instant(seconds int64) driverTime.Time {
	const year10000 = 253402300800
	if seconds == 0 {
		return driverTime.Time{}
	}
	return driverTime.Unix(seconds%year10000, 0).UTC()
}

// target returns what a request is for, a path and perhaps a query: text without what no client sends there.
func (*driverInput) target(text string) string {
	target := []byte{'/'}
	for i := 0; i < len(text); i++ {
		if c := text[i]; c > ' ' && c < 0x7f && c != '%' {
			target = append(target, c)
		}
	}
	return string(target)
}

// float returns a number with a fraction of eighths, or any.
func (in *driverInput) float() float64 {
	n := in.int()
	if n == int64(int8(n)) {
		return float64(n) / 8
	}
	return driverMath.Float64frombits(uint64(n))
}

// bytes returns what there is up to the next zero.
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

// joined returns v, or where before is a struct one with the fields of both. It says to choose another value for v first if that is a
// struct, in one of four cases.
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
			if f.PkgPath != "" || f.Anonymous { // fields of types that are made here cannot be so
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
