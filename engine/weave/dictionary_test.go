package weave

import (
	"bytes"
	"go/parser"
	"go/token"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

func TestLiteralsOfTestsAreThoseThatNobodyPrints(t *testing.T) {
	const source = `package p
import "testing"
type row struct { name string ` + "`json:\"tag\"`" + ` }
func TestF(t *testing.T) {
	for _, r := range []row{{"input"}, {0x40}, {2.5}, {'c'}} {
		t.Run("subtest", func(t *testing.T) {
			if got := F(r.name, "argument"); got != "input" {
				t.Errorf("got %q, want %q", got, "printed")
			}
		})
		check(got == want, "these words are printed", t)
		check(F("all of these words"), "words", t)
		if G("first line\n\tsecond line\n") != "one\n" {
			t.Fail()
		}
		t.Log(errors.New("error"), fmt.Sprint("text", G("nested")))
	}
}`
	file, err := parser.ParseFile(token.NewFileSet(), "p_test.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := &literals{seen: map[string]bool{}, verbatim: true}
	c.test(file)
	if got := string(bytes.Join(c.list, []byte("|"))); got != "input|0x40|2.5|c|argument|all of these words|words|first line\n\tsecond line\n|first line|second line|one\n|one|nested" {
		t.Errorf("the literals are %s", got)
	}
}

func TestErrorTextsOfOldLinesAreNoLiterals(t *testing.T) {
	c := &literals{seen: map[string]bool{}}
	c.undone(&mutate.Mutant{Whole: true, Replacement: "if key == \"old\" {\n\treturn fmt.Errorf(\"parse: %w\", err)\n}\npanic(\"never\")\nreturn errors.New(\"bad\")\n"})
	if got := string(bytes.Join(c.list, []byte("|"))); got != "old" {
		t.Errorf("the literals are %s", got)
	}
}
