//go:build !unix

package regular

// doNotWait is 0: opening a file never waits on this system.
const doNotWait = 0
