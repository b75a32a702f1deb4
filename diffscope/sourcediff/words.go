package sourcediff

import (
	"bytes"
	"go/scanner"
	"go/token"
	"slices"
)

// Span is the byte range [Start, End) of a text; it may be empty.
type Span struct{ Start, End int }

const (
	// leastShared is how many consecutive tokens the old and new lines must share to count as kept. A shorter run,
	// such as a name, a comma or "== nil", may have been written anew.
	leastShared = 3

	// maxShared bounds the work of comparing the lines of a hunk, in pairs of tokens. Beyond it, everything is new.
	maxShared = 1 << 18
)

// word is a token of some source.
type word struct {
	text string
	Span
}

// words returns the tokens of src[from:], with their offsets in src, without comments.
func words(src []byte, from int) (list []word) {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src)-from)
	var s scanner.Scanner
	s.Init(file, src[from:], func(token.Position, string) {}, 0)
	for {
		pos, tok, lit := s.Scan()
		at := from + file.Offset(pos)
		w := word{text: lit, Span: Span{at, at + len(lit)}}
		switch {
		case tok == token.EOF:
			return list
		case tok == token.SEMICOLON: // lit is "\n" for one that a line end stands for
			w.text, w.End = ";", at+1
		case tok == token.INT:
			w.text = number(lit)
		case lit == "":
			w.text, w.End = tok.String(), at+len(tok.String())
		}
		list = append(list, w)
	}
}

// wordsIn returns the index range [first, end) of the words that overlap s.
func wordsIn(list []word, s Span) (first, end int) {
	first, _ = slices.BinarySearchFunc(list, s.Start, func(w word, at int) int { return w.End - at - 1 })
	end, _ = slices.BinarySearchFunc(list, s.End, func(w word, at int) int { return w.Start - at })
	return first, max(first, end)
}

// Comparison holds the tokens of a piece of source in two versions. It only serves to call Fresh.
type Comparison struct {
	old, now           []word
	oldLines, nowLines []int // offsets of the lines, then the end of the last one
}

// Compare prepares the comparison of the lines old with the lines now. What is before column oldColumn of the first old
// line, and before column of the first new one, belongs to something else. Columns are in bytes from 0.
func Compare(old, now [][]byte, oldColumn, column int) *Comparison {
	return &Comparison{
		old: words(bytes.Join(old, nil), oldColumn), now: words(bytes.Join(now, nil), column),
		oldLines: begins(old), nowLines: begins(now),
	}
}

// begins returns the offset of each line when all are joined, and last the total length.
func begins(lines [][]byte) []int {
	at := []int{0}
	for _, line := range lines {
		at = append(at, at[len(at)-1]+len(line))
	}
	return at
}

// Fresh returns the new parts in the new lines of an edit, as sorted byte ranges of all new lines together: tokens that
// the old lines lack, and the places where tokens were removed. A line that is mostly new counts as new entirely.
func (c *Comparison) Fresh(e Edit) (spans []Span) {
	oldFirst, oldEnd := wordsIn(c.old, Span{c.oldLines[e.OldFirst], c.oldLines[e.OldEnd]})
	first, end := wordsIn(c.now, Span{c.nowLines[e.First], c.nowLines[e.End]})
	if first == end {
		return []Span{{c.nowLines[e.First], c.nowLines[e.End]}}
	}
	// The tokens around the edit are equal on both sides. With some of them, short runs at the edges reach
	// leastShared.
	before, after := min(leastShared-1, oldFirst, first), min(leastShared-1, len(c.old)-oldEnd, len(c.now)-end)
	old, now := c.old[oldFirst:oldEnd], c.now[first:end]
	from := sharedWords(c.old[oldFirst-before:oldEnd+after], c.now[first-before:end+after])[before : before+len(now)]
	for i := range from {
		if from[i] -= before; from[i] >= len(old) {
			from[i] = -1
		}
	}
	for i := e.First; i < e.End; i++ {
		forgetFew(now, from, Span{c.nowLines[i], c.nowLines[i+1]})
	}
	for i, w := range now {
		switch last := len(spans) - 1; {
		case from[i] >= 0:
		case i > 0 && from[i-1] < 0:
			spans[last].End = w.End
		default:
			spans = append(spans, w.Span)
		}
	}
	spans = append(spans, gaps(old, now, from)...)
	slices.SortFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	return spans
}

// gaps returns the places where old tokens were removed: between kept tokens that are adjacent at head, or at either
// end.
func gaps(old, now []word, from []int) (places []Span) {
	// before is the preceding new token. next is the index of the old token that followed it, or -1.
	before, next := word{Span: Span{now[0].Start, now[0].Start}}, 0
	end := now[len(now)-1].End
	for i, w := range append(slices.Clip(now), word{Span: Span{end, end}}) {
		was := len(old)
		if i < len(now) {
			was = from[i]
		}
		if next >= 0 && next < was {
			places = append(places, gap(before, w, old[next:was]))
		}
		if before, next = w, was+1; was < 0 {
			next = -1
		}
	}
	return places
}

// gap returns the place between two tokens where the tokens gone were. It reaches one byte into a neighbour that was
// joined to them, as the operand of an operator is, but not across a comma or semicolon.
func gap(before, after word, gone []word) Span {
	place := Span{before.End, before.End}
	if text := gone[0].text; text != "," && text != ";" {
		place.Start--
	}
	if text := gone[len(gone)-1].text; text != "," && text != ";" {
		place.End = after.Start + 1
	}
	return place
}

// forgetFew marks all tokens in a line as new if less than half of them are kept ones.
func forgetFew(now []word, from []int, line Span) {
	known, all := 0, 0
	for i, w := range now {
		if line.Start <= w.Start && w.Start < line.End {
			all++
			if from[i] >= 0 {
				known++
			}
		}
	}
	for i, w := range now {
		if line.Start <= w.Start && w.Start < line.End && 2*known < all {
			from[i] = -1
		}
	}
}

// sharedWords returns, for each new token, the index of the old token that it was, or -1. It takes the longest
// sequence that both have, then does the same before and behind it (Ratcliff, Metzener: Pattern Matching: The Gestalt
// Approach, Dr. Dobb's Journal 1988). Unlike a longest common subsequence, this keeps together what is together.
func sharedWords(old, now []word) []int {
	from := slices.Repeat([]int{-1}, len(now))
	if len(old)*len(now) <= maxShared {
		shareLongest(old, now, from, 0)
	}
	return from
}

// shareLongest records in from the longest sequence that old and now share, and then those before and behind it.
// index is the index of the first of the old tokens.
func shareLongest(old, now []word, from []int, index int) {
	i, j, n := longestShared(old, now)
	if n < leastShared {
		return
	}
	for k := range n {
		from[j+k] = index + i + k
	}
	shareLongest(old[:i], now[:j], from[:j], index)
	shareLongest(old[i+n:], now[j+n:], from[j+n:], index+i+n)
}

// longestShared returns where the first of the longest shared sequences begins in old and now, and its length.
func longestShared(old, now []word) (oldFirst, first, length int) {
	ending := make([]int, len(now)+1) // at j+1: length of the shared sequence that ends with old[i] and now[j]
	for i := range old {
		for j := len(now) - 1; j >= 0; j-- {
			n := 0
			if old[i].text == now[j].text {
				n = ending[j] + 1
			}
			if ending[j+1] = n; n > length {
				oldFirst, first, length = i+1-n, j+1-n, n
			}
		}
	}
	return oldFirst, first, length
}
