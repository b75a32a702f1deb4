package difference

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
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

// hunksOf returns the regions in which d differs from its version in the base, without those that change no code. It
// compares function with function: a diff of the whole file may mix up the ends of neighbouring functions, or show a
// move as a rewrite. Regions with nothing but brackets between them become one: the end of a rewritten block is the
// same only by chance. fresh holds the new parts of their lines.
func hunksOf(d *declaration.Decl) (hunks []Hunk, fresh []sourcediff.Span) {
	old, now := d.Before(), d.Lines()
	text := sourcediff.Tokens(bytes.Join(now, nil), nil)
	compared := sourcediff.Compare(old, now, d.From.Column(), d.Column())
	offset := d.Span().Start - d.Column()
	for _, e := range joined(sourcediff.Code(old, now), now) {
		undone := slices.Concat(now[:e.First], old[e.OldFirst:e.OldEnd], now[e.End:])
		if sourcediff.Tokens(bytes.Join(undone, nil), nil) == text {
			continue
		}
		hunks = append(hunks, Hunk{
			File: d.File.Name, First: d.First + e.First, Count: e.End - e.First,
			Old: string(bytes.Join(old[e.OldFirst:e.OldEnd], nil)),
		})
		for _, s := range compared.Fresh(e) {
			fresh = append(fresh, sourcediff.Span{Start: offset + s.Start, End: offset + s.End})
		}
	}
	return hunks, fresh
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

// headLines returns the lines that hunks have at head.
func headLines(hunks []Hunk) (ranges []Lines) {
	for _, h := range hunks {
		if h.Count > 0 {
			ranges = append(ranges, Lines{h.First, h.First + h.Count - 1})
		}
	}
	return ranges
}

// wordy trims lines with only brackets or a comment from both ends of each range of d's lines. Wrapping code in a
// block may add a bracket to it, which does not change the code. If nothing else is left, the ranges stay as they
// are.
func wordy(d *declaration.Decl, ranges []Lines) (list []Lines) {
	lines := d.Lines()
	words := func(n int) bool { return strings.ContainsFunc(codeLine(lines[n-d.First]), isWord) }
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

// isWord reports whether r is not a bracket, separator or space.
func isWord(r rune) bool { return !strings.ContainsRune("{}()[],; \t\r\n", r) }
