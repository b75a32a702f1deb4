// Package verdicts is the verdict cache. It stores the verdicts of tests on mutants, so that a later run judges only
// what has changed.
//
// The key of a verdict is everything that it depends on: a context (the program without the bodies of its functions,
// its tests without their own bodies, the tools), one mutant and one test, and the functions that ran, with their
// sources. So a verdict is never out of date: if something has changed, it is not found.
package verdicts

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// Verdict is the result of a test with a mutant.
type Verdict struct {
	// Kind is how the test failed: ledger.Test, Crash or Hang; "" if it passed. Lookup ignores all others.
	Kind string `json:"kind,omitempty"`
	// Name is the test or subtest that failed; "" if it passed.
	Name string `json:"name,omitempty"`
}

// kills reports whether v is that a test failed.
func (v Verdict) kills() bool {
	return v.Kind == ledger.Test || v.Kind == ledger.Crash || v.Kind == ledger.Hang
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

// Store is a folder of verdicts. A nil Store stores nothing. It is safe for concurrent use, also by several processes
// on the same folder.
type Store struct {
	root *os.Root // no link leads out of it
}

// keep is how long an unused book is kept.
const keep = 30 * 24 * time.Hour

// Open returns the verdicts in dir. It creates dir if it is missing, and removes verdicts that have not been used for
// a month.
func Open(dir string) (*Store, error) {
	root, err := openRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot keep verdicts in %s: %w\nhint: choose another folder with --corpus, or --corpus none", dir, err)
	}
	s := &Store{root}
	if err := s.forget(); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot read the verdicts in %s: %w", dir, err), root.Close())
	}
	return s, nil
}

// openRoot opens a folder, and creates it if it is missing. The caller vouches for the parent of dir. dir itself may
// come from a cache, and must not be a link.
func openRoot(dir string) (*os.Root, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return nil, cmp.Or(err, errors.New("not a folder"))
	}
	return os.OpenRoot(dir)
}

// forget removes the books that have not been used for a while.
func (s *Store) forget() error {
	list, err := fs.ReadDir(s.root.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range list {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > keep {
			_ = s.root.Remove(e.Name()) // a book that stays only costs space
		}
	}
	return nil
}

// Close releases the folder. Open books stay usable.
func (s *Store) Close() error {
	if s == nil {
		return nil
	}
	return s.root.Close()
}

// Book is the file with the verdicts of one context. A nil Book stores nothing. It is safe for concurrent use.
type Book struct {
	mu    sync.Mutex
	known map[Key][]record
	sets  map[Key][]string // names of functions, by the digest of the names
	file  *os.File
}

// record is a line of a book's file: a verdict, or a set of functions that verdicts refer to.
type record struct {
	Key     Key `json:"key,omitempty"`
	Verdict     // of Key
	Set     Key `json:"set,omitempty"`     // which functions ran
	Sources Key `json:"sources,omitempty"` // digest of the functions' sources at that time

	Functions []string `json:"functions,omitempty"` // only without Key: the functions that Set stands for
}

// Run is what a verdict depends on besides context and key: the functions that were entered, and the digest of their
// sources.
type Run struct {
	Functions []string
	Sources   Key
}

// Book opens the book of a context. If fresh is set, it ignores the verdicts in there, but still adds new ones. It
// skips torn or damaged lines. It returns an error for a file that is not regular, or, unless fresh is set, larger than
// 256 MiB, and leaves it as it is.
func (s *Store) Book(context Key, fresh bool) (*Book, error) {
	if s == nil {
		return nil, nil
	}
	name := string(context) + ".jsonl"
	b := &Book{known: map[Key][]record{}, sets: map[Key][]string{}}
	if !fresh {
		if err := b.load(s.root, name); err != nil {
			return nil, fmt.Errorf("cannot read the verdicts in %s: %w", s.root.Name(), err)
		}
	}
	f, err := regular.OpenIn(s.root, name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("cannot keep verdicts in %s: %w", s.root.Name(), err)
	}
	b.file = f
	now := time.Now()
	_ = s.root.Chtimes(name, now, now) // for forget
	return b, nil
}

// maxBook bounds the size of a book that is read, in bytes.
const maxBook = 256 << 20

// maxLine bounds the length of a line, in bytes. That suffices for the names of some ten thousand functions.
const maxLine = 1 << 20

func (b *Book) load(root *os.Root, name string) error {
	f, err := regular.OpenIn(root, name, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() > maxBook {
		return cmp.Or(err, fmt.Errorf("%s is larger than %d MiB\nhint: remove it", name, maxBook>>20))
	}
	lines := bufio.NewScanner(io.LimitReader(f, maxBook))
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		var r record
		switch {
		case json.Unmarshal(lines.Bytes(), &r) != nil:
		case r.Key != "":
			b.known[r.Key] = append(b.known[r.Key], r)
		case r.Set == NewKey(r.Functions...):
			b.sets[r.Set] = r.Functions
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil // we write no such lines; the rest is judged afresh
	}
	return lines.Err()
}

// Find returns the last verdict on key that is still valid: its functions have the same sources as then. sources
// returns the digest of their present sources.
func (b *Book) Find(key Key, sources func(functions []string) Key) (Verdict, bool) {
	if b == nil {
		return Verdict{}, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range slices.Backward(b.known[key]) {
		if functions, ok := b.sets[r.Set]; ok && sources(functions) == r.Sources {
			return r.Verdict, true
		}
	}
	return Verdict{}, false
}

// Add writes a verdict at once, so that it survives however the process ends. It ignores write errors: the mutant is
// then judged again.
func (b *Book) Add(key Key, v Verdict, run Run) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	set := NewKey(run.Functions...)
	r := record{Key: key, Verdict: v, Set: set, Sources: run.Sources}
	if known := b.known[key]; len(known) > 0 { // only the last one: Find prefers it to those before
		if last := known[len(known)-1]; last.Verdict == v && last.Set == set && last.Sources == run.Sources {
			return
		}
	}
	if _, ok := b.sets[set]; !ok {
		b.sets[set] = run.Functions
		b.write(record{Set: set, Functions: run.Functions})
	}
	b.known[key] = append(b.known[key], r)
	b.write(r)
}

// write writes one line. It starts with a newline, since an earlier process may have left an incomplete line.
func (b *Book) write(r record) {
	if line, err := json.Marshal(r); err == nil {
		_, _ = b.file.Write(append(append([]byte{'\n'}, line...), '\n'))
	}
}

// Close closes the file.
func (b *Book) Close() error {
	if b == nil {
		return nil
	}
	return b.file.Close()
}
