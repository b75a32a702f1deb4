package worker

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// mapFile maps the first size bytes of f, shared with whoever maps or writes
// them too.
func mapFile(f *os.File, size int) (data []byte, unmap func() error, err error) {
	h, err := windows.CreateFileMapping(windows.Handle(f.Fd()), nil, windows.PAGE_READWRITE, 0, uint32(size), nil)
	if err != nil {
		return nil, nil, os.NewSyscallError("CreateFileMapping", err)
	}
	addr, err := windows.MapViewOfFile(h, windows.FILE_MAP_READ|windows.FILE_MAP_WRITE, 0, 0, uintptr(size))
	_ = windows.CloseHandle(h) // the view keeps the mapping
	if err != nil {
		return nil, nil, os.NewSyscallError("MapViewOfFile", err)
	}
	// The address is not Go's; through a pointer to it vet need not guess.
	data = unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), size)
	return data, func() error { return windows.UnmapViewOfFile(addr) }, nil
}
