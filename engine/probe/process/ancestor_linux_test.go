package process

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

func TestSettingsAreHandedDownWithoutTheJob(t *testing.T) {
	env := "PATH=/bin\x00" + wire.EnvState + "=/state\x00" + wire.EnvMutant + "=7\x00" + wire.EnvAllocated + "=9\x00" + wire.EnvJob + "=/job\x00" + wire.EnvEvents + "=3\x00X" + wire.EnvSteps + "=1\x00"
	want := map[string]string{wire.EnvState: "/state", wire.EnvMutant: "7", wire.EnvAllocated: "9"}
	if diff := cmp.Diff(want, settings([]byte(env))); diff != "" {
		t.Error(diff)
	}
	if got := settings([]byte("PATH=/bin\x00")); len(got) > 0 {
		t.Errorf("of another program: %v", got)
	}
}

func TestParentOfAProcessIsFound(t *testing.T) {
	if got := parentOf(os.Getpid()); got != os.Getppid() {
		t.Errorf("%d, want %d", got, os.Getppid())
	}
	if got := parentOf(1 << 30); got != 0 {
		t.Errorf("of no process: %d", got)
	}
}
