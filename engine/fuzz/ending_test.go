package fuzz

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

func TestAProcessStoppedInTheCallThatIsOnItsStacks(t *testing.T) {
	site := func(line int, callee string) weave.Site {
		return weave.Site{Target: "m.Driver_Get", File: "d_test.go", Line: line, Callee: callee}
	}
	f := &Fuzzer{Runner: &pool.Runner{Binaries: &build.Binaries{Woven: &weave.Woven{Sites: []weave.Site{site(10, "New"), site(20, "v.Get"), site(21, "v.Set"), site(21, "w.Set"), site(30, "v.Get")}}}}}
	target := &Target{Target: &weave.Target{Name: "m.Driver_Get"}}
	target.made.Calls = "Get"
	for stacks, want := range map[string]int{
		"": 4,
		"goroutine 1 [running]:\nm.(*T).Set(...)\n\t/tmp/x/t.go:5 +0x1\nm.Driver_Get.func1()\n\t/tmp/x/d_test.go:20 +0x2\n": 1,
		"goroutine 1 [running]:\nm.Driver_Get.func1()\n\t/tmp/x/d_test.go:21 +0x2\n":                                        -1,
		"goroutine 1 [running]:\nmain.main()\n\t/tmp/x/t.go:20 +0x2\n":                                                      -1,
	} {
		if got := f.stoppedAt(target, worker.Exit{Output: []byte(stacks)}); got != want {
			t.Errorf("%q: site %d, want %d", stacks, got, want)
		}
	}
}
