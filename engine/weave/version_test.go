package weave

import "testing"

func TestTheBuildConstraintOfAFile(t *testing.T) {
	for _, tt := range []struct{ name, src, want string }{
		{"f.go", "// Text.\n\n// +build linux\n\n// Package p is one.\npackage p\n", "linux"},
		{"f.go", "// +build linux darwin\n// +build amd64\n\npackage p\n", "(linux || darwin) && amd64"},
		{"f.go", "//go:build !windows\n// +build !windows\n\npackage p\n", "!windows"},
		{"f.go", "package p\n\n//go:build linux\n", ""},
		{"dir_linux/f.go", "package p\n", ""},
		{"dir/f_linux.go", "package p\n", "linux"},
		{"f_windows_amd64.go", "//go:build cgo\n\npackage p\n", "cgo && windows && amd64"},
		{"linux.go", "package p\n", ""},
		{"f_words.go", "package p\n", ""},
	} {
		if got := Constraint(tt.name, []byte(tt.src)); got != tt.want {
			t.Errorf("%s, %q: %s, want %s", tt.name, tt.src, got, tt.want)
		}
	}
}
