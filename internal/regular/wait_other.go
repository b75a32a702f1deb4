//go:build !unix

package regular

// doNotWait is nothing where no file makes opening it wait.
const doNotWait = 0
