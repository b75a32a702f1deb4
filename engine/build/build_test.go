package build

import "testing"

func TestTestsOfAPackageCanBeTakenBack(t *testing.T) {
	b := &Binaries{registered: map[string][]string{"p": {"TestX"}, "q": {"TestY"}}}
	b.Unregister("p")
	if len(b.Registered("p")) != 0 || len(b.Registered("q")) != 1 {
		t.Errorf("registered: %q, %q", b.Registered("p"), b.Registered("q"))
	}
}
