package regular

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestAFileThatIsReplacedAgainAndAgainIsRead(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	replace := func() error {
		if err := os.WriteFile(filepath.Join(dir, "new"), []byte("text"), 0o600); err != nil {
			return err
		}
		return os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "file"))
	}
	if err := replace(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				if err := replace(); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for range 2_000 {
		if src, err := ReadIn(root, "file", 10); err != nil || string(src) != "text" {
			t.Errorf("%q, %v", src, err)
			break
		}
	}
	close(done)
	wg.Wait()
}
