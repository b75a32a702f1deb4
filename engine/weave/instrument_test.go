package weave

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// FuzzInstrument instruments any function that parses. The result has to parse, too,
// as one declaration with the same number of lines, and to contain all text of the
// original. The same holds for its clones.
func FuzzInstrument(f *testing.F) {
	for _, text := range sampleFunctions(f) {
		f.Add(text)
	}
	for _, text := range []string{
		"func f() {}",
		"func (T) _(_, _ int, ...string) (_ error) { L: ; goto L }",
		"func f() { if a {} else if b := c; d {} else if e {}; if g {} }",
		"func f() { switch x := y.(type) { case T: fallthrough; default: {{}} }; select { case <-c: } }",
		"func f[T any](x T) { for range 3 { func() { for { break } }() } }",
		"func f() { defer func() { recover() }(); go func() {}(); x: for ; ; i++ { continue x } }",
		"func f() { /* a\n b */ return // c\n}",
		"func f() {\r\n\treturn `\r\n`\r\n}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := parseDecl(text)
		if err != nil {
			t.Skip()
		}
		var out edits
		blocks := 0
		in := &instrument{alias: "mfz", offset: d.offset, out: &out, block: func(anchor) int { blocks++; return blocks - 1 }}
		out.insert(d.offset(d.decl.Body.Lbrace)+1, "prologue();")
		in.function(d.decl.Body)
		woven := string(out.apply([]byte(text)).text)
		if blocks == 0 || !subsequence(text, woven) {
			t.Errorf("%d counters, or something is lost:\n%s\n%s", blocks, text, woven)
		}
		sameShape(t, text, woven)
		for _, where := range []placement{asFunction, asMethod} {
			fn := &function{file: &file{alias: "mfz"}, where: where}
			clone, err := fn.clone(variant{name: "clone", text: text, origin: func(at int) int { return at }})
			if err != nil {
				t.Fatal(err)
			}
			sameShape(t, text, string(clone.text))
		}
	})
}

// sameShape checks that woven is one function with as many lines as text.
func sameShape(t *testing.T, text, woven string) {
	t.Helper()
	if _, err := parseDecl(woven); err != nil {
		t.Errorf("%v:\n%s\n%s", err, text, woven)
	}
	if strings.Count(text, "\n") != strings.Count(woven, "\n") {
		t.Errorf("the number of lines is another:\n%s\n%s", text, woven)
	}
}

// subsequence reports whether part can be made of whole by leaving bytes out.
func subsequence(part, whole string) bool {
	for i := 0; i < len(whole) && part != ""; i++ {
		if whole[i] == part[0] {
			part = part[1:]
		}
	}
	return part == ""
}

func TestProbePathIsFree(t *testing.T) {
	used := []string{"example.com/m", "example.com/m/mutantfuzzprobe", "example.com/m/mutantfuzzprobe_/wire"}
	if got := FreeProbePath("example.com/m", used); got != "example.com/m/mutantfuzzprobe__" {
		t.Errorf("got %s", got)
	}
}

func TestHarnessesAloneShareTheStateFilesOfTheWovenBinary(t *testing.T) {
	layout := wire.Layout{Blocks: 7, Funcs: 3, Mutants: 5}
	w := &weaver{
		in:  Input{ProbePath: "example.com/m/probe", ProbeDir: "probe", HarnessOnly: true, Layout: layout},
		out: &Woven{Overlay: map[string][]byte{}},
	}
	if err := w.addProbe(); err != nil {
		t.Fatal(err)
	}
	text := string(w.out.Overlay[filepath.Join("probe", probe.LayoutFile)])
	if w.out.Layout != layout || !strings.Contains(text, "NumBlocks = 7") || !strings.Contains(text, "NumMutants = 5") {
		t.Errorf("layout %+v and this source, want %+v:\n%s", w.out.Layout, layout, text)
	}
}

// sampleFunctions returns the source of all functions in testdata.
func sampleFunctions(t testing.TB) (list []string) {
	err := filepath.WalkDir("testdata", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		syntax, err := parser.ParseFile(fset, name, src, 0)
		if err != nil {
			return err
		}
		for _, d := range syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				file := fset.File(d.Pos())
				list = append(list, string(src[file.Offset(d.Pos()):file.Offset(d.End())]))
			}
		}
		return nil
	})
	if err != nil || len(list) < 50 {
		t.Fatalf("%v; %d functions", err, len(list))
	}
	return list
}
