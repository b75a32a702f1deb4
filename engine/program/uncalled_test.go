package program

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestFunctionsThatNothingCallsAreNoted(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod": "module m\n\ngo 1.21\n",
		"p/p.go": `package p

import _ "unsafe"

func alone(n int) int { if n > 0 { return alone(n - 1) }; return 0 }

func called() int { return passed(3) }

var Called = called

func passed[T any](T) int { return 0 }

func tested() {}

func elsewhere() {}

//go:linkname linked
func linked() {}

func Exported() {}

func init() {}

type T struct{}

func (T) method() {}
`,
		"p/p_test.go":  "package p\n\nimport \"testing\"\n\nfunc TestIt(t *testing.T) { tested() }\n",
		"p/p_plan9.go": "package p\n\nfunc init() { elsewhere() }\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{"alone", "called", "passed", "tested", "elsewhere", "linked", "Exported", "init", "T.method"}
	p := &Program{
		Unit: diffscope.Unit{Dir: dir, Modules: []diffscope.Module{{Path: "m", Dir: dir}}}, Tree: dir, Tool: gotool.Go{Dir: dir, Env: os.Environ()},
	}
	for _, name := range names {
		p.Functions = append(p.Functions, diffscope.Function{Function: results.Function{ID: "m/p." + name, Package: "m/p", Name: name}})
	}
	if err := p.List(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := p.Load(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	var uncalled []string
	for _, f := range p.Functions {
		if f.Uncalled {
			uncalled = append(uncalled, f.Name)
		}
	}
	if want := []string{"alone"}; !slices.Equal(uncalled, want) {
		t.Errorf("nothing calls %v, want %v", uncalled, want)
	}
}
