package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/report"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

var update = flag.Bool("update", false, "write what has to come out: the review of the demo into docs, those in testdata/reviews")

// TestDemoShowsOneOfEachKind runs the demo as users do. It also compares the shape of the review with that of
// docs/review.md.
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
	t.Run("the documentation shows it", func(t *testing.T) { checkReview(t, report.Markdown(r, report.Options{})) })
}

// checkExposed checks that some finding is a confirmed mutant exposed by an input, with two different results, and that
// stdout has the call and the test to add.
func checkExposed(t *testing.T, r *results.Results, stdout string) {
	for _, f := range finding.Findings(r) {
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

// checkFuzzed checks that a fuzz target kills some mutant with a new corpus entry, which is in the output folder.
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

// checkSurvivor checks that some survivor is reached, but not exposed.
func checkSurvivor(t *testing.T, r *results.Results) {
	for i := range r.Mutants {
		if m := &r.Mutants[i]; m.Status == results.Survived && !m.Exposed() && m.Stage != results.NotReached {
			return
		}
	}
	t.Error("no mutant is a plain survivor")
}

// These match what varies from machine to machine: counts of runs, durations, and the inputs that were found first.
var (
	numbers = regexp.MustCompile(`\d+(\.\d+)?( [kMG]\b)?( min \d+ s| s\b| ms\b)?`)
	inputs  = regexp.MustCompile("`[^`\\n]+`")
)

// shape returns a review without what may vary.
func shape(review string) string {
	return numbers.ReplaceAllString(inputs.ReplaceAllString(review, "`...`"), "N")
}

// checkReview compares the shape of review with that of docs/review.md, which the README shows as a picture. With
// -update it writes review there instead.
func checkReview(t *testing.T, review string) {
	const file = "../../docs/review.md"
	if *update {
		if err := os.WriteFile(file, []byte(review), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(shape(string(old)), shape(review)); diff != "" {
		t.Errorf("the review in %s is another one; go generate ./internal/picture writes it and its picture anew:\n%s", file, diff)
	}
}
