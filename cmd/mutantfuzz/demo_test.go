package main

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/report"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

var update = flag.Bool("update", false, "write the review of the demo into README.md")

// TestDemoShowsOneOfEachKind runs the demo as users do, and compares the review
// with the one in README.md by its shape.
func TestDemoShowsOneOfEachKind(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and fuzzes")
	}
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	dir := filepath.Join(t.TempDir(), "demo")
	var stdout, stderr bytes.Buffer
	c := Command{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }}
	if got := c.Main(t.Context(), []string{"demo", "-q", "--keep", dir}); got != ExitOK {
		t.Fatalf("exit status %d; it said\n%s", got, stderr.String())
	}
	r, err := results.Load(filepath.Join(dir, defaultOut, "results.json"))
	if err != nil {
		t.Fatal(err)
	}

	t.Run("an exposed mutant with its test", func(t *testing.T) { checkExposed(t, r, stdout.String()) })
	t.Run("a mutant that only fuzzing kills", func(t *testing.T) { checkFuzzed(t, r, dir) })
	t.Run("a survivor", func(t *testing.T) { checkSurvivor(t, r) })
	t.Run("no crash", func(t *testing.T) {
		if len(r.Crashes) > 0 {
			t.Errorf("%+v", r.Crashes)
		}
	})
	t.Run("nothing left behind", func(t *testing.T) {
		if left, _ := os.ReadDir(temporary); len(left) > 0 {
			t.Errorf("the temporary folder has %v", left)
		}
	})
	t.Run("the README shows it", func(t *testing.T) { checkReadme(t, report.Markdown(r, report.Options{})) })
}

// checkExposed wants a confirmed mutant with an input, both results, and a
// test, which is printed.
func checkExposed(t *testing.T, r *results.Results, stdout string) {
	for _, f := range report.Findings(r) {
		m := f.Mutant
		if m == nil || m.ExposedBy == nil || m.ExposedBy.Test == "" {
			continue
		}
		x := m.ExposedBy
		if m.Verified && x.Entry != "" && x.Original != x.Mutant && strings.Contains(stdout, x.Call) && strings.Contains(stdout, x.Test) {
			return
		}
	}
	t.Errorf("no finding is exposed with input, results and test in\n%s", stdout)
}

// checkFuzzed wants a mutant that survives all tests and dies of an input that
// is among the new entries and in the output folder.
func checkFuzzed(t *testing.T, r *results.Results, dir string) {
	for _, m := range r.Mutants {
		k := m.KilledBy
		if k == nil || k.By != results.ByTarget || k.Kind != results.KindEntry {
			continue
		}
		for _, e := range r.Corpus.New {
			file := filepath.Join(dir, defaultOut, "corpus", filepath.FromSlash(harnessFolder(e.Harness)), e.ID)
			if _, err := os.Stat(file); err == nil && e.ID == k.Entry {
				return
			}
		}
	}
	t.Error("no mutant is killed by a new entry alone")
}

// checkSurvivor wants a survivor that runs, and that no input exposes.
func checkSurvivor(t *testing.T, r *results.Results) {
	for i := range r.Mutants {
		if m := &r.Mutants[i]; m.Status == results.Survived && !m.Exposed() && m.Stage != results.NotReached {
			return
		}
	}
	t.Error("no mutant is a plain survivor")
}

// Numbers vary from machine to machine (how often something ran, and for how
// long), and so may the inputs that were found first.
var (
	numbers = regexp.MustCompile(`\d+(\.\d+)?( [kMG]\b)?( min \d+ s| s\b| ms\b)?`)
	inputs  = regexp.MustCompile("`[^`\\n]+`")
)

// shape is a review without what may vary.
func shape(review string) string {
	return numbers.ReplaceAllString(inputs.ReplaceAllString(review, "`...`"), "N")
}

// checkReadme compares the review in README.md with review by its shape; with
// -update it writes it there.
func checkReadme(t *testing.T, review string) {
	const readme, begin, end = "../../README.md", "-run TestDemo -update -->\n", "<!-- end of the review -->"
	data, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(data), begin)
	old, tail, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("%s has no place for the review", readme)
	}
	review = "\n" + fold(quote(review)) + "\n"
	if *update {
		if err := os.WriteFile(readme, []byte(head+begin+review+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(shape(old), shape(review)); diff != "" {
		t.Errorf("the review in the README is another one; go test ./cmd/mutantfuzz -run TestDemo -update writes it anew:\n%s", diff)
	}
}

// fold hides what follows the first finding of a quoted review.
func fold(review string) string {
	first, rest, ok := strings.Cut(review, "> **2. ")
	if !ok {
		return review
	}
	return strings.TrimSuffix(first, ">\n") + "\n<details><summary>The rest of the review</summary>\n\n> **2. " + rest + "\n</details>\n"
}

// quote makes Markdown a quotation.
func quote(markdown string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimRight(markdown, "\n") + "\n") {
		io.WriteString(&b, strings.TrimRight("> "+line, " \n")+"\n")
	}
	return b.String()
}
