package corpus

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestTemporaryCorpusIsInAFolderOfOnesOwn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("TMPDIR is not read there")
	}
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	dir, err := TemporaryDir("repo")
	if err != nil {
		t.Fatal(err)
	}
	again, err := TemporaryDir("repo")
	if err != nil || again != dir {
		t.Errorf("then it is %q, %v", again, err)
	}
	list, err := os.ReadDir(temp)
	if err != nil || len(list) != 1 || !strings.HasPrefix(list[0].Name(), "mutantfuzz-") {
		t.Fatalf("there are %v, %v", list, err)
	}
	own := filepath.Join(temp, list[0].Name())
	if info, err := os.Stat(own); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info, err)
	}
	if !strings.HasPrefix(dir, own+string(filepath.Separator)) {
		t.Errorf("%s is not below %s", dir, own)
	}

	t.Run("others may write", func(t *testing.T) {
		if err := os.Chmod(own, 0o777); err != nil {
			t.Fatal(err)
		}
		if dir, err := TemporaryDir("repo"); err == nil {
			t.Errorf("it is used all the same: %s", dir)
		}
	})
	t.Run("a link", func(t *testing.T) {
		if err := os.Remove(own); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(t.TempDir(), own); err != nil {
			t.Fatal(err)
		}
		if dir, err := TemporaryDir("repo"); err == nil {
			t.Errorf("it is followed: %s", dir)
		}
	})
	t.Run("of somebody else", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only root can give files away")
		}
		if err := os.Remove(own); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(own, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(own, 12345, 12345); err != nil {
			t.Fatal(err)
		}
		if dir, err := TemporaryDir("repo"); err == nil {
			t.Errorf("it is used all the same: %s", dir)
		}
	})
}
