package wire

import "testing"

const waitingForTest = `
goroutine 1 [chan receive]:
testing.(*T).Run(0xc000003500, {0x5a1b2c?, 0x0?}, 0x5b0d90)
	/usr/local/go/src/testing/testing.go:1859 +0x431
main.main()
	_testmain.go:46 +0x9b
`

const idleRuntime = `
goroutine 0 gp=0x6ed4a0 m=0 mp=0x6ee4a0 [idle]:
internal/runtime/syscall/linux.Syscall6()
	/usr/local/go/src/internal/runtime/syscall/linux/asm_linux_amd64.s:36 +0xe
runtime.netpoll(0x5a6)
	/usr/local/go/src/runtime/netpoll_epoll.go:116 +0xd2

goroutine 2 gp=0xc000002c40 m=nil [force gc (idle)]:
runtime.gopark(0x0?)
	/usr/local/go/src/runtime/proc.go:462 +0xce
runtime.forcegchelper()
	/usr/local/go/src/runtime/proc.go:375 +0xb3
created by runtime.init.7 in goroutine 1
	/usr/local/go/src/runtime/proc.go:363 +0x1a
`

func TestStacksProveDeadlocksButNotSleeps(t *testing.T) {
	goroutine := func(state, frame string) string {
		return "\ngoroutine 7 gp=0xc000002c40 m=nil [" + state + "]:\nruntime.gopark(0x0?)\n\t/usr/local/go/src/runtime/proc.go:462 +0xce\n" +
			frame + "(0xc000012345)\n\t/home/me/m/m.go:7 +0x1d\n"
	}
	tests := []struct {
		name   string
		stacks string
		want   bool
	}{
		{"a lock", waitingForTest + goroutine("sync.Mutex.Lock, 2 minutes", "example.com/m.f"), true},
		{"a lock beside the runtime", idleRuntime + waitingForTest + goroutine("sync.RWMutex.RLock", "example.com/m.f"), true},
		{"a send", waitingForTest + goroutine("chan send", "example.com/m.f"), true},
		{"no channel", waitingForTest + goroutine("chan receive (nil chan)", "example.com/m.f"), true},
		{"a channel that a timer may send to", waitingForTest + goroutine("chan receive", "example.com/m.f"), false},
		{"one that sleeps beside a lock", waitingForTest + goroutine("sync.Mutex.Lock", "example.com/m.f") + goroutine("sleep", "time.Sleep"), false},
		{"one that reads beside a lock", waitingForTest + goroutine("sync.Mutex.Lock", "example.com/m.f") + goroutine("IO wait", "net.(*netFD).Read"), false},
		{"one that works", waitingForTest + goroutine("running", "example.com/m.f"), false},
		{"nothing but package testing", waitingForTest, false},
		{"no stacks", "SIGQUIT: quit\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := ProvesDeadlock([]byte("SIGQUIT: quit\nPC=0x48dfa1 m=0 sigcode=0\n" + tt.stacks)); got != tt.want {
				t.Errorf("ProvesDeadlock = %t", got)
			}
		})
	}
}
