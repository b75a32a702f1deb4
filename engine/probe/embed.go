package probe

import (
	"embed"
	"strings"
)

//go:embed *.go
var files embed.FS

// Sources returns the files of the run-time by name, for the weaver to place
// in the program under test. LayoutFile is among them and has to be replaced.
// This file and the tests are not.
func Sources() map[string]string {
	sources := make(map[string]string)
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("probe: the embedded sources cannot be listed: " + err.Error())
	}
	for _, e := range entries {
		name := e.Name()
		if name == "embed.go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := files.ReadFile(name)
		if err != nil {
			panic("probe: the embedded source " + name + " cannot be read: " + err.Error())
		}
		sources[name] = string(text)
	}
	return sources
}

// LayoutFile is the name of the source file that holds the sizes of the
// arrays.
const LayoutFile = "layout.go"
