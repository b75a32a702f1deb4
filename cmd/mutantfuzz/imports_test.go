package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The run-time that is woven into test binaries takes over the process that it
// is part of. Ours has its sources only.
func TestMutantfuzzDoesNotLinkTheRunTime(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	const probe = "github.com/mutantfuzz/mutantfuzz/engine/probe"
	linked := strings.Fields(string(out))
	if !slices.Contains(linked, probe) {
		t.Errorf("%s, which has the sources, is not linked: %q", probe, linked)
	}
	if slices.Contains(linked, probe+"/runtime") {
		t.Errorf("%s/runtime is linked", probe)
	}
}
