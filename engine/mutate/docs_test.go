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

A mutant is one small edit of one function. An operator is a rule that makes mutants. Code that a mutant disables stays in
the function, behind a condition that is never true, so that every variable and import is still used and the mutant
compiles. An expression is left out only if everything that it uses is also used elsewhere. If two mutants have the same
text, only the first is kept: outer expressions and statements come first, and at the same place more specific operators.

Code whose mutants tell a reviewer nothing is not mutated: logging, metrics, flags, waiting and deadlines, capacity hints
and what is computed only for them, error texts, ` + "`String`, `GoString` and `Error`" + ` methods, debug blocks, code that clears a
value for a ` + "`sync.Pool`" + `, code that only fills a cache of results or makes a key for it, and test helpers, which take a
` + "`*testing.T`" + ` or the like, or call ` + "`testing.Testing`" + `. To leave out more, put ` + "`//mutantfuzz:ignore reason`" + ` at the end of a
line, on the line above it, or into the doc comment of a function.

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
