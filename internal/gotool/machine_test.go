package gotool

import (
	"errors"
	"syscall"
	"testing"
)

func TestLackIsWhatTheMachineLacksAndNoFaultOfTheProgram(t *testing.T) {
	for output, want := range map[string]error{
		"# m/p.test\n/usr/local/go/pkg/tool/linux_amd64/link: mapping output file failed: no space left on device": syscall.ENOSPC,
		"write $WORK/b001/_pkg_.a: There is not enough space on the disk.\r\n":                                     syscall.ENOSPC,
		"mkdir /tmp/go-build1: disk quota exceeded":                                                                syscall.EDQUOT,
		"go build m/p: /usr/local/go/pkg/tool/linux_amd64/compile: signal: killed\n# m/q":                          syscall.ENOMEM,
		"go: fork/exec /usr/local/go/pkg/tool/linux_amd64/compile: cannot allocate memory":                         syscall.ENOMEM,
		"open p.go: too many open files":                                                                           syscall.EMFILE,
		`p.go:3:9: cannot use "no space left on device" (untyped string constant)`:                                 nil,
		"p.go:3:9: undefined: killed":                                                                              nil,
		"":                                                                                                         nil,
	} {
		if got := Lack(output); !errors.Is(got, want) {
			t.Errorf("%q: %v, want %v", output, got, want)
		}
		if got := IsLack(&CommandError{Err: want}); got != (want != nil) {
			t.Errorf("%v is a lack: %t", want, got)
		}
	}
}
