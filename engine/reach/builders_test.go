package reach

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

func TestWhatLeadsToTheGoCommandIsFoundByMentions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m_test.go")
	err := os.WriteFile(file, []byte(`package m

import (
	"os/exec"

	"example.com/foreign"
	"example.com/m/sub"
)

func build() { exec.Command("go", "build") }

type T struct{}

func (T) Exported() { build() }

var table = []func(){T{}.Exported}

func TestDirect(t *testing.T) { build() }

func TestByMethod(t *testing.T) { T{}.Exported() }

func TestByVariable(t *testing.T) { table[0]() }

func TestOther(t *testing.T) { exec.Command("git") }

func TestForeign(t *testing.T) { foreign.Exported() }

func TestOwn(t *testing.T) { sub.Exported() }
`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	p := &gotool.Package{Dir: filepath.Dir(file), TestGoFiles: []string{filepath.Base(file), "missing.go"}}
	got := runningGo(program.Parsed(p), func(path string) bool { return path == "example.com/m/sub" })
	for _, name := range []string{"build", "TestDirect", "TestByMethod", "TestOwn", "TestByVariable"} {
		if !got[name] {
			t.Errorf("%s is not found", name)
		}
	}
	for _, name := range []string{"TestOther", "TestForeign"} {
		if got[name] {
			t.Errorf("%s is found", name)
		}
	}
}
