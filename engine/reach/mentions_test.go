package reach

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

func TestDistancesAreCountedInMentions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m_test.go")
	err := os.WriteFile(file, []byte(`package m

import (
	"example.com/foreign"
	"example.com/m/sub"
)

func touched() {}

type T struct{}

func (T) Exported() { touched() }

var table = []func(){T{}.Exported}

func TestDirect(t *testing.T) { touched() }

func TestByMethod(t *testing.T) { T{}.Exported() }

func TestByVariable(t *testing.T) { table[0]() }

func TestOther(t *testing.T) { t.Log() }

func TestForeign(t *testing.T) { foreign.Exported() }

func TestOwn(t *testing.T) { sub.Exported() }
`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	p := &gotool.Package{Dir: filepath.Dir(file), TestGoFiles: []string{filepath.Base(file), "missing.go"}}
	got := distances(program.Parsed(p), func(path string) bool { return path == "example.com/m/sub" }, []string{"touched"})
	for name, want := range map[string]int{"touched": 0, "TestDirect": 1, "TestByMethod": 2, "TestOwn": 2, "TestByVariable": 3} {
		if n, ok := got[name]; !ok || n != want {
			t.Errorf("distance of %s = %d, %t; want %d", name, n, ok, want)
		}
	}
	for _, name := range []string{"TestOther", "TestForeign"} {
		if n, ok := got[name]; ok {
			t.Errorf("distance of %s = %d, want none", name, n)
		}
	}
}
