package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/report"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// The output folder is invisible to git by a .gitignore and to "./..." by a
// go.mod of its own.
const (
	outGitignore = "*\n"
	outGoMod     = "// Keeps the go command's ./... out of the output of mutantfuzz.\nmodule mutantfuzz.out\n"
)

// claimOutput makes dir a folder of ours before an analysis begins, so that one
// that cannot be written costs no time. It refuses one that holds other things:
// --out is easily mistyped, and what is removed is gone.
func claimOutput(dir string) error {
	list, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return usagef("--out: %w\nhint: name a folder; it need not exist", err)
	}
	mark, _ := os.ReadFile(filepath.Join(dir, "go.mod"))
	if len(list) > 0 && string(mark) != outGoMod {
		return usagef("--out %s is a folder with other things in it\nhint: name a folder that is empty or does not exist yet", dir)
	}
	for name, text := range map[string]string{".gitignore": outGitignore, "go.mod": outGoMod} {
		if err := writeBelow(dir, name, []byte(text)); err != nil {
			return usagef("--out: %w\nhint: name a folder that can be written", err)
		}
	}
	return nil
}

// writeOutput replaces what an earlier run left in dir by the output of this
// one. results.json is written last and in one step: when it is there, so is
// the rest.
func writeOutput(dir string, output *engine.Output) error {
	if err := claimOutput(dir); err != nil {
		return err
	}
	err := removeOutput(dir)
	if err == nil {
		err = writeFiles(dir, output)
	}
	if errors.Is(err, fs.ErrPermission) {
		return usagef("writing results: %w\nhint: choose another folder with --out", err)
	}
	return err
}

// ownOutput are the names that belong to mutantfuzz in an output folder.
var ownOutput = []string{"results.json", "corpus.patch", "report.md", "report.txt", "tests", "corpus"}

// removeOutput removes what an earlier run left in dir.
func removeOutput(dir string) error {
	for _, name := range ownOutput {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

func writeFiles(dir string, output *engine.Output) error {
	r := output.Results
	files := map[string][]byte{
		"report.md": []byte(report.Markdown(r, report.Options{})),
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
	for harness, entries := range output.Entries {
		for _, e := range entries {
			files[path.Join("corpus", harnessFolder(harness), e.ID)] = e.Data
		}
	}
	for name, test := range regressionTests(r) {
		files[path.Join("tests", name)] = []byte(test)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := writeBelow(dir, name, files[name]); err != nil {
			return err
		}
	}
	return results.Save(filepath.Join(dir, "results.json"), r)
}

// writeBelow writes the file of a slash-separated name that leads nowhere out
// of dir.
func writeBelow(dir, name string, data []byte) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("output file %q is not below the output folder", name)
	}
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// harnessFolder turns import/path.FuzzX into import/path/FuzzX.
func harnessFolder(harness string) string {
	dot := strings.LastIndexByte(harness, '.')
	if dot < 0 {
		return harness
	}
	return harness[:dot] + "/" + harness[dot+1:]
}

// patchFiles are the new entries as files of the repository.
func patchFiles(output *engine.Output) []corpus.PatchFile {
	var files []corpus.PatchFile
	for _, e := range output.Results.Corpus.New {
		entries := output.Entries[e.Harness]
		if i := slices.IndexFunc(entries, func(x corpus.Entry) bool { return x.ID == e.ID }); i >= 0 {
			files = append(files, corpus.PatchFile{Path: e.Path, Data: entries[i].Data})
		}
	}
	return files
}

// regressionTests returns the tests of exposed mutants by file name. The folder
// of a file is the one that its test belongs in; the file is named after the
// mutant, so that it does not replace one that is there when it is copied.
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
