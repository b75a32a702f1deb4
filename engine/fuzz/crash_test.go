package fuzz

import "testing"

func TestStacksNameTheUsersFilesOnly(t *testing.T) {
	got := cleanStack("m.f\n\t/r/f.go:3\nm.mfza0\n\t/r/f_test.go:59\n", "/r")
	if want := "m.f\n\tf.go:3\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
