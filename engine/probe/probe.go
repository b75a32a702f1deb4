// Package probe holds the sources of the run-time that is woven into test binaries: the packages in its subfolders,
// and package wire, which defines how the run-time talks to the coordinator. The subfolders are embedded as text
// and not imported, because the run-time takes over every process that it is linked into.
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

// Names in the result of Sources.
const (
	// State is the folder of the package that woven files of the program import.
	State = "state"
	// Harness is the folder of the package that woven test files import.
	Harness = "harness"
	// LayoutFile is the file with the sizes of the run-time's arrays. The weaver replaces it.
	LayoutFile = State + "/layout.go"

	wireFolder = "wire"
)

// Sources returns the source files of the run-time, for the weaver to place in the program under test. Root is the
// import path of the folder that they will be in. Keys are file names, slash-separated and relative to that folder.
// Each package has a subfolder of its own; no file is directly in the folder. Test files are left out.
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
