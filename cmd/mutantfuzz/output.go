package main

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/report"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Contents of the files that hide the output folder: .gitignore hides it from git, go.mod from the pattern
// "./...".
const (
	outGitignore = "*\n"
	outGoMod     = "// Keeps the go command's ./... out of the output of mutantfuzz.\nmodule mutantfuzz.out\n"
)

// claimOutput opens dir as an output folder of mutantfuzz, and creates it if necessary. It does so before the
// analysis, so that a folder that cannot be written costs no time. It refuses a folder that came with the
// repository. It also refuses one that holds other things: --out is easily mistyped, and a run removes files. The
// caller closes the folder.
func claimOutput(ctx context.Context, dir string) (*os.Root, error) {
	dir = filepath.Clean(dir) // as brought does; otherwise "link/.." would lead elsewhere
	switch yes, err := brought(ctx, dir); {
	case err != nil:
		return nil, err
	case yes:
		return nil, usagef("--out %s came with the repository: git tracks it, something in it, or a link on the way to it\nhint: name another folder with --out", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, usagef("--out: %w\nhint: name a folder; it need not exist", err)
	}
	folder, err := os.OpenRoot(dir)
	if err != nil {
		return nil, usagef("--out: %w\nhint: name a folder; it need not exist", err)
	}
	if err := markOutput(folder); err != nil {
		folder.Close()
		return nil, err
	}
	return folder, nil
}

// markOutput marks folder as an output folder of mutantfuzz. It refuses a folder that holds other things.
func markOutput(folder *os.Root) error {
	list, err := fs.ReadDir(folder.FS(), ".")
	if err != nil {
		return usagef("--out: %w\nhint: name a folder that can be read", err)
	}
	mark, _ := folder.ReadFile("go.mod")
	if len(list) > 0 && string(mark) != outGoMod {
		return usagef("--out %s is a folder with other things in it\nhint: name a folder that is empty or does not exist yet", folder.Name())
	}
	// The mark, go.mod, comes last: without it, this is not an output folder yet.
	for _, f := range []struct{ name, text string }{{".gitignore", outGitignore}, {"go.mod", outGoMod}} {
		if err := writeBelow(folder, f.name, []byte(f.text)); err != nil {
			return usagef("--out: %w\nhint: name a folder that can be written", err)
		}
	}
	return nil
}

// writeOutput replaces the output of an earlier run in folder by the output of this one. It writes results.json
// last and in one step: if that file exists, so do the others. tests maps file names to contents. If the system
// fails, for example for lack of space or permission, the error is a *usageError.
func writeOutput(folder *os.Root, output *engine.Output, tests map[string]string) error {
	err := removeOutput(folder)
	if err == nil {
		err = writeFiles(folder, output, tests)
	}
	var system syscall.Errno
	if errors.As(err, &system) {
		return usagef("writing results: %w\nhint: make room, or choose another folder with --out", err)
	}
	return err
}

// ownOutput are the entries of an output folder that every run replaces.
var ownOutput = []string{"results.json", "corpus.patch", "report.md", "summary.md", "report.txt", "tests", "corpus"}

// removeOutput removes the output of an earlier run from folder.
func removeOutput(folder *os.Root) error {
	for _, name := range ownOutput {
		if err := folder.RemoveAll(name); err != nil {
			return err
		}
	}
	return nil
}

func writeFiles(folder *os.Root, output *engine.Output, tests map[string]string) error {
	r := output.Results
	files := map[string][]byte{
		"report.md":  []byte(report.Markdown(r, report.Options{})),
		"summary.md": []byte(report.Markdown(r, report.Options{Whole: true})),
	}
	var text strings.Builder
	if err := report.Text(&text, r, report.TextOptions{}); err != nil {
		return err
	}
	files["report.txt"] = []byte(text.String())
	patch, err := corpus.Patch(patchFiles(output))
	if err != nil {
		return err
	}
	files["corpus.patch"] = patch
	if len(output.Tests) > 0 {
		files["tests/tests.patch"] = output.Tests
	}
	for harness, entries := range output.Entries {
		for _, e := range entries {
			files[path.Join("corpus", harnessFolder(harness), e.ID)] = e.Data
		}
	}
	for name, test := range tests {
		files[path.Join("tests", name)] = []byte(test)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := writeBelow(folder, name, files[name]); err != nil {
			return err
		}
	}
	return results.Save(folder, "results.json", r)
}

// writeBelow writes the file with a slash-separated name below folder. It returns an error if the name leads out
// of the folder, be it through links.
func writeBelow(folder *os.Root, name string, data []byte) error {
	if err := folder.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	return folder.WriteFile(name, data, 0o644)
}

// harnessFolder turns import/path.FuzzX into import/path/FuzzX.
func harnessFolder(harness string) string {
	dot := strings.LastIndexByte(harness, '.')
	if dot < 0 {
		return harness
	}
	return harness[:dot] + "/" + harness[dot+1:]
}

// patchFiles returns the new corpus entries that are worth committing, as files of the repository.
func patchFiles(output *engine.Output) []corpus.PatchFile {
	var files []corpus.PatchFile
	for _, e := range finding.Worthwhile(output.Results) {
		entries := output.Entries[e.Harness]
		if i := slices.IndexFunc(entries, func(x corpus.Entry) bool { return x.ID == e.ID }); i >= 0 {
			files = append(files, corpus.PatchFile{Path: e.Path, Data: entries[i].Data})
		}
	}
	return files
}

// regressionTests returns the tests of exposed mutants by file name. The folder of a file is the one where its
// test belongs. The file is named after the mutant, so that copying it does not replace an existing file.
func regressionTests(r *results.Results) map[string]string {
	tests := map[string]string{}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if m.ExposedBy != nil && m.ExposedBy.Test != "" {
			tests[path.Join(path.Dir(m.ExposedBy.TestFile), "mutant_"+m.ID+"_test.go")] = m.ExposedBy.Test
		}
	}
	return tests
}
