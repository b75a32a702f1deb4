package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stores are empty stores of every kind that there is, by name.
func stores(t *testing.T) map[string]Store {
	return map[string]Store{"folder": open(t, t.TempDir()), "memory": &Memory{}}
}

func TestSavedEntriesAreLoadedSortedByID(t *testing.T) {
	want := Merge(nil, []Entry{entry("c"), entry("a"), entry("b"), entry("a")})
	for name, s := range stores(t) {
		for _, e := range []Entry{entry("c"), entry("a"), entry("b"), entry("a")} {
			if err := s.Save(t.Context(), harness, []Entry{e}); err != nil {
				t.Fatal(err)
			}
		}
		got, problems := s.Load(t.Context(), harness)
		if len(problems) > 0 {
			t.Errorf("problems: %v", problems)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
		if !slices.IsSorted(ids(got)) || len(got) != 3 {
			t.Errorf("IDs %v: want three, sorted", ids(got))
		}
	}
}

func TestHarnessWithoutEntriesIsEmpty(t *testing.T) {
	for name, s := range stores(t) {
		if entries, problems := s.Load(t.Context(), harness); len(entries)+len(problems) != 0 {
			t.Errorf("%s: %v, %v", name, entries, problems)
		}
	}
}

func TestHostileHarnessNamesAreRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "corpus")
	s, memory := open(t, dir), &Memory{}
	for _, name := range []string{
		"", "FuzzX", ".FuzzX", "../x.FuzzX", "/etc.FuzzX", "a/../../b.FuzzX", "a//b.FuzzX", "a.Fuzz/X", "a.",
		"a/b.Fuzz X", `a\..\b.FuzzX`, "a\x00b.FuzzX", "C:/x.FuzzX", "a.FuzzX\n", "a/.git/hooks/...FuzzX",
	} {
		for _, s := range []Store{s, memory} {
			if err := s.Save(t.Context(), name, []Entry{entry("a")}); err == nil {
				t.Errorf("saved for %q", name)
			}
			if _, problems := s.Load(t.Context(), name); len(problems) == 0 {
				t.Errorf("loaded for %q", name)
			}
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("left in the corpus: %v", files)
	}
}

func TestSaveRefusesWhatLoadWould(t *testing.T) {
	for name, s := range stores(t) {
		for _, data := range []string{"", "junk", "go test fuzz v1\n" + strings.Repeat("x", MaxEntryBytes)} {
			if err := s.Save(t.Context(), harness, []Entry{NewEntry([]byte(data))}); err == nil {
				t.Errorf("%s: saved %.20q", name, data)
			}
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
