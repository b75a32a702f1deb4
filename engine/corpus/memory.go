package corpus

import (
	"context"
	"slices"
	"sync"
)

// Memory is a corpus that is forgotten with the program. The zero value is
// empty and ready.
type Memory struct {
	mu      sync.Mutex
	entries map[string][]Entry // by harness
}

// Load implements [Store].
func (m *Memory) Load(_ context.Context, harness string) ([]Entry, []error) {
	if _, err := harnessFolder(harness); err != nil {
		return nil, []error{err}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.entries[harness]), nil
}

// Save implements [Store].
func (m *Memory) Save(_ context.Context, harness string, entries []Entry) error {
	if _, err := checkAll(harness, entries); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.entries == nil {
		m.entries = map[string][]Entry{}
	}
	m.entries[harness] = Merge(m.entries[harness], entries)
	return nil
}

// Close implements [Store]. There is nothing to release.
func (m *Memory) Close() error { return nil }
