// Package gotool drives the go command: finding modules, listing packages,
// building test binaries with an overlay, and saying what went wrong in words
// a user can act on.
package gotool
