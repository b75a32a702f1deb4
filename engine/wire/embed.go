package wire

import (
	"embed"
	"strings"
)

//go:embed *.go
var files embed.FS

// Sources returns the files of this package by name, for the weaver to place
// in the program under test. This file and the tests are not among them.
func Sources() map[string]string {
	sources := make(map[string]string)
	entries, _ := files.ReadDir(".") // of what is embedded nothing can be missing
	for _, e := range entries {
		if name := e.Name(); name != "embed.go" && !strings.HasSuffix(name, "_test.go") {
			text, _ := files.ReadFile(name)
			sources[name] = string(text)
		}
	}
	return sources
}
