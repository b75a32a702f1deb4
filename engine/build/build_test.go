package build

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTestsOfAPackageCanBeTakenBack(t *testing.T) {
	b := &Binaries{registered: map[string][]string{"p": {"TestX"}, "q": {"TestY"}}}
	b.Unregister("p")
	if len(b.Registered("p")) != 0 || len(b.Registered("q")) != 1 {
		t.Errorf("registered: %q, %q", b.Registered("p"), b.Registered("q"))
	}
}

func TestOnlyTestBinariesOfFurtherPackagesAreDropped(t *testing.T) {
	file := func(name string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	own, other := file("own.test"), file("other.test")
	b := &Binaries{woven: map[string]string{"m/own": own, "m/other": other}, added: map[string]bool{"m/other": true}}
	b.Drop([]string{"m/own", "m/other", "m/unknown"})
	if _, err := os.Stat(own); err != nil || b.Of("m/own") != own {
		t.Errorf("the touched package's binary is gone: %v", err)
	}
	if _, err := os.Stat(other); err == nil || b.Of("m/other") != "" {
		t.Error("the other package's binary is still there")
	}
}
