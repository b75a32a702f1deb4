package diffscope

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/sourcediff"
)

// Hunk is one changed region of one function: replacing head's lines
// [First, First+Count) by Old restores the base there.
type Hunk struct {
	File  string // relative to the root, slash-separated
	First int    // from 1; if Count is 0, the line before which Old belongs
	Count int
	// Old holds whole lines, each with its newline. What the change only renames has its name of head. Old is empty
	// if lines were only added.
	Old string
}

// hunks returns the regions in which d differs from its version in the base, without those that change no code. It
// compares function with function: a diff of the whole file may mix up the ends of neighbouring functions, or show a
// move as a rewrite. Regions with nothing but brackets between them become one: the end of a rewritten block is the
// same only by chance. fresh holds the new parts of their lines.
func (d *decl) hunks() (hunks []Hunk, fresh []Span) {
	if d.from == nil {
		return nil, nil
	}
	old, now := d.before(), d.lines()
	text := sourcediff.Tokens(bytes.Join(now, nil), nil)
	compared := sourcediff.Compare(old, now, d.from.column(), d.column())
	offset := d.span().Start - d.column()
	for _, e := range joined(sourcediff.Code(old, now), now) {
		undone := slices.Concat(now[:e.First], old[e.OldFirst:e.OldEnd], now[e.End:])
		if sourcediff.Tokens(bytes.Join(undone, nil), nil) == text {
			continue
		}
		hunks = append(hunks, Hunk{
			File: d.file.name, First: d.first + e.First, Count: e.End - e.First,
			Old: string(bytes.Join(old[e.OldFirst:e.OldEnd], nil)),
		})
		for _, s := range compared.Fresh(e) {
			fresh = append(fresh, Span{Start: offset + s.Start, End: offset + s.End})
		}
	}
	return hunks, fresh
}

// lines returns the whole lines that d is on, each with its newline.
func (d *decl) lines() [][]byte { return wholeLines(d.file.allLines(), d.first, d.last) }

// wholeLines returns lines first to last of a file, each with its newline.
func wholeLines(all [][]byte, first, last int) [][]byte {
	lines := all[first-1 : last : last]
	if end := lines[len(lines)-1]; !bytes.HasSuffix(end, []byte("\n")) {
		lines = append(slices.Clone(lines[:len(lines)-1]), append(bytes.Clone(end), '\n'))
	}
	return lines
}

// wordy trims lines with only brackets or a comment from both ends of each range of d's lines. Wrapping code in a
// block may add a bracket to it, which does not change the code. If nothing else is left, the ranges stay as they
// are.
func (d *decl) wordy(ranges []Lines) (list []Lines) {
	lines := d.lines()
	words := func(n int) bool { return strings.ContainsFunc(codeLine(lines[n-d.first]), isWord) }
	for _, r := range ranges {
		for r.First <= r.Last && !words(r.First) {
			r.First++
		}
		for r.First <= r.Last && !words(r.Last) {
			r.Last--
		}
		if r.First <= r.Last {
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		return ranges
	}
	return list
}

// joined merges neighbouring edits if now has no words between them.
func joined(edits []sourcediff.Edit, now [][]byte) []sourcediff.Edit {
	var out []sourcediff.Edit
	for _, e := range edits {
		if last := len(out) - 1; last >= 0 && !bytes.ContainsFunc(bytes.Join(now[out[last].End:e.First], nil), isWord) {
			out[last].OldEnd, out[last].End = e.OldEnd, e.End
		} else {
			out = append(out, e)
		}
	}
	return out
}

// isWord reports whether r is not a bracket, separator or space.
func isWord(r rune) bool { return !strings.ContainsRune("{}()[],; \t\r\n", r) }
