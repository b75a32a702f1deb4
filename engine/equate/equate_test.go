package equate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// mutantOf returns the mutant of p.go, whose text is src, that replaces the only occurrence of before by after.
func mutantOf(t *testing.T, src, before, after string) *evidence.Mutant {
	t.Helper()
	at := strings.Index(src, before)
	if at < 0 || strings.Count(src, before) > 1 {
		t.Fatalf("%q is there %d times", before, strings.Count(src, before))
	}
	return &evidence.Mutant{Mutant: &weave.Mutant{Mutant: &mutate.Mutant{
		ID: before + " -> " + after, File: "p.go", Offset: at, EndOffset: at + len(before), Original: before, Replacement: after,
	}}}
}

// binariesIn returns Binaries that build the module in dir.
func binariesIn(t *testing.T, dir string) *build.Binaries {
	return &build.Binaries{Config: build.Config{
		Program: &program.Program{Tree: dir, Tool: gotool.Go{Dir: dir}}, Work: t.TempDir(),
	}}
}

const compared = `package p

import (
	"fmt"
	"runtime"
)

type Round int

const RoundDefault Round = 0

type T struct{ n int }

func Times(x int) int             { return x * 7 }
func Swap(a, b uint) uint         { return a + b }
func Minus(a, b uint) uint        { return a - b }
func Named() Round                { return RoundDefault }
func Renamed(n int) (s int)       { for i := 0; i < n; i++ { s += i }; return s }
func Empty(s []int) bool          { return len(s) == 0 }
func Text() string                { return "text" }
func Table(i int) int             { t := [8]int{1, 2, 3, 4, 5, 6, 7, 8}; return t[i&7] }
func Bytes() []byte               { return []byte("a long literal of bytes") }
func Closure(n int) func() int    { return func() int { n += 3; return n } }
func Alive(p *int) uintptr        { q := *p; runtime.KeepAlive(p); return uintptr(q) }
func Bound(s []int, i int) int    { return s[i+2] }
func Message(n int) error         { return fmt.Errorf("bad %d", n) }
func Deferred(t *T) (n int)       { defer func() { n = t.n * 5 }(); return 4 }
func Assert(v any) (ok bool)      { _, ok = v.(fmt.Stringer); return ok }
func Generic[E any](s []E) int    { return len(s) * 11 }
func (t *T) Pointer() int         { t.n += 6; return t.n }
func (t T) Value() int            { return t.n ^ 9 }
func (_ T) Blank(_ int) int       { return 13 }
func Loop(n int) int              { if n <= 0 { return 0 }; return n + Loop(n-1) }

func Switch(n int) string {
	switch n {
	case 10: return "a"
	case 11: return "b"
	case 12: return "c"
	case 13: return "d"
	case 14: return "e"
	case 15: return "f"
	case 16: return "g"
	case 17: return "h"
	case 18: return "i"
	}
	return ""
}

var variable = func() int { return 17 }
`

func TestEquivalentToTheCompiler(t *testing.T) {
	tests := []struct {
		before, after string
		want          bool
	}{
		{"x * 7", "x * (7 * 1)", true},
		{"x * 7", "(x << 3) - x", false}, // the same value, but other machine code
		{"x * 7", "x * 8", false},
		{"a + b", "b + a", true},
		{"a - b", "b - a", false},
		{"return RoundDefault", "return 0", true},
		{"return RoundDefault", "return RoundDefault + 1", false},
		{"for i := 0; i < n; i++ { s += i }", "for j := 0; j < n; j++ { s += j }", true},
		{"len(s) == 0", "len(s) <= 0", false},
		{"len(s) == 0", "len(s) != 0", false},
		{"len(s) == 0", "(len(s) == 0) || false", true},
		{"\"text\"", "\"tex\" + \"t\"", true},
		{"\"text\"", "\"next\"", false},
		{"4, 5, 6", "4, 5, (5 + 1)", true},
		{"4, 5, 6", "4, 6, 6", false},
		{"a long literal of bytes", "a long literal of bytez", false},
		{"[]byte(\"a long literal of bytes\")", "[]byte(\"a long literal \" + \"of bytes\")", true},
		{"n += 3", "n = n + 3", true},
		{"n += 3", "n += 4", false},
		{"runtime.KeepAlive(p)", "if false { runtime.KeepAlive(p) }", false},
		{"s[i+2]", "s[2+i]", true},
		{"\"bad %d\"", "\"bad %v\"", false},
		{"n = t.n * 5", "n = 5 * t.n", true},
		{"n = t.n * 5", "n = t.n * 6", false},
		{"v.(fmt.Stringer)", "v.(error)", false},
		{"len(s) * 11", "11 * len(s)", false}, // generic functions are not compared
		{"t.n += 6", "t.n = 6 + t.n", true},
		{"t.n += 6", "t.n -= 6", false},
		{"t.n ^ 9", "9 ^ t.n", true},
		{"t.n ^ 9", "t.n & 9", false},
		{"return 13", "return 14 - 1", true},
		{"n + Loop(n-1)", "n + Loop(n-(1))", true},
		{"n + Loop(n-1)", "n + Loop(n-2)", false},
		{"case 12: return \"c\"", "case 12: return (\"c\")", true},
		{"case 12: return \"c\"\n\tcase 13: return \"d\"", "case 13: return \"c\"\n\tcase 12: return \"d\"", false},
		{"return 17", "return 16 + 1", false}, // function literals of package variables are not compared
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/dotted.path\n\ngo 1.21\n")
	write(t, filepath.Join(dir, "p.go"), compared)
	var mutants []*evidence.Mutant
	for _, test := range tests {
		mutants = append(mutants, mutantOf(t, compared, test.before, test.after))
	}
	if err := compare(t.Context(), binariesIn(t, dir), "example.com/dotted.path", mutants); err != nil {
		t.Fatal(err)
	}
	for i, test := range tests {
		if got := mutants[i].Equal; got != test.want {
			t.Errorf("%q as %q: equivalent is %t, want %t", test.before, test.after, got, test.want)
		}
	}
}

func TestAMutantThatDoesNotCompileByItselfIsLeftOut(t *testing.T) {
	const src = "package p\n\nfunc F(n int) int {\n\tm := 3\n\tm++\n\treturn n * m\n}\n\nfunc G(n int) int { return n + 2 }\n"
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.21\n")
	write(t, filepath.Join(dir, "p.go"), src)
	mutants := []*evidence.Mutant{
		mutantOf(t, src, "n * m", "m * n"), mutantOf(t, src, "n * m", "n"), mutantOf(t, src, "n * m", "n + undefined"),
		mutantOf(t, src, "n + 2", "2 + n"), mutantOf(t, src, "n + 2", "n + 3"),
	}
	if err := compare(t.Context(), binariesIn(t, dir), "example.com/m", mutants); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, false, true, false} {
		if mutants[i].Equal != want {
			t.Errorf("mutant %d: equivalent is %t", i, !want)
		}
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
