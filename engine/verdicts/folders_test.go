package verdicts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// writeTree writes files below dir.
func writeTree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const wovenSource = "package p\n\n// F is woven.\nfunc F() int { return 1 }\n\nfunc G() int { return 2 }\n"

// embedded are the patterns of go:embed: two in p.go, one in its tests, and one in its external tests.
var embedded = []string{"testdata/embedded", "q/*.tmpl", "r", "all:web"}

// digestOf returns the digest of the package in dir, whose function F is woven. own says that it is the
// package of the tests.
func digestOf(t *testing.T, dir string, own bool) string {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, "p.go"))
	if err != nil {
		t.Fatal(err)
	}
	start := len("package p\n\n// F is woven.\nfunc F() int ")
	end := start
	for src[end] != '}' {
		end++
	}
	b, err := readBodies(dir, []weave.FuncBlocks{{Path: filepath.Join(dir, "p.go"), Name: "F", Body: start, BodyEnd: end + 1}})
	if err != nil {
		t.Fatal(err)
	}
	p := &gotool.Package{Dir: dir, EmbedPatterns: embedded[:2], TestEmbedPatterns: embedded[2:3], XTestEmbedPatterns: embedded[3:]}
	sum, err := b.digestPackage(p, own)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func TestOnlyWhatTestsDependOnChangesTheirContext(t *testing.T) {
	base := map[string]string{
		"p.go": wovenSource, "p_test.go": "package p\n", "data.txt": "1", "embedded/a.txt": "1", "testdata/in.txt": "1",
		"testdata/mod/go.mod": "module x\n", "testdata/mod/x.go": "package x\n",
		"testdata/embedded/in.txt": "1", "testdata/embedded/m/go.mod": "1", "testdata/embedded/m/in.txt": "1",
		"q/q.tmpl": "1", "r/r.go": "package r\n", "web/vendor/.in": "1", "web/w.go": "package web\n",
		"q/q.go": "package q\n", "mutantfuzz.out/go.mod": "module out\n", "mutantfuzz.out/results.json": "1", ".git/HEAD": "1",
	}
	tests := []struct {
		name, file, text string
		own, changes     bool
	}{
		{"the body of a woven function", "p.go", "package p\n\n// F is woven.\nfunc F() int { return 7 }\n\nfunc G() int { return 2 }\n", true, false},
		{"comments and layout", "p.go", wovenSource + "\n// The end.\n", true, false},
		{"another body", "p.go", "package p\n\n// F is woven.\nfunc F() int { return 1 }\n\nfunc G() int { return 3 }\n", true, true},
		{"a directive", "p.go", wovenSource + "\n//go:noinline\nfunc H() {}\n", true, true},
		{"a test file", "p_test.go", "package p\n\nvar x int\n", true, false},
		{"a file beside the source", "data.txt", "2", true, true},
		{"an embedded folder", "embedded/a.txt", "2", true, true},
		{"data of the tests", "testdata/in.txt", "2", true, true},
		{"data of others' tests", "testdata/in.txt", "2", false, false},
		{"a module among the data", "testdata/mod/x.go", "package x\n\nvar y int\n", true, true},
		{"embedded data of tests", "testdata/embedded/in.txt", "2", true, true},
		{"embedded data of others' tests", "testdata/embedded/in.txt", "2", false, true},
		{"a module in an embedded folder", "testdata/embedded/m/in.txt", "2", false, false},
		{"an embedded file of another package", "q/q.tmpl", "2", false, true},
		{"a package that tests embed", "r/r.go", "package r\n\nvar y int\n", true, true},
		{"a package that others' tests embed", "r/r.go", "package r\n\nvar y int\n", false, false},
		{"a hidden file that external tests embed", "web/vendor/.in", "2", true, true},
		{"a hidden file that others' external tests embed", "web/vendor/.in", "2", false, false},
		{"another package", "q/q.go", "package q\n\nvar y int\n", true, false},
		{"the output of an analysis", "mutantfuzz.out/results.json", "2", true, false},
		{"history", ".git/HEAD", "2", true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			writeTree(t, dir, base)
			before := digestOf(t, dir, tt.own)
			writeTree(t, dir, map[string]string{tt.file: tt.text})
			if changed := digestOf(t, dir, tt.own) != before; changed != tt.changes {
				t.Errorf("the digest changes: %t", changed)
			}
		})
	}
}

