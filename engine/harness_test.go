package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// callers makes a harness for every function in scope that takes an int.
type callers struct{}

func (callers) Make(_ context.Context, p *program.Program) (files []program.File, _ map[string]string, err error) {
	for i := range p.Functions {
		f := &p.Functions[i]
		pkg, fn := p.Types.Object(f)
		if fn == nil || !strings.HasPrefix(fn.Signature().String(), "func(n int)") {
			continue
		}
		var b bytes.Buffer
		fmt.Fprintf(&b, "package %s\n\nimport \"testing\"\n\n", pkg.Name())
		fmt.Fprintf(&b, "func FuzzMade%[1]s(f *testing.F) {\n\tf.Fuzz(func(t *testing.T, n int) { %[1]s(n) })\n}\n", fn.Name())
		files = append(files, program.File{
			Path: filepath.Join(filepath.Dir(f.Path), "made_"+strings.ToLower(fn.Name())+"_test.go"), Package: pkg.Path(),
			Kind: results.HarnessDriver, Source: b.Bytes(),
		})
	}
	return files, nil, nil
}

func TestHarnessesOfAnotherKindAreFuzzed(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and fuzzes")
	}
	dir := writeFiles(t, txtar.Parse([]byte(`
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

func Sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

func Third(n int) int {
	list := []int{1, 2, 3}
	if n < 0 || n > 2 {
		return 0
	}
	return list[n]
}
`)).Files)
	scope, err := diffscope.Find(t.Context(), diffscope.Config{Dir: dir, All: true})
	if err != nil {
		t.Fatal(err)
	}
	defer scope.Close()
	out, err := engine.Run(t.Context(), engine.Config{
		Execs: 20000, Workers: 1, Seed: 1, MutantShare: 0.5, Harnesses: []engine.HarnessKind{callers{}},
	}, scope)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range out.Results.Harnesses {
		if h.Kind != results.HarnessDriver || h.Execs == 0 || len(h.Functions) == 0 {
			t.Errorf("harness %+v", h)
		}
	}
	var exposed, fails, verified int
	for _, m := range out.Results.Mutants {
		if m.ExposedBy != nil && strings.HasPrefix(m.ExposedBy.Harness, "example.com/m.FuzzMade") {
			exposed++
			if m.Verified {
				verified++
			}
		}
		if m.ExposedBy != nil && m.ExposedBy.Ends == results.CrashPanic && strings.HasPrefix(m.ExposedBy.Mutant, "panics: runtime error") {
			fails++
		}
	}
	if len(out.Results.Harnesses) != 2 || exposed == 0 || fails == 0 || verified == 0 {
		t.Errorf("%d harnesses; %d exposed, %d of them confirmed; %d panic; warnings %q", len(out.Results.Harnesses), exposed, verified, fails, out.Results.Warnings)
	}
}

// embedders makes a file that type-checks but that the go command refuses to build.
type embedders struct{}

func (embedders) Make(_ context.Context, p *program.Program) (files []program.File, _ map[string]string, err error) {
	f := &p.Functions[0]
	return []program.File{{
		Path: filepath.Join(filepath.Dir(f.Path), "embeds_test.go"), Package: f.Package, Kind: results.HarnessDriver,
		Made:   map[string]program.Made{"Driver_Sign": {Calls: "Sign", For: []string{f.ID}}},
		Source: []byte("package m\n\nimport _ \"embed\"\n\n//go:embed nothing\nvar nothing string\n"),
	}}, nil, nil
}

func TestHarnessesThatDoNotBuildAreLeftOut(t *testing.T) {
	if testing.Short() {
		t.Skip("builds")
	}
	dir := writeFiles(t, txtar.Parse([]byte(`
-- go.mod --
module example.com/m

go 1.21
-- m.go --
package m

func Sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}
-- m_test.go --
package m

import (
	_ "embed"
	"testing"
)

func TestSign(t *testing.T) {
	if Sign(-2) != -1 || Sign(0) != 1 {
		t.Error("wrong sign")
	}
}
`)).Files)
	scope, err := diffscope.Find(t.Context(), diffscope.Config{Dir: dir, All: true})
	if err != nil {
		t.Fatal(err)
	}
	defer scope.Close()
	out, err := engine.Run(t.Context(), engine.Config{Execs: 100, Workers: 1, Seed: 1, Harnesses: []engine.HarnessKind{embedders{}}}, scope)
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for _, m := range out.Results.Mutants {
		if m.Status == results.Killed {
			killed++
		}
	}
	if u := out.Results.Undriven; killed == 0 || len(u) != 1 || u[0].Why != "the driver that was written does not build" {
		t.Errorf("%d killed, undriven %+v", killed, u)
	}
}
