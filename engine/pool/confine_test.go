package pool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/worker"
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

func TestAFewOfManyTestsShowWhatTheyNeed(t *testing.T) {
	all := []string{"TestA", "TestB", "TestC", "TestD", "TestE"}
	for _, tt := range []struct {
		fact        string
		tests       []string
		fail        []string
		want, asked string
	}{
		{"the first few", all, nil, "TestA TestB TestC", "TestA TestB TestC"},
		{"those of them that pass", all, []string{"TestB/sub"}, "TestA TestC", "TestA TestB TestC"},
		{"else the others", all, []string{"TestA", "TestB", "TestC", "TestE"}, "TestD", "TestA TestB TestC|TestD TestE"},
		{"none", all, all, "", "TestA TestB TestC|TestD TestE"},
		{"fuzz targets before others", append(all[:4:4], "FuzzE"), nil, "FuzzE TestA TestB", "FuzzE TestA TestB"},
		{"of few all", all[:2], all[:2], "", "TestA TestB"},
	} {
		var asked []string
		passed, err := passing(tt.tests, func(tests []string) (Run, error) {
			asked = append(asked, strings.Join(tests, " "))
			return Run{Outcome: worker.Outcome{Failed: tt.fail}}, nil
		})
		if got := strings.Join(passed, " "); err != nil || got != tt.want || strings.Join(asked, "|") != tt.asked {
			t.Errorf("%s: %q pass, asked for %q, %v", tt.fact, got, asked, err)
		}
	}
}
