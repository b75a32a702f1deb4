//go:build go1.21 && !linux

package probe

import "os"

// environment returns what the coordinator set, by name.
func environment() func(name string) string { return os.Getenv }
