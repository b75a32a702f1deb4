//go:build unix

package corpus

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNoEntryIsWaitedFor(t *testing.T) {
	dir, pkg := t.TempDir(), t.TempDir()
	good := entry("good")
	for folder, load := range map[string]func() ([]Entry, []error){
		filepath.Join(dir, "example.com", "m", "parse", "FuzzParse"): func() ([]Entry, []error) { return open(t, dir).Load(t.Context(), harness) },
		filepath.Join(pkg, "testdata", "fuzz", "FuzzParse"):          func() ([]Entry, []error) { return Testdata(t.Context(), pkg, "FuzzParse") },
	} {
		write(t, good.Data, folder, "good")
		err := errors.Join(
			syscall.Mkfifo(filepath.Join(folder, "pipe"), 0o600), os.Symlink("pipe", filepath.Join(folder, "link")),
			os.Symlink("/dev/zero", filepath.Join(folder, "zero")), os.Symlink("good", filepath.Join(folder, "linked")),
		)
		if err != nil {
			t.Fatal(err)
		}
		entries, problems := load()
		if diff := cmp.Diff([]Entry{good}, entries); diff != "" {
			t.Errorf("entries: -want +got\n%s", diff)
		}
		if text := errors.Join(problems...).Error(); len(problems) != 4 || strings.Count(text, "not a regular file") != 4 {
			t.Errorf("%s: %s", folder, text)
		}
	}
}

func TestNoFolderIsWaitedFor(t *testing.T) {
	dir, pkg := t.TempDir(), t.TempDir()
	for _, parent := range []string{filepath.Join(dir, "example.com", "m", "parse"), filepath.Join(pkg, "testdata", "fuzz")} {
		if err := errors.Join(os.MkdirAll(parent, 0o700), syscall.Mkfifo(filepath.Join(parent, "FuzzParse"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, dir)
	if entries, problems := s.Load(t.Context(), harness); len(entries) != 0 || len(problems) != 1 {
		t.Errorf("%v, %v", entries, problems)
	}
	if err := s.Save(t.Context(), harness, []Entry{entry("new")}); err == nil {
		t.Error("an entry was saved below a named pipe")
	}
	if entries, problems := Testdata(t.Context(), pkg, "FuzzParse"); len(entries) != 0 || len(problems) != 1 {
		t.Errorf("%v, %v", entries, problems)
	}
}

func TestWhatStandsInThePlaceOfAnEntryIsReplacedAndNotWrittenTo(t *testing.T) {
	dir := t.TempDir()
	e, f := entry("pipe"), entry("link")
	kept := write(t, []byte("as it was"), t.TempDir(), "kept")
	folder := filepath.Join(dir, "example.com", "m", "parse", "FuzzParse")
	if err := errors.Join(os.MkdirAll(folder, 0o700), syscall.Mkfifo(filepath.Join(folder, e.ID), 0o600), os.Symlink(kept, filepath.Join(folder, f.ID))); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir)
	if err := s.Save(t.Context(), harness, []Entry{e, f}); err != nil {
		t.Fatal(err)
	}
	if got, problems := s.Load(t.Context(), harness); len(got) != 2 || len(problems) != 0 {
		t.Errorf("%d entries, %v", len(got), problems)
	}
	if data, err := os.ReadFile(kept); !bytes.Equal(data, []byte("as it was")) {
		t.Errorf("through the link: %q, %v", data, err)
	}
}
