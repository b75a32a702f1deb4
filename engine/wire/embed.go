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
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("wire: the embedded sources cannot be listed: " + err.Error())
	}
	for _, e := range entries {
		name := e.Name()
		if name == "embed.go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := files.ReadFile(name)
		if err != nil {
			panic("wire: the embedded source " + name + " cannot be read: " + err.Error())
		}
		sources[name] = string(text)
	}
	return sources
}
