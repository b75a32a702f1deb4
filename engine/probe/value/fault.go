//go:build go1.21

package value

import "runtime/debug"

// readable calls read, which reads values of the program, and reports whether their memory could be read. A mapped
// file, for instance, may end before its mapping does.
func readable(read func()) (ok bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			if _, fault := cause.(interface{ Addr() uintptr }); !fault {
				panic(cause)
			}
		}
	}()
	read()
	return true
}
