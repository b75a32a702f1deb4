package main

import (
	"slices"
	"strings"
	"testing"
)

func TestWhatDriversDoOutsideIsReadFromATrace(t *testing.T) {
	const log = `10 execve("/tmp/mutantfuzz-1/p.test", ["p.test", "-test.run=^TestParse$"], 0x1 /* 2 vars */) = 0
10 openat(AT_FDCWD, "/etc/passwd", O_RDWR) = -1 EACCES (Permission denied)
20 execve("/tmp/mutantfuzz-1/p.test", ["p.test", "-test.run=^TestMutantfuzzDriver_Parse$"], 0x1 /* 2 vars */ <unfinished ...>
10 kill(20, SIGTERM) = 0
20 <... execve resumed>) = 0
20 clone(child_stack=0x1, flags=CLONE_VM|CLONE_THREAD) = 21
21 openat(AT_FDCWD, "/etc/hosts", O_RDONLY|O_CLOEXEC) = 3
21 openat(AT_FDCWD, "/tmp/mutantfuzz-1/x", O_RDWR|O_CREAT, 0600) = 3
21 openat(AT_FDCWD, "x", O_WRONLY) = 3
21 openat(AT_FDCWD, "../x", O_WRONLY) = 3
21 unlinkat(AT_FDCWD, "/tmp/mutantfuzz-1/../y", 0) = -1 EACCES (Permission denied)
20 renameat(AT_FDCWD, "/tmp/mutantfuzz-1/x", AT_FDCWD, "/home/x") = 0
20 symlinkat("../y", AT_FDCWD, "testdata/links/x") = 0
20 symlink("../../../y", "testdata/links/x") = 0
20 socket(AF_INET, SOCK_STREAM, IPPROTO_IP) = 4
20 execve("/bin/sh", ["sh"], 0x1 /* 2 vars */) = 0
`
	traced := newTraced("/tmp")
	if err := traced.read(strings.NewReader(log)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, line := range traced.outside {
		got = append(got, strings.Fields(line)[0]+" "+line[3:strings.Index(line, "(")])
	}
	want := []string{"21 openat", "21 unlinkat", "20 renameat", "20 symlink", "20 socket", "20 execve"}
	if !slices.Equal(got, want) || traced.processes != 1 || traced.calls != 10 {
		t.Errorf("got %q, want %q; %d processes, %d calls", got, want, traced.processes, traced.calls)
	}
}
