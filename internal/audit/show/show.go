//go:build go1.21

// Package show prints what calls return and what they do to their arguments. Its source is copied into the test
// package under audit, with the package clause of that package, to be called from there.
package show

//lint:file-ignore U1000 its functions are called from where it is copied to

import (
	mfFmt "fmt"
	mfOS "os"
	mfReflect "reflect"
	mfSort "sort"
	mfStrings "strings"
)

// mfMark begins every line that is printed.
const mfMark = "mutantfuzz-audit:"

// mfAfter holds the receiver and the arguments of the current call, to be shown when it has returned. Targets
// that call concurrently are not supported.
var mfAfter []any

func mfArg[T any](v T) T {
	mfAfter = append(mfAfter, v)
	return v
}

func mfCall1[A any](a A) A {
	mfDone(a)
	return a
}

func mfCall2[A, B any](a A, b B) (A, B) {
	mfDone(a, b)
	return a, b
}

func mfCall3[A, B, C any](a A, b B, c C) (A, B, C) {
	mfDone(a, b, c)
	return a, b, c
}

func mfCall4[A, B, C, D any](a A, b B, c C, d D) (A, B, C, D) {
	mfDone(a, b, c, d)
	return a, b, c, d
}

// mfDone prints the results of a call, and then its receiver and arguments as the call left them.
func mfDone(results ...any) {
	var b mfStrings.Builder
	for _, v := range append(results, mfAfter...) {
		b.WriteByte(' ')
		mfWrite(&b, mfReflect.ValueOf(v), 12)
		if err, ok := v.(error); ok {
			mfFmt.Fprintf(&b, " %q", mfMessage(err))
		}
	}
	mfAfter = nil
	mfFmt.Fprintf(mfOS.Stdout, "\n%s%+q\n", mfMark, b.String())
}

// mfMessage returns the text of an error, or "(no text)" if Error panics, as it may on a nil pointer.
func mfMessage(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = "(no text)"
		}
	}()
	return err.Error()
}

// mfWrite writes v with everything it points to, up to depth levels deep. It writes unexported fields, but no
// addresses.
func mfWrite(b *mfStrings.Builder, v mfReflect.Value, depth int) {
	if !v.IsValid() {
		b.WriteString("nil")
		return
	}
	b.WriteString(v.Type().String())
	switch v.Kind() {
	case mfReflect.Pointer, mfReflect.Interface:
		mfList(b, min(depth, 1), func(int) { mfWrite(b, v.Elem(), depth-1) })
	case mfReflect.Slice, mfReflect.Array:
		mfList(b, min(v.Len(), depth*v.Len()), func(i int) { mfWrite(b, v.Index(i), depth-1) })
	case mfReflect.Struct:
		mfList(b, min(v.NumField(), depth*v.NumField()), func(i int) { mfWrite(b, v.Field(i), depth-1) })
	case mfReflect.Map:
		items := mfItems(v, depth)
		mfList(b, len(items), func(i int) { b.WriteString(items[i]) })
	case mfReflect.Func, mfReflect.Chan, mfReflect.UnsafePointer:
		mfFmt.Fprintf(b, "(nil: %t)", v.IsNil())
	case mfReflect.String:
		mfFmt.Fprintf(b, "(%q)", v.String())
	default:
		mfFmt.Fprintf(b, "(%v)", v) // fmt looks into unexported fields too
	}
	if v.Kind() == mfReflect.Slice && v.IsNil() {
		b.WriteString("nil")
	}
}

// mfItems returns the items of a map, sorted by their text.
func mfItems(m mfReflect.Value, depth int) []string {
	var items []string
	for _, key := range m.MapKeys() {
		if depth > 0 {
			var b mfStrings.Builder
			mfWrite(&b, key, depth-1)
			b.WriteByte(':')
			mfWrite(&b, m.MapIndex(key), depth-1)
			items = append(items, b.String())
		}
	}
	mfSort.Strings(items)
	return items
}

func mfList(b *mfStrings.Builder, n int, item func(int)) {
	b.WriteByte('{')
	for i := 0; i < n; i++ {
		item(i)
		b.WriteByte(',')
	}
	b.WriteByte('}')
}
