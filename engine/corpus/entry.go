// Package corpus keeps inputs: the entries that builds share, those committed below testdata/fuzz, and the patch that
// adds new ones there.
//
// Other builds write to a shared corpus, and it is read from caches and buckets, so nothing in it is trusted. Names,
// sizes, counts and contents are checked. What is refused is reported and left where it is. No link leads out of the
// corpus folder.
package corpus

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
)

// Bounds on what is read and written.
const (
	MaxEntryBytes   = 1 << 20   // size of one entry's file
	MaxEntries      = 10_000    // entries of one harness
	MaxHarnessBytes = 256 << 20 // size of all entries of one harness
)

// Entry is one corpus input.
type Entry struct {
	ID   string // first 16 hex digits of the SHA-256 of Data, as go test names its files
	Data []byte // file content, in Go's "go test fuzz v1" encoding
}

// NewEntry returns the entry for the content of a corpus file. It does not check the content.
func NewEntry(data []byte) Entry {
	sum := sha256.Sum256(data)
	return Entry{ID: hex.EncodeToString(sum[:8]), Data: data}
}

// normalise sorts entries by ID and drops duplicates, in place.
func normalise(entries []Entry) []Entry {
	slices.SortStableFunc(entries, func(a, b Entry) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(entries, func(a, b Entry) bool { return a.ID == b.ID })
}

// check returns why data cannot be a corpus entry, nil if it can.
func check(data []byte) error {
	if len(data) > MaxEntryBytes {
		return errors.New("larger than 1 MiB")
	}
	if !bytes.HasPrefix(data, []byte("go test fuzz v1\n")) {
		return errors.New(`does not begin with the line "go test fuzz v1"`)
	}
	return nil
}
