// Package probe holds the sources of the run-time, which is what is woven into test
// binaries: the packages in the folders of this one, and package wire, by which they
// talk with the coordinator. It holds them as text, because the run-time takes over any
// process that it is linked into.
package probe

import (
	"embed"
	"io/fs"
	"path"
	"reflect"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

//go:embed */*.go
var files embed.FS

// Names in what Sources returns.
const (
	// State is the folder of the package that woven files of the program import.
	State = "state"
	// Harness is the folder of the package that woven test files import.
	Harness = "harness"
	// LayoutFile is the file with the sizes of the run-time's arrays, which is to be replaced.
	LayoutFile = State + "/layout.go"

	wireFolder = "wire"
)

// Sources returns the files of the run-time for the weaver to place in the program under
// test, where root is to be the import path of its folder: by name, slash-separated and
// relative to that folder. Each package is in a folder of its own, and none in the root.
// Tests are not among the files.
func Sources(root string) map[string]string {
	wirePath := reflect.TypeOf(wire.Job{}).PkgPath()
	here := strings.NewReplacer(
		`"`+wirePath+`"`, `"`+path.Join(root, wireFolder)+`"`,
		`"`+path.Join(path.Dir(wirePath), "probe")+`/`, `"`+root+`/`,
	)
	sources := make(map[string]string)
	names, err := fs.Glob(files, "*/*.go")
	if err != nil {
		panic("probe: the embedded sources cannot be listed: " + err.Error())
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := files.ReadFile(name)
		if err != nil {
			panic("probe: the embedded source " + name + " cannot be read: " + err.Error())
		}
		sources[name] = here.Replace(string(text))
	}
	for name, text := range wire.Sources() {
		sources[path.Join(wireFolder, name)] = text
	}
	return sources
}
