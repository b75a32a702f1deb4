package wire

import (
	"embed"
	"strings"
)

//go:embed *.go
var files embed.FS

// Sources returns the files of this package by name. The weaver places them in the program under test. This file and
// the tests are left out.
func Sources() map[string]string {
	sources := make(map[string]string)
	entries, _ := files.ReadDir(".") // cannot fail: the files are embedded
	for _, e := range entries {
		if name := e.Name(); name != "embed.go" && !strings.HasSuffix(name, "_test.go") {
			text, _ := files.ReadFile(name)
			sources[name] = string(text)
		}
	}
	return sources
}
