package report

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
	"github.com/mutantfuzz/mutantfuzz/report/story"
)

// Patch returns a unified diff that makes the mutant in a source tree at head. Apply it with "git apply
// --unidiff-zero". The ID may be abbreviated.
//
// A patch must reproduce the lines of the file byte by byte. If these contain something that is invisible, steers a
// terminal or is a command to a CI runner, no patch is both correct and safe to print, and Patch returns an error that
// says so.
func Patch(r *results.Results, id string) (string, error) {
	m, err := Mutant(r, id)
	if err != nil {
		return "", err
	}
	whole := m.Whole()
	mutated, ok := edit.Applied(m)
	if !ok || m.Needs != nil || m.EndLine-m.Line != strings.Count(m.Context, "\n") {
		return "", fmt.Errorf("no patch can be written for mutant %q: the results do not have all the lines that it changes\nhint: replace bytes %d to %d of %q by its replacement, which results.json has",
			prose.Inline(m.ID), whole.Offset, m.EndOffset, prose.Inline(m.File))
	}
	before, after := strings.Split(m.Context, "\n"), strings.Split(mutated, "\n")
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s\n@@ -%d,%d +%d,%d @@\n", gitName("a/"+m.File), gitName("b/"+m.File),
		m.Line, len(before), m.Line, len(after))
	for _, line := range before {
		b.WriteString("-" + line + "\n")
	}
	for _, line := range after {
		b.WriteString("+" + line + "\n")
	}
	if !printable(b.String()) {
		return "", fmt.Errorf("no patch can be written for mutant %q: its lines hold characters that cannot be seen, and a patch has to have them as they are\nhint: replace bytes %d to %d of %q by its replacement, which results.json has",
			prose.Inline(m.ID), m.Offset, m.EndOffset, prose.Inline(m.File))
	}
	return b.String(), nil
}

// printable reports whether s stays the same when it is made visible, except for carriage returns before line feeds.
func printable(s string) bool {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return prose.ManyLines(s) == s
}

// gitName writes a file name as git does in a diff: quoted if it has characters that would end the line or the name.
func gitName(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7f }) {
		return strconv.Quote(name)
	}
	return name
}

// commands returns the shell commands that reproduce a verdict. file is where r was read from; "": the default.
func commands(r *results.Results, m *results.Mutant, file string) []string {
	id, out := prose.ShellWord(prose.Inline(m.ID)), "mutantfuzz.out"
	if file != "" {
		id, out = "--results "+prose.ShellWord(file)+" "+id, filepath.Dir(file)
	}
	lines := []string{"mutantfuzz recheck " + id}
	run := ""
	switch {
	case m.KilledBy != nil && m.KilledBy.By == results.ByDriver, m.ExposedBy != nil && m.ExposedBy.Driver:
		return lines // the driver is not in the source
	case m.KilledBy != nil:
		run = story.GoTestOne(r, m.KilledBy.Name, story.EntryName(r, m.KilledBy.Name, m.KilledBy.Entry))
		if m.Reason != "" { // that test alone is not enough
			run = story.GoTestAll(r, m.KilledBy.Name)
		}
	case m.ExposedBy != nil && !m.ExposedBy.InTest:
		run = story.GoTestOne(r, m.ExposedBy.Harness, story.EntryName(r, m.ExposedBy.Harness, m.ExposedBy.Entry))
	case m.Status == results.Survived:
		run = story.GoTest(r) + " ./..."
	}
	if _, err := Patch(r, m.ID); err != nil || run == "" {
		return lines
	}
	if e := story.EntryOf(r, m); e != nil && e.Path != "" {
		lines = append(lines, "git apply "+prose.ShellWord(filepath.Join(out, "corpus.patch")))
	}
	apply := "mutantfuzz explain --patch " + id + " | git apply --unidiff-zero"
	return append(lines, apply, run, apply+" --reverse")
}
