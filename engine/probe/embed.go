package probe

import (
	"embed"
	"path"
	"reflect"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

//go:embed *.go
var files embed.FS

// Sources returns the files of the run-time for the weaver to place in the
// program under test, where the run-time's import path is to be importPath: by
// name, slash-separated and relative to the folder of that package. Package
// wire, which the run-time imports, lies below it as WireFolder. LayoutFile is
// among the files and has to be replaced. This file and the tests are not.
func Sources(importPath string) map[string]string {
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
		sources[name] = strings.ReplaceAll(string(text), here, strconv.Quote(path.Join(importPath, WireFolder)))
	}
	for name, text := range wire.Sources() {
		sources[path.Join(WireFolder, name)] = text
	}
	return sources
}

// WireFolder is where package wire lies in the program under test, below the
// run-time: a folder's name, and the last element of its import path.
const WireFolder = "wire"

// here is how the run-time imports package wire in this repository.
var here = strconv.Quote(reflect.TypeOf(wire.Job{}).PkgPath())

// LayoutFile is the name of the source file that holds the sizes of the
// arrays.
const LayoutFile = "layout.go"
