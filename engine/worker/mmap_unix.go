//go:build unix

package worker

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps the first size bytes of f, shared with whoever maps them too.
func mapFile(f *os.File, size int) (data []byte, unmap func() error, err error) {
	data, err = unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	return data, func() error { return unix.Munmap(data) }, nil
}
