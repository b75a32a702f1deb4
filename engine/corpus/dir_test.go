package corpus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const harness = "example.com/m/parse.FuzzParse"

func entry(value string) Entry {
	return NewEntry(fmt.Appendf(nil, "go test fuzz v1\nstring(%q)\n", value))
}

func ids(entries []Entry) []string {
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.ID)
	}
	return ids
}

func open(t *testing.T, dir string) *Dir {
	t.Helper()
	s, err := OpenDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// write writes the file elem, making its folder, and returns its path.
func write(t *testing.T, data []byte, elem ...string) string {
	t.Helper()
	name := filepath.Join(elem...)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestIDIsTheNameGoTestGives(t *testing.T) {
	// go test -fuzz gave the file with this content the name below.
	e := NewEntry([]byte("go test fuzz v1\nstring(\"0\")\n"))
	if want := "771e938e4458e983"; e.ID != want {
		t.Errorf("ID = %s, want %s", e.ID, want)
	}
}

func TestFoldersAreLaidOutAsGoTestDoes(t *testing.T) {
	dir := t.TempDir()
	e := entry("x")
	if err := open(t, dir).Save(t.Context(), harness, []Entry{e}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "example.com", "m", "parse", "FuzzParse", e.ID))
	if err != nil || !bytes.Equal(got, e.Data) {
		t.Errorf("entry's file: %q, %v", got, err)
	}
}

func TestBadFilesAreReportedAndKept(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "example.com", "m", "parse", "FuzzParse")
	secret := write(t, entry("secret").Data, t.TempDir(), "secret")
	good := entry("good")
	write(t, good.Data, folder, "named-by-hand")
	tests := []struct{ name, problem string }{
		{"empty", "does not begin"},
		{"truncated", "does not begin"},
		{"large", "larger than 1 MiB"},
		{"link", "not a regular file"},
		{"dangling", "not a regular file"},
	}
	write(t, nil, folder, "empty")
	write(t, []byte("go test fu"), folder, "truncated")
	write(t, append(entry("").Data, make([]byte, MaxEntryBytes)...), folder, "large")
	if err := errors.Join(os.Symlink(secret, filepath.Join(folder, "link")), os.Symlink("nowhere", filepath.Join(folder, "dangling"))); err != nil {
		t.Skip("no symbolic links here: ", err)
	}

	entries, problems := open(t, dir).Load(t.Context(), harness)
	if diff := cmp.Diff([]Entry{good}, entries); diff != "" {
		t.Errorf("entries: -want +got\n%s", diff)
	}
	if len(problems) != len(tests) {
		t.Errorf("%d problems, want %d: %v", len(problems), len(tests), problems)
	}
	for _, tt := range tests {
		if !slices.ContainsFunc(problems, func(err error) bool {
			return strings.Contains(err.Error(), "/"+tt.name+": ") && strings.Contains(err.Error(), tt.problem)
		}) {
			t.Errorf("no problem says %q of %s: %v", tt.problem, tt.name, problems)
		}
		if _, err := os.Lstat(filepath.Join(folder, tt.name)); err != nil {
			t.Errorf("bad file is gone: %v", err)
		}
	}
}

func TestFileInPlaceOfAFolderIsReported(t *testing.T) {
	dir := t.TempDir()
	write(t, []byte("x"), dir, "example.com", "m", "parse", "FuzzParse")
	s := open(t, dir)
	if entries, problems := s.Load(t.Context(), harness); len(entries) != 0 || len(problems) != 1 {
		t.Errorf("%v, %v", entries, problems)
	}
	if err := s.Save(t.Context(), harness, []Entry{entry("a")}); err == nil {
		t.Error("saved below a file")
	}
	if _, err := OpenDir(filepath.Join(dir, "example.com", "m", "parse", "FuzzParse")); err == nil || !strings.Contains(err.Error(), "\nhint: ") {
		t.Errorf("opened a file as a corpus, or no hint: %v", err)
	}
}

func TestFolderLinkedOutOfTheCorpusIsRefused(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, entry("a").Data, outside, "FuzzParse", "a")
	if err := os.MkdirAll(filepath.Join(dir, "example.com", "m"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "example.com", "m", "parse")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	s := open(t, dir)
	if entries, problems := s.Load(t.Context(), harness); len(entries) != 0 || len(problems) != 1 {
		t.Errorf("read through the link: %v, %v", entries, problems)
	}
	if err := s.Save(t.Context(), harness, []Entry{entry("b")}); err == nil {
		t.Error("wrote through the link")
	}
	if files, _ := os.ReadDir(filepath.Join(outside, "FuzzParse")); len(files) != 1 {
		t.Errorf("files outside: %v", files)
	}
}

func TestSaveMendsDamagedEntries(t *testing.T) {
	dir := t.TempDir()
	e := entry("x")
	file := write(t, e.Data[:20], dir, "example.com", "m", "parse", "FuzzParse", e.ID)
	if err := open(t, dir).Save(t.Context(), harness, []Entry{e}); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(file); !bytes.Equal(got, e.Data) {
		t.Errorf("still %q", got)
	}
}

