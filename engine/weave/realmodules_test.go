package weave

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/internal/realcode"
	"github.com/mutantfuzz/mutantfuzz/internal/stabledir"
)

// realModule is a module whose packages are woven: a dependency of mutantfuzz, or any version of a module.
type realModule struct {
	path, version string // empty version: the one in go.mod
	patterns      []string
	vendored      bool     // dependencies come from a vendor folder alone
	beside        []string // "module@version" of modules that form a workspace with it
	env           []string // added to the environment of the process
}

// fewModules are the modules that are woven without the flag -fidelity.
var fewModules = []realModule{
	{path: "golang.org/x/mod", patterns: []string{"./semver", "./module"}},
	{path: "golang.org/x/sync", patterns: []string{"./errgroup", "./singleflight"}},
	{path: "github.com/bluekeyes/go-gitdiff", patterns: []string{"./gitdiff"}},
}

var manyModules = append(fewModules, []realModule{
	{path: "golang.org/x/text", version: "v0.31.0", patterns: all},
	// Embedded files in publicsuffix.
	{path: "golang.org/x/net", version: "v0.47.0", patterns: []string{
		"./html", "./idna", "./http2/...", "./dns/...", "./publicsuffix", "./webdav/...", "./trace", "./bpf",
	}},
	{path: "golang.org/x/tools", version: "v0.39.0", patterns: []string{
		"./go/ast/...", "./container/...", "./cover", "./txtar", "./go/cfg", "./internal/diff/...",
	}},
	{path: "golang.org/x/image", version: "v0.33.0", patterns: all},
	// Assembly, with the same functions in Go behind build constraints.
	{path: "golang.org/x/crypto", version: "v0.45.0", patterns: []string{
		"./ssh/...", "./cryptobyte/...", "./openpgp/...", "./bcrypt", "./blake2b", "./chacha20poly1305", "./nacl/...",
	}},
	{path: "golang.org/x/exp", version: "v0.0.0-20251113190631-e25ba8c21ef6", patterns: []string{
		"./slices", "./maps", "./apidiff", "./ebnf", "./rand", "./utf8string",
	}},
	{path: "golang.org/x/time", version: "v0.14.0", patterns: all},
	// Linknames, assembly, and build constraints on the system in most files.
	{path: "golang.org/x/sys", version: "v0.38.0", patterns: []string{"./unix", "./cpu", "./execabs"}},
	{path: "github.com/google/go-cmp", version: "v0.7.0", patterns: all},
	{path: "github.com/BurntSushi/toml", version: "v1.5.0", patterns: all},
	{path: "github.com/yuin/goldmark", version: "v1.7.13", patterns: all},
	{path: "github.com/pelletier/go-toml/v2", version: "v2.2.4", patterns: all},
	// A workspace of two modules, one of which uses the other.
	{
		path: "github.com/spf13/cobra", version: "v1.10.1", patterns: []string{"./...", "../pflag/..."},
		beside: []string{"github.com/spf13/pflag@v1.0.10"},
	},
	{path: "github.com/google/uuid", version: "v1.6.0", patterns: all},
	{path: "github.com/tidwall/gjson", version: "v1.18.0", patterns: all},
	{path: "github.com/Masterminds/semver/v3", version: "v3.4.0", patterns: all},
	{path: "github.com/dlclark/regexp2", version: "v1.11.5", patterns: all},
	{path: "github.com/gorilla/mux", version: "v1.8.1", patterns: all},
	// No go directive, and dot imports in tests.
	{path: "gopkg.in/yaml.v3", version: "v3.0.1", patterns: all},
	{path: "gopkg.in/yaml.v2", version: "v2.4.0", patterns: all}, // go 1.15
	// The next four have generic types and functions.
	{path: "github.com/google/btree", version: "v1.1.3", patterns: all},
	{path: "github.com/tidwall/btree", version: "v1.8.1", patterns: all},
	{path: "github.com/deckarep/golang-set/v2", version: "v2.8.0", patterns: all},
	{path: "github.com/emirpasic/gods/v2", version: "v2.0.0-alpha", patterns: all},
	// Linknames without bodies, and an empty assembly file; go 1.12.
	{path: "github.com/modern-go/reflect2", version: "v1.0.2", patterns: all},
	// Linknames, assembly, and C in another package of the module.
	{path: "github.com/ebitengine/purego", version: "v0.11.3", patterns: all},
	// Go code in place of C, which is called before anything is initialised.
	{path: "github.com/ebitengine/purego", version: "v0.11.3", patterns: all, env: []string{"CGO_ENABLED=0"}},
	{path: "github.com/cespare/xxhash/v2", version: "v2.3.0", patterns: all}, // assembly; go 1.11
	{path: "github.com/pkg/errors", version: "v0.9.1", patterns: all},        // no go.mod
	{path: "github.com/klauspost/compress", version: "v1.18.1", patterns: []string{"./flate", "./huff0", "./fse", "./snappy", "./gzip"}},
	// Files that import "C" beside twelve that do not.
	{path: "github.com/chai2010/webp", version: "v1.4.0", patterns: []string{"."}},
	// Dot imports in mutated files, embedded files, function literals in many
	// package variables.
	{path: "github.com/alecthomas/chroma/v2", version: "v2.27.0", patterns: []string{"./lexers/...", "."}},
	// A vendor folder; embedded files.
	{path: "github.com/santhosh-tekuri/jsonschema/v6", version: "v6.0.3", patterns: []string{"."}, vendored: true},
}...)

