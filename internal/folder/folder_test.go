//go:build unix

package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func mustWrite(t *testing.T, name, data string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(data), 0o644))
}

// made makes a folder, and returns it and its path.
func made(t *testing.T) (*Folder, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "folder")
	f, err := Make(path)
	must(t, err)
	t.Cleanup(func() {
		f.Close()
		must(t, RemoveAll(path)) // t.TempDir cannot remove folders without permissions
	})
	return f, path
}

// things returns functions that make an entry, by kind of entry. Links lead to the folder outside or its file "file".
func things(outside string) map[string]func(name string) error {
	file := filepath.Join(outside, "file")
	return map[string]func(name string) error{
		"nothing":        func(string) error { return nil },
		"file":           func(name string) error { return os.WriteFile(name, []byte("x"), 0o600) },
		"second name":    func(name string) error { return os.Link(file, name) },
		"link to file":   func(name string) error { return os.Symlink(file, name) },
		"link to folder": func(name string) error { return os.Symlink(outside, name) },
		"dangling link":  func(name string) error { return os.Symlink("nowhere", name) },
		"FIFO":           func(name string) error { return unix.Mkfifo(name, 0o600) },
		"socket":         func(name string) error { return unix.Mknod(name, unix.S_IFSOCK|0o600, 0) },
		"empty folder":   func(name string) error { return os.Mkdir(name, 0o755) },
		"full folder": func(name string) error {
			return errors.Join(os.MkdirAll(name+"/a/b/c", 0o755), os.MkdirAll(name+"/a/d", 0o755), os.Symlink(outside, name+"/a/link"), os.Link(file, name+"/a/d/f"))
		},
		"barred folder": func(name string) error {
			return errors.Join(os.MkdirAll(name+"/a/b", 0o755), os.Chmod(name+"/a/b", 0), os.Chmod(name+"/a", 0o500), os.Chmod(name, 0))
		},
	}
}

// eachThing runs test with each kind of entry for name in f. It checks that the test changes nothing in the folder
// outside.
func eachThing(t *testing.T, name string, test func(t *testing.T, thing string, f *Folder, path string)) {
	t.Helper()
	for thing := range things("") {
		t.Run(thing, func(t *testing.T) {
			outside := filepath.Join(t.TempDir(), "outside")
			file := filepath.Join(outside, "file")
			mustWrite(t, file, "precious")
			f, path := made(t)
			must(t, things(outside)[thing](filepath.Join(path, name)))
			dir, err := os.Stat(outside)
			must(t, err)
			before, err := os.Stat(file)
			must(t, err)

			test(t, thing, f, path)

			after, err := os.Stat(file)
			must(t, err)
			if text, err := os.ReadFile(file); string(text) != "precious" || after.Mode() != before.Mode() || !after.ModTime().Equal(before.ModTime()) {
				t.Errorf("the file outside changed: %q, %v, %v", text, after, err)
			}
			if now, err := os.Stat(outside); err != nil || now.Mode() != dir.Mode() || !now.ModTime().Equal(dir.ModTime()) {
				t.Errorf("the folder outside changed: %v, %v", now, err)
			}
		})
	}
}

func TestRemoveRemovesWhateverThereIs(t *testing.T) {
	eachThing(t, "name", func(t *testing.T, _ string, f *Folder, path string) {
		mustWrite(t, filepath.Join(path, "other"), "")
		must(t, f.Remove("name"))
		if names, err := f.Names(); err != nil || !slices.Equal(names, []string{"other"}) {
			t.Errorf("%q, %v", names, err)
		}
	})
}

func TestRemoveAllRemovesWhateverThereIs(t *testing.T) {
	eachThing(t, "name", func(t *testing.T, _ string, _ *Folder, path string) {
		must(t, RemoveAll(filepath.Join(path, "name")))
		must(t, RemoveAll(filepath.Join(path, "missing", "name")))
		if names, err := os.ReadDir(path); err != nil || len(names) > 0 {
			t.Errorf("%v, %v", names, err)
		}
	})
}

func TestMakeLeavesAFolderToWorkIn(t *testing.T) {
	eachThing(t, "name", func(t *testing.T, thing string, f *Folder, path string) {
		d, err := f.Make("name")
		must(t, err)
		defer d.Close()
		_, err = d.Link("nowhere", "new")
		must(t, err)
		names, err := os.ReadDir(filepath.Join(path, "name"))
		must(t, err)
		if kept := len(names) == 2; kept != (thing == "full folder" || thing == "barred folder") {
			t.Errorf("what was in it: %v", names)
		}
	})
}

func TestOpenOpensFoldersOnly(t *testing.T) {
	eachThing(t, "name", func(t *testing.T, thing string, f *Folder, _ string) {
		d, err := f.Open("name")
		if err == nil {
			defer d.Close()
		}
		if is := thing == "empty folder" || thing == "full folder"; is != (err == nil) && thing != "barred folder" {
			t.Errorf("%v", err)
		}
	})
}

