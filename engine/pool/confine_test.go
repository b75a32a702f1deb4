package pool

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

func TestPackagesThatAskForNetworkInterfacesAreSeen(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"dial.go": `package p; import "net"; func dial() { _, _ = net.Dial("tcp", "example.com:80") }`,
		"node.go": `package p; import "net"; var interfaces = net.Interfaces`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]bool{"dial.go": false, "node.go": true, "missing.go": false} {
		packages := map[string]*gotool.Package{"p": {Dir: dir, GoFiles: []string{name}}}
		if got := looksAtInterfaces(packages); got != want {
			t.Errorf("%s: %t, want %t", name, got, want)
		}
	}
}
