package weave

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/internal/stabledir"
)

// writeModule writes the files of a module example.com/m, with a go.mod, and returns its folder.
func writeModule(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = stabledir.Make(t)
	files["go.mod"] = "module example.com/m\n\ngo 1.24\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// faulty is the source of a package. The tests change one of its mutants so that it does not compile.
var faulty = `package m

func Switch(n int) (s string) {
	switch n {
	case 1:
		n += 40
	case 2:
		s += "two"
	}
	if n > 41 && s != "" {
		n--
	}
	m := n + 42
	for m > 43 {
		m /= 2
	}
	for range n - 44 {
		m++
	}
	return s[m:]
}

func Recovers(n int) int {
	if n == 52 {
		n += 50
	}
	recover()
	return n + 51
}

var Literal = func(n int) int {
	if n > 61 {
		n += 60
	}
	return n
}

type T[E any] struct{ list []E }

func (t *T[E]) Method(n int) E {
	n += 70
	return t.list[n]
}

var table []int

func Table(n int) {
	table = []int{80, n, ` + longTable + `}
}
`

var longTable = strings.Repeat("81, ", 300)

// fault says how a mutant is changed so that it does not compile.
type fault struct {
	original    string // the first mutant with this original text is changed
	replacement string // replaces the mutant's own; its form is removed
	block       string // not empty: the form of the mutant is to add this block
	probe       string // not empty: only the mutated expression of its probe is replaced, by this
}

const faultyOperator = "faulty"

// make puts the fault into the first mutant that it fits.
func (f fault) make(mutants []mutate.Mutant) {
	for i := range mutants {
		m := &mutants[i]
		if m.Original != f.original || f.probe != "" && m.Probe == nil {
			continue
		}
		m.Operator = faultyOperator
		if f.probe != "" {
			m.Probe = &mutate.Probe{Offset: m.Probe.Offset, EndOffset: m.Probe.EndOffset, Mutated: f.probe}
			return
		}
		m.Replacement, m.Form, m.Probe = f.replacement, mutate.Form{}, nil
		if f.block != "" {
			m.Form = mutate.Form{Kind: mutate.Adds, Offset: m.Offset, Block: f.block}
		}
		return
	}
}

func TestOnlyWhatDoesNotCompileIsLeftOut(t *testing.T) {
	tests := map[string]fault{
		"a statement":                   {original: "n += 40", replacement: "n += m"},
		"a condition":                   {original: `s != ""`, replacement: "s != 1"},
		"a declaration":                 {original: "n + 42", replacement: `""`},
		"the condition of a loop":       {original: "m > 43", replacement: "m > nothing"},
		"what a loop ranges over":       {original: "n - 44", replacement: "nothing"},
		"a constant of a table":         {original: "80", replacement: `"80"`},
		"an added block":                {original: "return s[m:]", replacement: "if true { return m }; return s[m:]", block: "{ return m }"},
		"what needs a clone of its own": {original: "n += 40", replacement: "for { n = m }"},
		// Woven code has such clauses, too: their cases are the numbers of mutants.
		"a statement that switches":        {original: "n += 40", replacement: "switch n { case 3: { n = m } }"},
		"a body put within that switches":  {original: "n += 50", replacement: "for { switch n { case 3: { n = m } } }"},
		"what does not parse":              {original: "n += 40", replacement: "n += ("},
		"a statement of a body put within": {original: "n += 50", replacement: "n += m"},
		"a body put within":                {original: "n += 50", replacement: "for { n = m }"},
		"a statement of a literal":         {original: "n += 60", replacement: "n += m"},
		"a literal":                        {original: "n += 60", replacement: "for { n = m }"},
		"a statement of a generic method":  {original: "n += 70", replacement: "n += t"},
		"a generic method":                 {original: "n += 70", replacement: "for { n = t }"},
		"a probe":                          {original: "n > 41", probe: "nothing > 41"},
		"a probe among others":             {original: `n > 41 && s != ""`, probe: "nothing"},
		"a probe of a literal":             {original: "n > 61", probe: "nothing > 61"},
	}
	dir := writeModule(t, map[string]string{"m.go": faulty})
	f := weaveModule(t, dir, "example.com/m", ".")
	for name, fault := range tests {
		for where, apart := range map[string]bool{"shared": false, "apart": true} {
			t.Run(name+", "+where, func(t *testing.T) {
				f.in.apart, f.in.Functions = apart, functionsOf(t, f.touched[0], func(fn *mutate.Function) []mutate.Mutant {
					list := mutate.Mutants(fn)
					fault.make(list)
					return list
				})
				woven, err := Weave(t.Context(), f.in)
				if err != nil {
					t.Fatal(err)
				}
				leftOutAlone(t, woven, fault)
				own := strings.Contains(string(woven.Overlay[filepath.Join(dir, "m.go")]), "mfz"+cloneMark)
				if own != apart {
					t.Errorf("there are clones of one mutant: %t", own)
				}
			})
		}
	}
}

// leftOutAlone checks that nothing but the faulty mutant, or the faulty probe, is left out.
func leftOutAlone(t *testing.T, woven *Woven, fault fault) {
	faults := 0
	for i, m := range woven.Mutants {
		faulty := m.Operator == faultyOperator
		if faulty {
			faults++
		}
		if unviable := faulty && fault.probe == ""; (m.Unviable != "") != unviable {
			t.Errorf("mutant %d, %s: its error is %q", i+1, describe(m.Mutant), m.Unviable)
		}
		if probed := m.Probe != nil && m.Ignored == "" && !faulty; m.Probed != probed {
			t.Errorf("mutant %d, %s: probed is %t", i+1, describe(m.Mutant), m.Probed)
		}
	}
	if faults != 1 || len(woven.Skipped) > 0 {
		t.Errorf("%d faulty mutants; left out: %v", faults, woven.Skipped)
	}
}

func TestWhatCannotBeObservedIsLeftOutAlone(t *testing.T) {
	const source = `package m

func Add(n int) int { return n + 1 }

func Wide(n int64) int64 { return n + 2 }
`
	const target = `package m

import "testing"

func FuzzAdd(f *testing.F) {
	f.Fuzz(func(t *testing.T, n int, b []byte) {
		if Add(n) == 7 || Wide(-(1 << n)) == 8 {
			t.Error(n)
		}
	})
}
`
	tests := map[string]struct {
		more               string // declarations
		targets            int
		adds, wide, result bool // whether the arguments of Add and Wide, and the result of Add, are observed
	}{
		// The untyped shift gets its type from the parameter, so it cannot go through mfz.Arg.
		"an argument":                   {"", 1, true, false, true},
		"a target":                      {"const any = 1", 0, false, false, false},
		"a target of another signature": {"type any = int", 0, false, false, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := writeModule(t, map[string]string{"m.go": source + test.more, "m_test.go": target})
			f := weaveProject(t, project{dir: dir, module: "example.com/m", env: alone, fuzzed: true}, []string{"."})
			text := string(f.woven.Overlay[filepath.Join(dir, "m_test.go")])
			for what, want := range map[string]bool{"Add(mfz.Arg(": test.adds, "Wide(mfz.Arg(": test.wide, "mfzw0(Add": test.result, "mfza0)": test.targets > 0} {
				if got := strings.Contains(text, what); got != want {
					t.Errorf("%s is woven: %t\n%s", what, got, text)
				}
			}
			if len(f.woven.Targets) != test.targets {
				t.Errorf("targets are %v", f.woven.Targets)
			}
		})
	}
}