func TestCopyAndLinkWriteToNothingThatIsThere(t *testing.T) {
	eachThing(t, "name", func(t *testing.T, thing string, f *Folder, _ string) {
		null, err := os.Open(os.DevNull)
		must(t, err)
		defer null.Close()
		if thing == "nothing" {
			return
		}
		if _, err := f.Copy("name", null, 0o777, 0); !errors.Is(err, fs.ErrExist) {
			t.Errorf("copy: %v", err)
		}
		if _, err := f.Link("x", "name"); !errors.Is(err, fs.ErrExist) {
			t.Errorf("link: %v", err)
		}
	})
}

func TestBarredIsWhatIsAFolder(t *testing.T) {
	eachThing(t, "name", func(t *testing.T, thing string, f *Folder, path string) {
		err := f.unbar("name")
		if is := thing == "empty folder" || thing == "full folder" || thing == "barred folder"; is != (err == nil) {
			t.Errorf("%v", err)
		}
		info, _ := os.Lstat(filepath.Join(path, "name"))
		if err == nil && info.Mode().Perm() != 0o700 {
			t.Errorf("%v", info.Mode())
		}
	})
}

func TestCopyHasContentPermissionsAndTime(t *testing.T) {
	f, path := made(t)
	mustWrite(t, filepath.Join(path, "from"), "text")
	from, err := os.Open(filepath.Join(path, "from"))
	must(t, err)
	defer from.Close()
	mtime := time.Date(2001, 2, 3, 4, 5, 6, 789, time.UTC)
	stamp, err := f.Copy("to", from, 0o751, mtime.UnixNano())
	must(t, err)
	info, err := os.Stat(filepath.Join(path, "to"))
	must(t, err)
	text, err := os.ReadFile(filepath.Join(path, "to"))
	if err != nil || string(text) != "text" || info.Mode() != 0o751 || !info.ModTime().Equal(mtime) {
		t.Errorf("%q, %v, %v, %v", text, info.Mode(), info.ModTime(), err)
	}
	if now, err := f.Stamp("to"); err != nil || now != stamp || now.Perm() != 0o751 {
		t.Errorf("stamp %+v, was %+v, %v", now, stamp, err)
	}
}

func TestStampsTellOfEveryChange(t *testing.T) {
	f, path := made(t)
	name := filepath.Join(path, "name")
	for what, act := range map[string]func() error{
		"written":   func() error { return os.WriteFile(name, []byte("y"), 0o600) },
		"chmod":     func() error { return os.Chmod(name, 0o644) },
		"made anew": func() error { return errors.Join(os.Rename(name, name+"~"), os.WriteFile(name, []byte("x"), 0o600)) },
		"linked":    func() error { return os.Link(name, name+"2") },
		"a folder":  func() error { return errors.Join(os.Remove(name), os.Mkdir(name, 0o600)) },
	} {
		must(t, os.RemoveAll(name))
		must(t, os.WriteFile(name, []byte("x"), 0o600))
		before, err := f.Stamp("name")
		must(t, err)
		time.Sleep(10 * time.Millisecond) // the clock of the file system may be coarse
		must(t, act())
		if after, err := f.Stamp("name"); err != nil || after == before {
			t.Errorf("%s: %+v, %v", what, after, err)
		}
	}
}

func TestFolderStaysTheOneThatWasOpened(t *testing.T) {
	f, path := made(t)
	other := t.TempDir()
	must(t, os.Rename(path, path+"~"))
	must(t, os.Symlink(other, path))
	mustWrite(t, filepath.Join(other, "name"), "precious")
	mustWrite(t, filepath.Join(path+"~", "name"), "x")
	must(t, f.Remove("name"))
	_, err := f.Link("nowhere", "new")
	must(t, err)
	must(t, f.Chmod(0o750))
	got := []string{}
	for _, dir := range []string{path + "~", other} {
		entries, err := os.ReadDir(dir)
		must(t, err)
		for _, e := range entries {
			got = append(got, e.Name())
		}
	}
	if diff := cmp.Diff([]string{"new", "name"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if info, err := os.Stat(path + "~"); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestNamesAreThoseOfNow(t *testing.T) {
	f, path := made(t)
	for _, want := range [][]string{{}, {"a"}, {"a", "b\nc"}} {
		for _, name := range want {
			mustWrite(t, filepath.Join(path, name), "")
		}
		got, err := f.Names()
		slices.Sort(got)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
}

func TestFaultsNameThePath(t *testing.T) {
	f, path := made(t)
	_, err := f.Stamp("missing")
	if !errors.Is(err, fs.ErrNotExist) || err.Error() != "stat "+path+"/missing: no such file or directory" {
		t.Errorf("%v", err)
	}
}
