package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// writeTo writes output to dir in the way a run does.
func writeTo(t *testing.T, dir string, output *engine.Output) error {
	t.Helper()
	folder, err := claimOutput(t.Context(), dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	return writeOutput(folder, output, regressionTests(output.Results))
}

func outputOf(entries ...corpus.Entry) *engine.Output {
	const harness = "example.com/m/p.FuzzX"
	o := &engine.Output{Results: &results.Results{}, Entries: map[string][]corpus.Entry{harness: entries}}
	o.Results.Tool.Name, o.Results.Options.Tests = "mutantfuzz", "auto"
	for _, e := range entries {
		o.Results.Corpus.New = append(o.Results.Corpus.New, results.Entry{ID: e.ID, Harness: harness, Path: "p/testdata/fuzz/FuzzX/" + e.ID})
	}
	o.Results.Mutants = []results.Mutant{{
		ID: "0123456789ab", Status: results.Survived, Stage: results.Propagated,
		ExposedBy: &results.ExposedBy{Test: "package p_test\n", TestFile: "p/x_test.go"},
	}}
	return o
}

func TestOutputIsReplaced(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	first, second := corpus.NewEntry([]byte("go test fuzz v1\nint(1)\n")), corpus.NewEntry([]byte("go test fuzz v1\nint(2)\n"))
	for _, e := range []corpus.Entry{first, second} {
		if err := writeTo(t, dir, outputOf(e)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]bool{
		"results.json": true, "report.md": true, "summary.md": true, "report.txt": true, "corpus.patch": true, "go.mod": true, ".gitignore": true,
		"corpus/example.com/m/p/FuzzX/" + first.ID:  false,
		"corpus/example.com/m/p/FuzzX/" + second.ID: true,
		"tests/p/mutant_0123456789ab_test.go":       true,
	} {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOutputSparesOtherFolders(t *testing.T) {
	dir := t.TempDir()
	test := filepath.Join(dir, "tests", "mine")
	if err := os.MkdirAll(test, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := writeTo(t, dir, outputOf()); exitStatus(err) != ExitUsage {
		t.Errorf("a folder with other things in it gives %v", err)
	}
	if _, err := os.Stat(test); err != nil {
		t.Errorf("what was there is gone: %v", err)
	}
}

func TestOutputStaysBelowItsFolder(t *testing.T) {
	base := t.TempDir()
	o := outputOf()
	o.Results.Mutants[0].ExposedBy.TestFile = "../../../x_test.go"
	if err := writeTo(t, filepath.Join(base, "out"), o); err == nil {
		t.Error("a test above the output folder was written")
	}
	list, err := os.ReadDir(base)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if f.Name() != "out" {
			t.Errorf("%s is next to the output folder", f.Name())
		}
	}
}
