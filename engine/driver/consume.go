package driver

import (
	"fmt"
	"go/types"
	"go/version"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// usedUp returns a statement that collects an iterator, reads a reader to its end, or has a handler serve a request.
// Until then such a value has done nothing. It is empty for other types.
func (m *maker) usedUp(value string, typ types.Type) string {
	switch {
	case m.ranges() && isIterator(typ):
		from := []string{"slices", "maps"}[len(yieldedBy(typ.Underlying().(*types.Signature)))-1]
		return fmt.Sprintf("%s.Collect(%s)\n", m.Std(from), value)
	case m.writer.isReader(typ):
		return fmt.Sprintf("%s.ReadAll(%s)\n", m.Std("io"), value)
	}
	return m.served(value, typ)
}

// buffer returns a buffer to write to. A constructor, or a method called before the driven one, may keep it for later
// calls to write to. The driver then reads it after the call.
func (m *maker) buffer() string {
	switch {
	case m.kept != "":
		return m.kept
	case !m.constructing:
		return m.newBuffer()
	}
	return m.keep(m.newBuffer())
}

func (m *maker) newBuffer() string { return "new(" + m.Std("bytes") + ".Buffer)" }

// keep declares a variable for a buffer or string builder that the driver reads after all other calls. In loops it
// returns the buffer as it is.
func (m *maker) keep(buffer string) string {
	if m.loops > 0 {
		return buffer
	}
	v := m.variable("buf", buffer)
	m.asks = append(m.asks, v+".String()")
	return v
}

// takesWriter reports whether a function has a parameter of type io.Writer.
func takesWriter(fn *types.Func) bool {
	for p := range fn.Signature().Params().Variables() {
		if path, name, pointer := testfile.Qualified(p.Type()); path == "io" && name == "Writer" && !pointer {
			return true
		}
	}
	return false
}

// written writes the calls that read what was written to the arguments.
func (m *maker) written(b *strings.Builder) {
	for _, ask := range m.asks {
		b.WriteString(ask + "\n")
	}
}

// ranges reports whether the Go version of the package allows range over functions.
func (m *maker) ranges() bool {
	v := m.Pkg.GoVersion()
	return v == "" || version.Compare(v, "go1.23") >= 0
}

// isIterator reports whether a type is that of an iterator whose values can be collected: one of package iter, or an
// unnamed function type of that form.
func isIterator(typ types.Type) bool {
	sig, ok := typ.Underlying().(*types.Signature)
	if !ok {
		return false
	}
	if path, _, pointer := testfile.Qualified(typ); pointer || path != "" && path != "iter" {
		return false
	}
	yielded := yieldedBy(sig)
	return len(yielded) == 1 || len(yielded) == 2 && types.Comparable(yielded[0])
}

// isReader reports whether a type is an io.Reader that can be read to its end: an interface of package io, or a type
// of the package. It is false if a candidate for an implementation has a dangerous Read method.
func (w *writer) isReader(typ types.Type) bool {
	if path, _, _ := testfile.Qualified(typ); path != "io" && path != w.pkg.PkgPath || w.readOf(typ) == nil {
		return false
	}
	for _, obj := range w.implementing(typ) {
		if read := w.readOf(types.NewPointer(obj.Type())); read != nil && w.danger.Reason(read) != "" {
			return false
		}
	}
	return true
}

// readOf returns the method by which a type is an io.Reader; nil: it is none.
func (w *writer) readOf(typ types.Type) *types.Func {
	obj, _, _ := types.LookupFieldOrMethod(typ, false, w.pkg.Types, "Read")
	read, ok := obj.(*types.Func)
	if !ok || read.Signature().Params().Len() != 1 || !types.Identical(read.Signature().Params().At(0).Type(), testfile.BytesType) || read.Signature().Results().Len() != 2 {
		return nil
	}
	return read
}

// makersOf returns public functions that return a reader and name the type whose Read method fn is: reading from their
// result may call fn. It is empty if fn is no such method.
func (w *writer) makersOf(fn *types.Func) (list []*types.Func) {
	named := testfile.ReceiverNamed(fn)
	if named == nil || w.readOf(types.NewPointer(named)) != fn {
		return nil
	}
	for _, d := range functionsIn(w.pkg) {
		maker, ok := w.pkg.TypesInfo.Defs[d.Name].(*types.Func)
		if !ok || isTestFile(w.pkg, d) || !isPublic(maker) {
			continue
		}
		if results := maker.Signature().Results(); results.Len() > 0 && results.Len() <= 2 && w.isReader(results.At(0).Type()) && w.methods.Uses(d, named.Obj()) {
			list = append(list, maker)
		}
	}
	return list
}
