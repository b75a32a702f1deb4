package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// counts renders a format that the program does not have.
type counts struct{}

// Render writes how many mutants were killed and how many survived.
func (counts) Render(w io.Writer, r *results.Results) error {
	if r.Score.Killed < 0 {
		return fmt.Errorf("killed: %d", r.Score.Killed)
	}
	_, err := fmt.Fprintf(w, "killed,survived\n%d,%d\n", r.Score.Killed, r.Score.Survived)
	return err
}

// withCounts returns all formats and counts.
func withCounts(o report.TextOptions) report.Formats {
	return append(report.AllFormats(o), report.Format{Name: "counts", Renderer: counts{}})
}

// show runs a command line with formats.
func show(t *testing.T, formats func(report.TextOptions) report.Formats, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	var out, errs bytes.Buffer
	c := Command{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, Formats: formats}
	status = c.Main(t.Context(), args)
	return out.String(), errs.String(), status
}

func TestANewFormatIsOfferedEverywhere(t *testing.T) {
	file := filepath.Join("..", "..", "report", "testdata", "results.json")
	r, err := results.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("killed,survived\n%d,%d\n", r.Score.Killed, r.Score.Survived)
	if stdout, stderr, status := show(t, withCounts, "report", "--results", file, "--format", "counts"); status != ExitOK || stdout != want {
		t.Errorf("status %d, %q, %s", status, stdout, stderr)
	}
	for name, args := range map[string][]string{
		"help of the command": {"report", "--help"},
		"list of commands":    {"help"},
	} {
		if stdout, _, _ := show(t, withCounts, args...); !strings.Contains(stdout, "text, markdown, summary, json or counts") {
			t.Errorf("%s: %s", name, stdout)
		}
	}
	if stdout, _, _ := show(t, withCounts, "__complete", "report", "--format", ""); !strings.Contains(stdout, "\ncounts\n") {
		t.Errorf("completion: %s", stdout)
	}
	_, stderr, status := show(t, withCounts, "report", "--results", file, "--format", "pdf")
	if status != ExitUsage || !strings.Contains(stderr, `--format "pdf" is not known`) || !strings.Contains(stderr, "\nhint: use text, markdown, summary, json or counts\n") {
		t.Errorf("status %d, %s", status, stderr)
	}
	_, stderr, status = show(t, nil, "report", "--results", file, "--format", "counts")
	if status != ExitUsage || !strings.Contains(stderr, "\nhint: use text, markdown, summary or json\n") {
		t.Errorf("without it: status %d, %s", status, stderr)
	}
}

func TestTheFirstFormatIsTheDefault(t *testing.T) {
	file := filepath.Join("..", "..", "report", "testdata", "results.json")
	first := func(o report.TextOptions) report.Formats { return withCounts(o)[4:] }
	if stdout, stderr, status := show(t, first, "report", "--results", file); status != ExitOK || !strings.HasPrefix(stdout, "killed,survived\n") {
		t.Errorf("status %d, %q, %s", status, stdout, stderr)
	}
}
