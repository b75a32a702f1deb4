// Package verdicts remembers what tests said of mutants, so that a later run
// judges afresh only what has changed.
//
// A verdict is filed under everything that it depends on: a context (the
// program, its tests but for their own bodies, the tools) and, within it, one
// mutant and one test. It is not looked up by name or time, so it cannot be out
// of date; what no longer applies is merely never asked for again.
package verdicts

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Verdict is what a test said of a mutant.
type Verdict struct {
	// Kind is how the test failed: results.KindTest, KindCrash or KindHang; ""
	// if it passed.
	Kind string `json:"kind,omitempty"`
	// Name is the test or the subtest that failed; "" if it passed.
	Name string `json:"name,omitempty"`
}

// Key is a digest of things that a verdict depends on.
type Key string

// NewKey returns the digest of parts, in order.
func NewKey(parts ...string) Key {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d\n%s\n", len(p), p)
	}
	return Key(hex.EncodeToString(h.Sum(nil)[:16]))
}

// Store is a folder of verdicts. Its nil value remembers nothing. It is safe for
// concurrent use, also by several processes on one folder.
type Store struct{ dir string }

// keep is for how long a context that nobody asks for is remembered.
const keep = 30 * 24 * time.Hour

// Open returns the verdicts in dir, which it creates when missing, and forgets
// what has not been asked for in a month.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("cannot keep verdicts in %s: %w\nhint: choose another folder with --corpus, or --corpus none", dir, err)
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot read the verdicts in %s: %w", dir, err)
	}
	for _, e := range list {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > keep {
			_ = os.Remove(filepath.Join(dir, e.Name())) // it only costs space
		}
	}
	return &Store{dir: dir}, nil
}

// Book holds the verdicts of one context. Its nil value remembers nothing. It is
// safe for concurrent use.
type Book struct {
	mu    sync.Mutex
	known map[Key]Verdict
	file  *os.File
}

// record is a line of a book's file.
type record struct {
	Key Key `json:"key"`
	Verdict
}

// Book opens the verdicts of a context. With fresh it knows none of them, but
// still adds new ones. Lines that are torn or damaged are passed over.
func (s *Store) Book(context Key, fresh bool) (*Book, error) {
	if s == nil {
		return nil, nil
	}
	name := filepath.Join(s.dir, string(context)+".jsonl")
	b := &Book{known: map[Key]Verdict{}}
	if !fresh {
		if err := b.load(name); err != nil {
			return nil, fmt.Errorf("cannot read the verdicts in %s: %w", name, err)
		}
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("cannot keep verdicts in %s: %w", name, err)
	}
	b.file = f
	now := time.Now()
	_ = os.Chtimes(name, now, now) // asked for today
	return b, nil
}

func (b *Book) load(name string) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r record
		if json.Unmarshal(lines.Bytes(), &r) == nil && r.Key != "" {
			b.known[r.Key] = r.Verdict
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil // not ours; what follows is judged afresh
	}
	return lines.Err()
}

// Find returns the verdict of a key.
func (b *Book) Find(key Key) (Verdict, bool) {
	if b == nil {
		return Verdict{}, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	v, ok := b.known[key]
	return v, ok
}

// Add remembers a verdict at once, so that nothing is lost whatever ends the
// process. It is no error if that fails: the verdict is judged again some day.
func (b *Book) Add(key Key, v Verdict) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if old, ok := b.known[key]; ok && old == v {
		return
	}
	b.known[key] = v
	line, err := json.Marshal(record{key, v})
	if err == nil {
		// One write a line, each on a line of its own: what an earlier process
		// left torn must not spoil ours.
		_, _ = b.file.Write(append(append([]byte{'\n'}, line...), '\n'))
	}
}

// Close ends the writing.
func (b *Book) Close() error {
	if b == nil {
		return nil
	}
	return b.file.Close()
}