func TestTheKeyOfATestDependsOnItsOwnSource(t *testing.T) {
	const first = "package p\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { help(t) }\n\nfunc TestB(t *testing.T) { TestA(t) }\n\nfunc TestC(t *testing.T) {}\n\nfunc help(*testing.T) {}\n"
	texts := func(files map[string]string) (string, map[string]string) {
		dir := t.TempDir()
		writeTree(t, dir, files)
		p := &gotool.Package{Dir: dir}
		for name := range files {
			p.TestGoFiles = append(p.TestGoFiles, name)
		}
		common, texts, err := testTexts(p)
		if err != nil {
			t.Fatal(err)
		}
		return common, texts
	}
	common, before := texts(map[string]string{"a_test.go": first})
	same, after := texts(map[string]string{"a_test.go": first, "b_test.go": "package p\n\nimport \"testing\"\n\nfunc TestD(t *testing.T) {}\n"})
	if same != common || after["TestA"] != before["TestA"] || after["TestD"] == "" {
		t.Error("a further test changes more than itself")
	}
	changed, after := texts(map[string]string{"a_test.go": "package p\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { t.Log(); help(t) }\n\nfunc TestB(t *testing.T) { TestA(t) }\n\nfunc TestC(t *testing.T) {}\n\nfunc help(*testing.T) {}\n"})
	if changed != common || after["TestA"] == before["TestA"] || after["TestB"] == before["TestB"] || after["TestC"] != before["TestC"] {
		t.Error("the texts of a changed test and of those that call it, and no others, should differ")
	}
	foreign := strings.ReplaceAll(first, "TestA", "TestÄ")
	plain, before := texts(map[string]string{"a_test.go": foreign})
	changed, after = texts(map[string]string{"a_test.go": strings.Replace(foreign, "{ help(t) }", "{ t.Log(); help(t) }", 1)})
	if changed != plain || after["TestÄ"] == before["TestÄ"] || after["TestB"] == before["TestB"] || after["TestC"] != before["TestC"] {
		t.Error("the text of a changed test with a name in another script should differ")
	}
	if other, _ := texts(map[string]string{"a_test.go": first + "\nfunc more() {}\n"}); other == common {
		t.Error("what tests share is not looked at")
	}
}

func TestFilesThatTestsNameElsewhereChangeTheirContext(t *testing.T) {
	root := t.TempDir()
	writeTree(t, root, map[string]string{
		"p/p_test.go": `package p

			import ("os"; "path/filepath")

			var _, _ = os.ReadFile("../shared/in.txt")
			var _, _ = filepath.Glob(filepath.Join("..", "golden", "*.json"))
			var _, _ = os.ReadDir("./example")
			var _, _ = os.ReadFile(filepath.Join("sub", "deep", "in.txt"))
			var _, _ = os.ReadFile("testdata/in.txt")
			var _ = []string{"word", "..and so on", "/../x", "x/../y", "../../../etc/passwd", "../absent", "./"}`,
		"p/example/main.go": "package main\n", "p/example/mod/go.mod": "module x\n", "p/example/mod/x": "1", "p/word/w.go": "package word\n",
		"p/sub/s.go": "package sub\n", "p/sub/deep/in.txt": "1", "p/testdata/in.txt": "1",
		"shared/in.txt": "1", "shared/other.txt": "1", "golden/a.json": "1", "golden/mod/go.mod": "module x\n", "golden/mod/x": "1", "loose": "1",
	})
	dir := filepath.Join(root, "p")
	files := program.Parsed(&gotool.Package{Dir: dir, TestGoFiles: []string{"p_test.go"}})
	want := []string{"../../../etc/passwd", "../absent", "../golden", "../shared/in.txt", "example", "sub/deep/in.txt", "testdata/in.txt", "y"}
	if got := named(files); !slices.Equal(got, want) {
		t.Fatalf("named are %q", got)
	}
	digest := func() string {
		parts, err := digestNamed(root, dir, files)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(parts, " ")
	}
	for _, change := range []struct {
		file    string
		changes bool
	}{
		{"shared/in.txt", true}, {"golden/a.json", true}, {"golden/b.json", true}, {"absent", true},
		{"p/example/main.go", true}, {"p/example/new.txt", true}, {"p/sub/deep/in.txt", true},
		{"p/example/mod/x", false}, {"p/sub/s.go", false}, {"p/word/w.go", false},
		{"p/testdata/in.txt", false}, // it is part of the package
		{"shared/other.txt", false}, {"golden/mod/x", false}, {"loose", false},
	} {
		before := digest()
		writeTree(t, root, map[string]string{change.file: "2"})
		if (digest() != before) != change.changes {
			t.Errorf("%s: the context changes: %v", change.file, !change.changes)
		}
	}
}

func TestReplacedModulesAreFound(t *testing.T) {
	for file, text := range map[string]string{
		"go.mod":  "module p\n\ngo 1.26\n\nrequire x.org/x v1.0.0\n\nreplace x.org/x => ../x\n",
		"go.work": "go 1.26\n\nuse .\n\nreplace x.org/x => ../x\n",
	} {
		list, err := replaces(file, []byte(text))
		if err != nil || len(list) != 1 || list[0].New.Path != "../x" {
			t.Errorf("%s: %v, %v", file, list, err)
		}
	}
	for _, file := range []string{"go.mod", "go.work", "go.sum"} {
		if list, err := replaces(file, nil); err != nil || len(list) > 0 {
			t.Errorf("%s that is empty: %v, %v", file, list, err)
		}
	}
}
