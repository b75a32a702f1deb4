//go:build go1.21 && !linux

package runtime

import "os"

// environment returns what the coordinator set, by name.
func environment() func(name string) string { return os.Getenv }
