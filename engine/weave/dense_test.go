package weave

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/internal/stabledir"
)

// denseLines are repeated to make the body of a dense function. %d becomes a number that differs each time.
var denseLines = []string{
	"if a > %d && b < c || c == a-b { a, b = b+1, a*2 } else if b >= %[1]d { c -= a }",
	"v%d := a*3 + b<<2 - c; a += v%[1]d %% 7",
	"for i := a; i < a+%d && i-b < 9; i++ { b += i*c }",
	"switch { case a < b-%d: a++; case b <= c || a != 4: c = a + b*c - 1; default: b-- }",
	"switch a %% %d + 1 { case 0: b += c + 2; case 1: c ^= a | 5 }",
	"for i, x := range s[a&1:] { if x == i+%d { break }; s[i] += x - b }",
	"if x := b*a - c; x > %d { return x + b, nil }",
	"if c == %d { return a - 1, errors.New(\"c\") }",
	"s = append(s, a+b, b-c, c*%d)",
	"func() { if a != b+%d { c = a + 1 } }()",
}

// denseModule writes a module with one function: head, n dense lines and tail. It returns the folder.
func denseModule(t testing.TB, n int, head, tail string) string {
	t.Helper()
	dir := stabledir.Make(t)
	var b strings.Builder
	b.WriteString("package dense\n\nimport \"errors\"\n\n" + head + "\n")
	for i := range n {
		fmt.Fprintf(&b, "\t"+denseLines[i%len(denseLines)]+"\n", i+1)
	}
	b.WriteString(tail + "\n")
	files := map[string]string{
		"go.mod":        "module example.com/dense\n\ngo 1.24\n",
		"dense.go":      b.String(),
		"dense_test.go": "package dense\n\nimport \"testing\"\n\nfunc TestNothing(t *testing.T) {}\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const denseHead = "func Dense(a, b, c int, s []int) (int, error) {"

func TestAllMutantsOfBigFunctionsAreBuiltInLittleText(t *testing.T) {
	tests := map[string]struct{ head, tail string }{
		"function":            {denseHead, "\treturn a + b, nil\n}"},
		"that recovers":       {denseHead + "\n\tdefer recover()", "\trecover()\n\treturn a + b, nil\n}"},
		"of a generic":        {"type T[E any] struct{}\n\nfunc (T[E]) Dense(a, b, c int, s []int) (int, error) {", "\treturn a + b, nil\n}"},
		"with a goto":         {denseHead + "\nagain:", "\tif a > 5 { goto again }\n\treturn a + b, nil\n}"},
		"within a literal":    {"func Dense(s []int) any {\n\treturn func(a, b, c int) (int, error) {", "\treturn a + b, nil\n}\n}"},
		"a table":             {"func Table(a int) any { _ = errors.New; return []struct{ n int; s string; f float64; p *int }{", strings.Repeat("\t{31, \"x\", 2.5, nil}, {n: -7, s: \"y\" + \"z\"},\n", 500) + "}[a:]\n}"},
		"a table of literals": {"func Index(s, t string) int { return len(s) - len(t) }\n\nfunc Table(a int) any { _ = errors.New; return []struct{ n int; f func(string) int }{", strings.Repeat("\t{n: 31, f: func(s string) int {\n\t\tif i := Index(s, \".\"); i != -1 {\n\t\t\treturn i\n\t\t}\n\t\treturn 0\n\t}},\n", 500) + "}[a:]\n}"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if name != "function" && name != "a table of literals" && !*nightly {
				t.Skip("a function of another kind; -nightly runs it")
			}
			lines := 500
			if strings.HasPrefix(name, "a table") {
				lines = 0
			}
			f := weaveModule(t, denseModule(t, lines, test.head, test.tail), "example.com/dense", "./...")
			built, unviable := 0, 0
			for _, m := range f.woven.Mutants {
				switch {
				case m.Left != "":
					t.Errorf("%s is not built: %s", describe(m.Mutant), m.Left)
				case m.Unviable != "":
					unviable++
				case m.Ignored == "":
					built++
				}
			}
			text := f.woven.Overlay[filepath.Join(f.dir, "dense.go")]
			t.Logf("%d mutants built, %d unviable, %d bytes", built, unviable, len(text))
			if built < 1500 || unviable*100 > built || len(text) > 200*built {
				t.Errorf("%d mutants built in %d bytes, %d do not compile", built, len(text), unviable)
			}
		})
	}
}

func TestClonesOfOneMutantAreBounded(t *testing.T) {
	f := weaveProject(t, project{
		dir: denseModule(t, 200, denseHead, "\treturn a + b, nil\n}"), module: "example.com/dense", env: alone, apart: true,
	}, []string{"./..."})
	built, left := 0, 0
	for _, m := range f.woven.Mutants {
		switch {
		case m.Left != "":
			left++
		case m.Unviable == "" && m.Ignored == "":
			built++
		}
	}
	const instrumented = 8 // an instrumented clone is at most so many times as long as the original
	if n := len(f.woven.Overlay[filepath.Join(f.dir, "dense.go")]); built == 0 || left == 0 || n > instrumented*MaxCloneBytes {
		t.Errorf("%d mutants built in %d bytes, %d left", built, n, left)
	}
}

func BenchmarkBigFunction(b *testing.B) {
	dir := denseModule(b, 500, denseHead, "\treturn a + b, nil\n}")
	for b.Loop() {
		f := weaveModule(b, dir, "example.com/dense", "./...")
		f.build(b, "example.com/dense", true)
		b.ReportMetric(float64(len(f.woven.Mutants)), "mutants")
	}
}
