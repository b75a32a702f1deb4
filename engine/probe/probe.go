// Package probe holds the sources of what is woven into test binaries: the
// run-time in the folder runtime, and package wire, by which it talks with the
// coordinator. It holds them as text, because the run-time takes over any process
// that it is linked into.
package probe

import (
	"embed"
	"path"
	"reflect"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

//go:embed runtime/*.go
var files embed.FS

// WireFolder is the folder of package wire in the program under test, below that
// of the run-time, and the last element of its import path.
const WireFolder = "wire"

// LayoutFile is the name of the run-time's source file that holds the sizes of
// its arrays.
const LayoutFile = "layout.go"

// Sources returns the files of the run-time for the weaver to place in the
// program under test, where the run-time's import path is to be importPath: by
// name, slash-separated and relative to the folder of that package. Package
// wire is in WireFolder below it. LayoutFile is among the files and has to be
// replaced; tests are not.
func Sources(importPath string) map[string]string {
	const folder = "runtime"
	here := strconv.Quote(reflect.TypeOf(wire.Job{}).PkgPath())
	there := strconv.Quote(path.Join(importPath, WireFolder))
	sources := make(map[string]string)
	entries, err := files.ReadDir(folder)
	if err != nil {
		panic("probe: the embedded sources cannot be listed: " + err.Error())
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		text, err := files.ReadFile(path.Join(folder, e.Name()))
		if err != nil {
			panic("probe: the embedded source " + e.Name() + " cannot be read: " + err.Error())
		}
		sources[e.Name()] = strings.ReplaceAll(string(text), here, there)
	}
	for name, text := range wire.Sources() {
		sources[path.Join(WireFolder, name)] = text
	}
	return sources
}
