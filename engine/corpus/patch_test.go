package corpus

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

var patchFiles = []PatchFile{
	{"testdata/fuzz/FuzzParse/1b2c3d", []byte("go test fuzz v1\nstring(\"x\")\n")},
	{"no newline/at end", []byte("go test fuzz v1\n[]byte(\"x\")")},
	{"crlf", []byte("go test fuzz v1\r\nint(1)\r\n")},
	{"blank lines", []byte("\n\n")},
	{"trailing space", []byte("a \t\n")},
	{"like a patch", []byte("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-- \n")},
	{"é", []byte("go test fuzz v1\n")},
}

// apply has a program apply the patch for files in a new folder, which it returns.
func apply(t *testing.T, files []PatchFile, name string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skip(err)
	}
	patch, err := Patch(files)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Stdin = bytes.NewReader(patch)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s\npatch:\n%s", name, err, out, patch)
	}
	return dir
}

func checkFiles(t *testing.T, dir string, files []PatchFile) {
	t.Helper()
	for _, f := range files {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Path)))
		if err != nil || !bytes.Equal(got, f.Data) {
			t.Errorf("%s: %q, %v; want %q", f.Path, got, err, f.Data)
		}
	}
}

func TestGitAppliesThePatch(t *testing.T) {
	files := append([]PatchFile{{"empty", nil}}, patchFiles...)
	checkFiles(t, apply(t, files, "git", "apply", "--whitespace=nowarn", "-"), files)
}

func TestPatchProgramAppliesThePatch(t *testing.T) {
	checkFiles(t, apply(t, patchFiles, "patch", "-p1", "--silent"), patchFiles)
}

func TestPatchIsInOrderOfPaths(t *testing.T) {
	forth, _ := Patch([]PatchFile{{"a", []byte("a\n")}, {"b", []byte("b\n")}})
	back, _ := Patch([]PatchFile{{"b", []byte("b\n")}, {"a", []byte("a\n")}})
	if !bytes.Equal(forth, back) || len(forth) == 0 {
		t.Errorf("%s\nand\n%s", forth, back)
	}
}

func TestPatchOfNothingIsEmpty(t *testing.T) {
	if patch, err := Patch(nil); len(patch) != 0 || err != nil {
		t.Errorf("%q, %v", patch, err)
	}
}

func TestPatchStaysBelowTheRoot(t *testing.T) {
	for _, path := range []string{"", ".", "../x", "/etc/passwd", "a/../../b", "a//b"} {
		if _, err := Patch([]PatchFile{{path, []byte("x")}}); err == nil {
			t.Errorf("no error for %q", path)
		}
	}
}

// FuzzPatch checks that an independent reader of patches, go-gitdiff, gets back the data that Patch was given.
func FuzzPatch(f *testing.F) {
	for _, p := range patchFiles {
		f.Add(p.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		patch, err := Patch([]PatchFile{{"entry", data}})
		if err != nil {
			t.Fatal(err)
		}
		files, _, err := gitdiff.Parse(bytes.NewReader(patch))
		if err != nil || len(files) != 1 {
			t.Fatalf("%d files, %v:\n%s", len(files), err, patch)
		}
		var got bytes.Buffer
		if err := gitdiff.Apply(&got, bytes.NewReader(nil), files[0]); err != nil || !bytes.Equal(got.Bytes(), data) {
			t.Errorf("%q became %q, %v", data, got.Bytes(), err)
		}
	})
}
