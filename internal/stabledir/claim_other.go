//go:build !unix || solaris || aix

package stabledir

// claim returns nil, because there is no lock that ends with its process.
func claim(string) (release func()) { return nil }
