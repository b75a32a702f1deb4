//go:build go1.21 && !linux

package process

import "os"

// Environment returns a function that looks up the variables which the coordinator sets.
func Environment() func(name string) string { return os.Getenv }
