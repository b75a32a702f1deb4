package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// fixture returns the results in testdata, fresh for every caller.
func fixture(t testing.TB) *results.Results {
	t.Helper()
	r, err := results.Load("testdata/results.json")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// golden compares got with a file in testdata. With -update it writes the file first.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got), rewrite with -update:\n%s", path, diff)
	}
}

func TestReviewIsAsAgreed(t *testing.T) {
	golden(t, "review.md", []byte(Markdown(fixture(t), Options{MaxFindings: 5})))
}

func TestTerminalSummaryIsAsAgreed(t *testing.T) {
	tests := []struct {
		file    string
		options TextOptions
	}{
		{"summary.txt", TextOptions{}},
		{"summary-color.txt", TextOptions{Color: true}},
		{"summary-narrow.txt", TextOptions{Width: 40}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			var b bytes.Buffer
			if err := Text(&b, fixture(t), tt.options); err != nil {
				t.Fatal(err)
			}
			golden(t, tt.file, b.Bytes())
		})
	}
}

func TestExplanationsAreAsAgreed(t *testing.T) {
	r := fixture(t)
	var b bytes.Buffer
	for i := range r.Mutants {
		if err := Explain(&b, r, r.Mutants[i].ID, ExplainOptions{}); err != nil {
			t.Fatal(err)
		}
		b.WriteString("\n---\n\n")
	}
	golden(t, "explain.txt", b.Bytes())
}

func TestCommandsHaveTheBuildTagsOfTheRun(t *testing.T) {
	r := fixture(t)
	r.FlakyTests = []results.FlakyTest{{Test: "m/p.TestA", Change: results.TestAdded, File: "a_test.go", Line: 7, Runs: 20, Failed: 3}}
	everything := func() string {
		var b strings.Builder
		b.WriteString(Markdown(r, Options{MaxFindings: 9}))
		for i := range r.Mutants {
			if err := Explain(&b, r, r.Mutants[i].ID, ExplainOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		return b.String()
	}
	commands := regexp.MustCompile(`go test( -count=100)?( -run| \./\.\.\.)`)
	all := commands.FindAllString(everything(), -1)
	if !slices.Contains(all, "go test -count=100 -run") || !slices.Contains(all, "go test -run") || !slices.Contains(all, "go test ./...") {
		t.Errorf("commands are %q", all)
	}
	r.Options.TestFlags = []string{"-tags=integration"}
	if left := commands.FindAllString(everything(), -1); len(left) > 0 {
		t.Errorf("commands without the tags: %q", left)
	}
	if n := strings.Count(everything(), "-tags=integration"); n != len(all) {
		t.Errorf("%d of %d commands have the tags", n, len(all))
	}
}
