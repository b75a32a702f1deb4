package program

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTestsThatLookAtNothingAreKnown(t *testing.T) {
	p := loaded(t, map[string]string{
		"go.mod": "module m\n\ngo 1.21\n",
		"p/p.go": "package p\n\nfunc F(n int) int { return n }\n",
		"p/p_test.go": `package p

import (
	"fmt"
	"testing"
)

func TestPrints(t *testing.T) { fmt.Println(F(1)); t.Log(int64(F(2))) }

func TestRuns(t *testing.T) { t.Run("", func(t *testing.T) { F(1) }) }

func TestLooks(t *testing.T) { if F(1) != 1 { t.Errorf("no") } }

func TestPanics(t *testing.T) { if F(1) != 1 { panic(1) } }

func TestHelped(t *testing.T) { check(F(1)) }

func TestPassesOn(t *testing.T) { fmt.Fprint(nil, t, F(1)) }

func TestOfAValue(t *testing.T) { f := func() { F(1) }; f() }

func TestOfOthers(t *testing.T) { for _, f := range []func(*testing.T){other} { t.Run("", f) } }

func other(t *testing.T) { if F(1) != 1 { t.Error() } }

func check(n int) {}
`,
		"p/x_test.go": "package p_test\n\nimport (\n\t\"testing\"\n\n\t\"m/p\"\n)\n\nfunc TestOutside(t *testing.T) { _ = p.F(1) }\n\nfunc ExampleF() { p.F(1) }\n",
	}, "F")
	for test, want := range map[string]bool{
		"m/p.TestPrints": true, "m/p.TestRuns": true, "m/p.TestOutside": true,
		"m/p.TestLooks": false, "m/p.TestPanics": false, "m/p.TestHelped": false, "m/p.TestPassesOn": false, "m/p.TestOfAValue": false, "m/p.TestOfOthers": false,
		"m/p.ExampleF": false, "m/p.TestGone": false, "m/q.TestPrints": false, "TestPrints": false,
	} {
		if got := p.Types.blind(test); got != want {
			t.Errorf("%s: %t", test, got)
		}
	}
	named := results.Evidence{By: []string{"m/p.TestLooks", "m/p.TestPrints"}}
	mutants := []results.Mutant{{Status: results.Survived, Evidence: named}, {Status: results.Killed, Evidence: named}}
	p.NoteBlind(mutants)
	if blind := mutants[0].Evidence.Blind; len(blind) != 1 || blind[0] != "m/p.TestPrints" || mutants[1].Evidence.Blind != nil {
		t.Errorf("noted %q and %q", blind, mutants[1].Evidence.Blind)
	}
	(&Program{}).NoteBlind(mutants) // a program without types notes nothing
}

// A module of a workspace, or one that is replaced, may have a name without a dot.
func TestOnlyTheGoCommandKnowsTheStandardLibrary(t *testing.T) {
	p := loaded(t, map[string]string{
		"go.mod":                 "module m\n\ngo 1.21\n\nrequire check v0.0.0\n\nreplace check => ./check\n",
		"check/go.mod":           "module check\n\ngo 1.21\n",
		"check/assert/assert.go": "package assert\n\nfunc That(ok bool) {\n\tif !ok {\n\t\tpanic(\"no\")\n\t}\n}\n",
		"check/other/other.go":   "package other\n",
		"p/p.go":                 "package p\n\nimport \"strings\"\n\nfunc F(s string) string { return strings.ToUpper(s) }\n",
		"p/p_test.go": `package p

import (
	"check/assert"
	"fmt"
	"testing"
)

func TestPrints(t *testing.T) { fmt.Println(F("a")) }

func TestLooks(t *testing.T) { assert.That(F("a") == "A") }
`,
	}, "F")
	for test, want := range map[string]bool{"m/p.TestPrints": true, "m/p.TestLooks": false} {
		if got := p.Types.blind(test); got != want {
			t.Errorf("%s: %t", test, got)
		}
	}
	for path, want := range map[string]bool{
		"strings": true, "testing": true, "internal/bytealg": true, "unsafe": true, "check/assert": false, "m/p": false,
	} {
		if got := p.Types.IsStandard(path); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
	old := map[string]string{"sort": "sort", "other": "check/other"} // what the base imports
	p.Functions[0].Imports = old
	if err := p.Load(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if able := p.Importable("m/p", old); len(able) != 1 || able["sort"] == "" {
		t.Errorf("importable: %v", able)
	}
}

// loaded writes the files of a module m and loads them as a program, with functions of package m/p in scope.
func loaded(t *testing.T, files map[string]string, functions ...string) *Program {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p := &Program{
		Unit: diffscope.Unit{Dir: dir, Modules: []diffscope.Module{{Path: "m", Dir: dir}}}, Tree: dir, Tool: gotool.Go{Dir: dir, Env: os.Environ()}, External: true,
	}
	for _, name := range functions {
		p.Functions = append(p.Functions, diffscope.Function{Function: results.Function{ID: "m/p." + name, Package: "m/p", Name: name}})
	}
	if err := p.List(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := p.Load(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return p
}
