//go:build linux && !amd64 && !arm64

package sandbox

const architecture = 0

// ownerCalls are the system calls that change the owners of files.
var ownerCalls []uint32
