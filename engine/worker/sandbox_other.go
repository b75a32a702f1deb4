//go:build !linux

package worker

// NewSandbox returns a sandbox in which nothing is in force: only Linux has
// what it takes.
func NewSandbox(Rules) (*Sandbox, error) { return &Sandbox{}, nil }
