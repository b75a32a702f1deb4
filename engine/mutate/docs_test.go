package mutate

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write docs/operators.md instead of comparing it")

func TestOperatorsDocIsCurrent(t *testing.T) {
	const name = "../../docs/operators.md"
	want := operatorsDoc()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("run go generate ./engine/mutate (-want +got):\n%s", diff)
	}
}

// operatorsDoc returns what docs/operators.md has to contain.
func operatorsDoc() string {
	var b strings.Builder
	b.WriteString(docHeader)
	for _, op := range Operators() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s |\n", op.Name, op.Name, op.Category)
	}
	for _, op := range Operators() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n```diff\n%s```\n", op.Name, op.Doc, lineDiff(op.Before, op.After))
	}
	return b.String()
}

const docHeader = `# Mutation operators

<!-- Generated from the operators in engine/mutate: go generate ./engine/mutate -->

A mutant is one small change to one function. An operator is a rule that makes mutants. What a mutant disables stays
behind a condition that never holds, so that every variable and import is still used and the mutant compiles; an
expression is left out only where all that it uses is used elsewhere too. Of mutants that come to the same text, one is
kept: it goes by the name of the most specific operator.

Code whose mutants tell a reviewer nothing is not mutated: logging, metrics, flags, waiting and deadlines, capacity
hints and what is only computed for them, the text of errors, ` + "`String`, `GoString` and `Error`" + ` methods, blocks that only
debug, what empties a value before ` + "`sync.Pool`" + ` gets it, what only fills a cache of results or makes a key for it, and
helpers of tests, which take a ` + "`*testing.T`" + ` or the like, or call ` + "`testing.Testing`" + `. To leave out more, put ` + "`//mutantfuzz:ignore reason`" + ` at the
end of a line, on the line above it, or into a function's doc comment.

| operator | category |
|---|---|
`

// lineDiff returns a diff of before and after, which must differ in one run of lines.
func lineDiff(before, after string) string {
	old, now := strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")
	first := 0
	for old[first] == now[first] {
		first++
	}
	last := 1
	for old[len(old)-last] == now[len(now)-last] {
		last++
	}
	var b strings.Builder
	write := func(mark string, lines []string) {
		for _, line := range lines {
			if line != "" {
				b.WriteString(mark + line)
			}
		}
	}
	write(" ", old[:first])
	write("-", old[first:len(old)-last+1])
	write("+", now[first:len(now)-last+1])
	write(" ", old[len(old)-last+1:])
	return b.String()
}
