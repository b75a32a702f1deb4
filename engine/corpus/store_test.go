package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSavedEntriesAreLoadedSortedByID(t *testing.T) {
	list := []Entry{entry("c"), entry("a"), entry("b"), entry("a")}
	s := open(t, t.TempDir())
	for _, e := range list {
		if err := s.Save(t.Context(), harness, []Entry{e}); err != nil {
			t.Fatal(err)
		}
	}
	got, problems := s.Load(t.Context(), harness)
	if len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
	if diff := cmp.Diff(normalise(list), got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if !slices.IsSorted(ids(got)) || len(got) != 3 {
		t.Errorf("IDs %v: want three, sorted", ids(got))
	}
}

func TestHarnessWithoutEntriesIsEmpty(t *testing.T) {
	if entries, problems := open(t, t.TempDir()).Load(t.Context(), harness); len(entries)+len(problems) != 0 {
		t.Errorf("%v, %v", entries, problems)
	}
}

func TestHostileHarnessNamesAreRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "corpus")
	s := open(t, dir)
	for _, name := range []string{
		"", "FuzzX", ".FuzzX", "../x.FuzzX", "/etc.FuzzX", "a/../../b.FuzzX", "a//b.FuzzX", "a.Fuzz/X", "a.",
		"a/b.Fuzz X", `a\..\b.FuzzX`, "a\x00b.FuzzX", "C:/x.FuzzX", "a.FuzzX\n", "a/.git/hooks/...FuzzX",
	} {
		if err := s.Save(t.Context(), name, []Entry{entry("a")}); err == nil {
			t.Errorf("saved for %q", name)
		}
		if _, problems := s.Load(t.Context(), name); len(problems) == 0 {
			t.Errorf("loaded for %q", name)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("left in the corpus: %v", files)
	}
}

func TestSaveRefusesWhatLoadWould(t *testing.T) {
	s := open(t, t.TempDir())
	for _, data := range []string{"", "junk", "go test fuzz v1\n" + strings.Repeat("x", MaxEntryBytes)} {
		if err := s.Save(t.Context(), harness, []Entry{NewEntry([]byte(data))}); err == nil {
			t.Errorf("saved %.20q", data)
		}
	}
}

// FuzzHarnessFolder checks that no name leads out of the corpus folder.
func FuzzHarnessFolder(f *testing.F) {
	f.Add(harness)
	f.Add("../x.FuzzX")
	f.Add(`a\b.FuzzX`)
	f.Fuzz(func(t *testing.T, name string) {
		folder, err := harnessFolder(name)
		if err == nil && (!filepath.IsLocal(filepath.FromSlash(folder)) || strings.Contains(folder, "..")) {
			t.Errorf("%q maps to %q", name, folder)
		}
	})
}