func TestAnUndoneHunkThatClosesAnInitializationCycleIsUnviable(t *testing.T) {
	dir := writeModule(t, map[string]string{"m.go": `package m

import "fmt"

var commands = map[string]func() string{"help": help}

func help() string {
	return fmt.Sprint("see the manual") // was: 	return fmt.Sprint(len(commands))
}
`})
	f := weaveModule(t, dir, "example.com/m", ".")
	onlyUndoneAreCyclic(t, f.woven, 1)
}

func TestUndoneHunksThatCloseInitializationCyclesAreUnviableHoweverManyTheyAre(t *testing.T) {
	var lines strings.Builder
	const hunks = 12
	for i := range hunks {
		fmt.Fprintf(&lines, "\tc.set(%d) // was: \troot.set(%d)\n\tc.n++\n", i, i)
	}
	dir := writeModule(t, map[string]string{"m.go": `package m

type command struct {
	n   int
	run func(*command)
}

func (c *command) set(n int) { c.n += n }

var root = &command{run: run}

func run(c *command) {
` + lines.String() + `}
`})
	f := weaveModule(t, dir, "example.com/m", ".")
	onlyUndoneAreCyclic(t, f.woven, hunks+1) // each alone, and all together
}

// onlyUndoneAreCyclic checks that so many undone hunks are unviable since they close initialization cycles, and that
// everything else is woven.
func onlyUndoneAreCyclic(t *testing.T, woven *Woven, want int) {
	t.Helper()
	undone, others := 0, 0
	for _, m := range woven.Mutants {
		switch {
		case m.Hunk == nil && m.Unviable == "":
			others++
		case m.Hunk != nil && strings.Contains(m.Unviable, "initialization cycle"):
			undone++
		}
	}
	if undone != want || others == 0 || len(woven.Skipped) > 0 {
		t.Errorf("%d undone hunks are unviable, %d other mutants are woven, and these functions are not: %v", undone, others, woven.Skipped)
	}
}
