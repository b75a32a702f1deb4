//go:build go1.21 && !linux

package process

import "os"

// Environment returns what the coordinator set, by name.
func Environment() func(name string) string { return os.Getenv }
