package mutate

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// probeRuntime is source that evaluates probes. Its function try compares a mutant with the original on all inputs of a
// small domain: where they differ, the probe has to record an infection.
const probeRuntime = `
var infected bool

func differs[T comparable](original, mutated T) T {
	infected = infected || original != mutated
	return original
}

func whenTrue[T ~bool](v T) T  { infected = infected || bool(v); return v }
func whenFalse[T ~bool](v T) T { infected = infected || !bool(v); return v }

type function func(a, b int, s string, t bool) int

func outcome(f function, a, b int, s string, t bool) (result string) {
	defer func() {
		if r := recover(); r != nil {
			result = fmt.Sprint("panic: ", r)
		}
	}()
	return fmt.Sprint(f(a, b, s, t))
}

func try(name string, original, mutant, probed function) {
	for i := 0; i < 4*4*4*2; i++ {
		a, b, s, t := i%4, i/4%4, []string{"", "a", "b", "xyz"}[i/16%4], i >= 64
		infected = false
		want, got, seen := outcome(original, a, b, s, t), outcome(mutant, a, b, s, t), outcome(probed, a, b, s, t)
		if seen != want {
			fmt.Printf("%s(%d, %d, %q, %v): probed gives %s, not %s\n", name, a, b, s, t, seen, want)
		}
		if got != want && !infected {
			fmt.Printf("%s(%d, %d, %q, %v): mutant gives %s, not %s, but the probe saw nothing\n", name, a, b, s, t, got, want)
		}
	}
}
`

func TestProbesNeverMissAnInfection(t *testing.T) {
	src, err := os.ReadFile("testdata/probed.go")
	if err != nil {
		t.Fatal(err)
	}
	var clones, tries strings.Builder
	n := 0
	for _, f := range loadAll(t, string(src)) {
		if f.Decl.Name.Name == "bump" {
			continue
		}
		for _, m := range Mutants(f) {
			if m.Probe == nil {
				continue
			}
			n++
			clones.WriteString(clone(f, fmt.Sprintf("mutant%d", n), m.Offset, m.EndOffset, m.Replacement))
			clones.WriteString(clone(f, fmt.Sprintf("probed%d", n), m.Probe.Offset, m.Probe.EndOffset, probeCall(f, m.Probe)))
			name := fmt.Sprintf("%s, %s, %s → %s", f.Decl.Name.Name, m.Operator, m.Original, m.Replacement)
			fmt.Fprintf(&tries, "\ttry(%q, %s, mutant%d, probed%d)\n", name, f.Decl.Name.Name, n, n)
		}
	}
	if n < 50 {
		t.Errorf("only %d probes", n)
	}
	program := strings.Replace(string(src), "package main\n", "package main\n\nimport \"fmt\"\n", 1) +
		probeRuntime + clones.String() + "\nfunc main() {\n" + tries.String() + "}\n"
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "run", file).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

// clone returns the source of f under another name, with [from, to) of the file replaced.
func clone(f *Function, name string, from, to int, replacement string) string {
	start := f.Fset.PositionFor(f.Decl.Type.Params.Pos(), false).Offset
	end := f.Fset.PositionFor(f.Decl.End(), false).Offset
	return "\nfunc " + name + string(f.Source[start:from]) + replacement + string(f.Source[to:end]) + "\n"
}

func probeCall(f *Function, p *Probe) string {
	watched := string(f.Source[p.Offset:p.EndOffset])
	switch p.Kind {
	case WhenTrue:
		return "whenTrue(" + watched + ")"
	case WhenFalse:
		return "whenFalse(" + watched + ")"
	}
	return "differs(" + watched + ", " + p.Mutated + ")"
}
