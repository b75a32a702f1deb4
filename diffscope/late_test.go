package diffscope

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
)

// changed makes a repository with two commits, and returns its folder.
func changed(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	gitIn(t, dir, "init", "-q", "-b", "main")
	put("go.mod", "module example.com/m\n\ngo 1.21\n")
	put("a.go", "package m\n\nfunc F() int { return 1 }\n")
	commit(t, dir, "first")
	put("a.go", "package m\n\nfunc F() int { return 2 }\n")
	commit(t, dir, "second")
	return dir
}

func TestADeadlineIsKeptAndTold(t *testing.T) {
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	defer cancel()
	_, err := Find(ctx, Config{Dir: changed(t), Base: "HEAD~1"})
	var e *Error
	if !errors.As(err, &e) || e.Kind != fault.Late || !e.Program() || !strings.Contains(err.Error(), "hint: ") || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestScratchCheckoutsAreAnnouncedBeforeTheyAreMade(t *testing.T) {
	var made []string
	s, err := Find(t.Context(), Config{Dir: changed(t), Base: "HEAD~1", Made: func(dir string) {
		made = append(made, dir)
		if list, err := os.ReadDir(dir); len(list) > 0 || err != nil || !filepath.IsAbs(dir) {
			t.Errorf("%s: %v, %v", dir, list, err)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if len(made) != 1 || s.BaseTree == "" {
		t.Errorf("announced %v, base in %q", made, s.BaseTree)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(made[0]); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what was announced is not what is removed: %v", err)
	}
}

func TestTestsInOtherLanguagesOfTheTreeAreSeen(t *testing.T) {
	dir := changed(t)
	others := func() bool {
		t.Helper()
		s, err := Find(t.Context(), Config{Dir: dir, Base: "HEAD~1", Head: "HEAD"})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		return s.Revisions.OtherTests
	}
	add := func(name string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600), os.WriteFile(filepath.Join(dir, "a.go"), []byte("package m\n\nfunc F() int { return "+strconv.Itoa(len(name))+" }\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
		commit(t, dir, name)
	}
	add("vendor/x/test_a.py")
	if others() {
		t.Error("without any of its own")
	}
	add("e2e/login.spec.ts")
	if !others() {
		t.Error("e2e/login.spec.ts is not seen")
	}
}