// all is the pattern for every package of a module.
var all = []string{"./..."}

// measuring matches, by package, the tests that measure time or allocations. They
// may fail on a busy machine, even plain, or because instrumented functions are not
// inlined.
var measuring = map[string]*regexp.Regexp{
	"github.com/cespare/xxhash/v2":    regexp.MustCompile("^Test(String)?Allocs(/|$)"),
	"github.com/dlclark/regexp2":      regexp.MustCompile("^(TestDeadline|TestIncorrectTimeoutError|TestStopTimeoutClock|TestBacktrack_CatastrophicTimeout)(/|$)"),
	"golang.org/x/net/dns/dnsmessage": regexp.MustCompile("^TestBuildingAllocs$"),
	// Woven functions of other packages, which these two call, have their arguments on the heap. They pass if only their
	// own package is woven.
	"golang.org/x/text/cases":         regexp.MustCompile("^TestAlloc(/|$)"),
	"golang.org/x/text/secure/precis": regexp.MustCompile("^TestTransformMallocs$"),
}

// chosenModules returns the modules that the flag -fidelity asks for.
func chosenModules(t *testing.T) []realModule {
	switch *fidelity {
	case "":
		return fewModules
	case "all":
		return manyModules
	}
	var list []realModule
	for _, item := range strings.Split(*fidelity, ",") {
		fields := strings.Fields(item)
		name, version, _ := strings.Cut(fields[0], "@")
		if len(fields) > 1 {
			list = append(list, realModule{path: name, version: version, patterns: fields[1:]})
			continue
		}
		before := len(list)
		for _, m := range manyModules {
			if m.path == name {
				list = append(list, m)
			}
		}
		if len(list) == before {
			t.Fatalf("%q is not in the list and has no pattern", item)
		}
	}
	return list
}

// project copies the module, and those of its workspace, into a temporary folder where they can be woven.
func (m realModule) project(t *testing.T) project {
	t.Helper()
	root := stabledir.Make(t)
	p := project{root: root, dir: filepath.Join(root, path.Base(m.path)), module: m.path, env: alone}
	get(t, m.query(), p.dir)
	work := "go 1.26\n\nuse ./" + path.Base(m.path) + "\n"
	for _, query := range m.beside {
		name, _, _ := strings.Cut(query, "@")
		get(t, query, filepath.Join(root, path.Base(name)))
		work += "use ./" + path.Base(name) + "\n"
	}
	switch {
	case m.vendored:
		vendor(t, p.dir)
		p.env = []string{"GOFLAGS=-mod=vendor", "GOWORK=off"}
	case m.beside != nil:
		p.env = []string{"GOFLAGS=", "GOWORK=" + filepath.Join(root, "go.work")}
		if err := os.WriteFile(filepath.Join(root, "go.work"), []byte(work), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.env = append(slices.Clone(p.env), m.env...)
	return p
}

// query returns the module as the go command takes it: "module" or "module@version".
func (m realModule) query() string {
	if m.version == "" {
		return m.path
	}
	return m.path + "@" + m.version
}

// vendor gives the module in dir a vendor folder.
func vendor(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.Command("go", "mod", "vendor")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func get(t *testing.T, query, dir string) {
	t.Helper()
	if err := realcode.Copy(t.Context(), query, dir); err != nil {
		t.Fatal(err)
	}
}