func TestAnEntryThatCannotBeSavedDoesNotKeepOthersOut(t *testing.T) {
	dir := t.TempDir()
	large := entry(strings.Repeat("x", MaxEntryBytes))
	err := open(t, dir).Save(t.Context(), harness, []Entry{large, entry("y")})
	if err == nil || !strings.Contains(err.Error(), large.ID) {
		t.Errorf("the error is %v", err)
	}
	if got, _ := open(t, dir).Load(t.Context(), harness); len(got) != 1 || got[0].ID != entry("y").ID {
		t.Errorf("there is %v", got)
	}
}

func TestEntriesBeingWrittenAreNotLoaded(t *testing.T) {
	dir := t.TempDir()
	write(t, entry("x").Data, dir, "example.com", "m", "parse", "FuzzParse", ".new-ABC")
	if entries, problems := open(t, dir).Load(t.Context(), harness); len(entries)+len(problems) != 0 {
		t.Errorf("%v, %v", entries, problems)
	}
}

func TestCountOfEntriesIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("writes ten thousand files")
	}
	dir := t.TempDir()
	folder := filepath.Join(dir, "example.com", "m", "parse", "FuzzParse")
	write(t, entry("first").Data, folder, "0")
	for i := range MaxEntries + 4 {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("1%05d", i)), entry(fmt.Sprint(i)).Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	entries, problems := open(t, dir).Load(t.Context(), harness)
	if len(entries) != MaxEntries {
		t.Errorf("%d entries, want %d", len(entries), MaxEntries)
	}
	if len(problems) != 1 || !strings.Contains(problems[0].Error(), "5 files left out") {
		t.Errorf("problems: %v", problems)
	}
}

func TestStoresOnOneFolderDoNotDisturbEachOther(t *testing.T) {
	dir := t.TempDir()
	var want []Entry
	for i := range 40 {
		want = append(want, entry(fmt.Sprint(i)))
	}
	var wg sync.WaitGroup
	for range 4 {
		s := open(t, dir)
		wg.Go(func() {
			for i := range want {
				if err := s.Save(t.Context(), harness, want[i:i+1]); err != nil {
					t.Error(err)
				}
				if _, problems := s.Load(t.Context(), harness); len(problems) > 0 {
					t.Errorf("half an entry was seen: %v", problems)
				}
			}
		})
	}
	wg.Wait()
	got, _ := open(t, dir).Load(t.Context(), harness)
	if diff := cmp.Diff(normalise(want), got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	files, err := os.ReadDir(filepath.Join(dir, "example.com", "m", "parse", "FuzzParse"))
	if err != nil || len(files) != len(want) {
		t.Errorf("%d files, %v; want %d and no leftovers", len(files), err, len(want))
	}
}

func TestCommittedEntriesAreRead(t *testing.T) {
	pkg := t.TempDir()
	e := entry("committed")
	write(t, e.Data, pkg, "testdata", "fuzz", "FuzzParse", "by-hand")
	write(t, []byte("junk"), pkg, "testdata", "fuzz", "FuzzParse", "junk")
	entries, problems := Testdata(t.Context(), pkg, "FuzzParse")
	if diff := cmp.Diff([]Entry{e}, entries); diff != "" || len(problems) != 1 {
		t.Errorf("problems %v, entries -want +got\n%s", problems, diff)
	}
	if entries, problems := Testdata(t.Context(), pkg, "FuzzOther"); len(entries)+len(problems) != 0 {
		t.Errorf("a target without entries: %v, %v", entries, problems)
	}
	if _, problems := Testdata(t.Context(), pkg, "../FuzzParse"); len(problems) == 0 {
		t.Error("a target that is a path was read")
	}
}

func TestDefaultFoldersOfTwoRepositoriesDiffer(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", "")
	a, errA := DefaultDir(filepath.Join(t.TempDir(), "repo"))
	b, errB := DefaultDir(filepath.Join(t.TempDir(), "repo"))
	if err := errors.Join(errA, errB); err != nil {
		t.Fatal(err)
	}
	if a == b || !strings.HasPrefix(filepath.Base(a), "repo-") {
		t.Errorf("folders %s and %s", a, b)
	}
}

func TestDefaultFolderIsTheSameThroughALink(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	repo := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(repo, link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	a, _ := DefaultDir(repo)
	b, err := DefaultDir(link)
	if a != b || err != nil {
		t.Errorf("%s and %s, %v", a, b, err)
	}
}

func TestAFolderIsNotReadOrWrittenWhenItIsTooLate(t *testing.T) {
	s := open(t, t.TempDir())
	if err := s.Save(t.Context(), harness, []Entry{entry("a")}); err != nil {
		t.Fatal(err)
	}
	late := errors.New("too late")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(late)
	if entries, problems := s.Load(ctx, harness); len(entries) != 0 || !errors.Is(errors.Join(problems...), late) {
		t.Errorf("loaded %v, %v", entries, problems)
	}
	if err := s.Save(ctx, harness, []Entry{entry("b")}); !errors.Is(err, late) {
		t.Errorf("saved: %v", err)
	}
	if entries, problems := s.Load(t.Context(), harness); len(entries) != 1 || len(problems) != 0 {
		t.Errorf("there are %v, %v", entries, problems)
	}
}
