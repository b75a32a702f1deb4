package diffscope

import (
	"bytes"
	"go/scanner"
	"go/token"
	"slices"
)

// Span is a range of bytes of a file, without the one at End.
type Span struct{ Start, End int }

const (
	// leastShared is how many tokens have to follow each other in the old and in the new lines to be taken for
	// the same ones: a name, a comma or an "== nil" may be written anew.
	leastShared = 3

	// maxShared bounds the work of comparing the lines of a hunk, in pairs of tokens. Of a larger one all is new.
	maxShared = 1 << 18
)

// word is a token of some source.
type word struct {
	text string
	Span
}

// words are the tokens of d in src, in which it begins at an offset; comments and the space between tokens are none.
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
		case tok == token.SEMICOLON: // that of a line end stands for nothing else
			w.text, w.End = ";", at+1
		case tok == token.INT:
			w.text = number(lit)
		case lit == "":
			w.text, w.End = tok.String(), at+len(tok.String())
		}
		list = append(list, w)
	}
}

// wordsIn are the words that are in a range, at least with a part: those from the first index to before the other one.
func wordsIn(list []word, s Span) (first, end int) {
	first, _ = slices.BinarySearchFunc(list, s.Start, func(w word, at int) int { return w.End - at - 1 })
	end, _ = slices.BinarySearchFunc(list, s.End, func(w word, at int) int { return w.Start - at })
	return first, max(first, end)
}

// comparison compares the tokens of what d was with those of what it is.
type comparison struct {
	old, now           []word
	oldLines, nowLines []int // where lines begin, and at last where they end
	offset             int   // of the first of the new lines in its file
}

// compareWords compares d with lines that it was.
func (d *decl) compareWords(old, now [][]byte) *comparison {
	column := func(d *decl) int { return d.file.fset.PositionFor(d.node.Pos(), false).Column - 1 }
	return &comparison{
		old: words(bytes.Join(old, nil), column(d.from)), now: words(bytes.Join(now, nil), column(d)),
		oldLines: begins(old), nowLines: begins(now),
		offset: len(bytes.Join(splitLines(d.file.src)[:d.first-1], nil)),
	}
}

// begins are the offsets at which lines begin when they are joined, and the length of all of them.
func begins(lines [][]byte) []int {
	at := []int{0}
	for _, line := range lines {
		at = append(at, at[len(at)-1]+len(line))
	}
	return at
}

// fresh returns what of the new lines of an edit is new, in bytes of the file and in order: what they have and the
// old ones had not, and the places where something was taken away. A line of which most is new is so as a whole.
func (c *comparison) fresh(e lineEdit) (spans []Span) {
	oldFirst, oldEnd := wordsIn(c.old, Span{c.oldLines[e.oldFirst], c.oldLines[e.oldEnd]})
	first, end := wordsIn(c.now, Span{c.nowLines[e.first], c.nowLines[e.end]})
	if first == end {
		return []Span{{c.offset + c.nowLines[e.first], c.offset + c.nowLines[e.end]}}
	}
	// The tokens around the lines are the same, so that what the lines begin and end with need not be long.
	before, after := min(leastShared-1, oldFirst, first), min(leastShared-1, len(c.old)-oldEnd, len(c.now)-end)
	old, now := c.old[oldFirst:oldEnd], c.now[first:end]
	from := sharedWords(c.old[oldFirst-before:oldEnd+after], c.now[first-before:end+after])[before : before+len(now)]
	for i := range from {
		if from[i] -= before; from[i] >= len(old) {
			from[i] = -1
		}
	}
	for i := e.first; i < e.end; i++ {
		forgetFew(now, from, Span{c.nowLines[i], c.nowLines[i+1]})
	}
	for i, w := range now {
		switch last := len(spans) - 1; {
		case from[i] >= 0:
		case i > 0 && from[i-1] < 0:
			spans[last].End = c.offset + w.End
		default:
			spans = append(spans, Span{c.offset + w.Start, c.offset + w.End})
		}
	}
	spans = append(spans, gaps(old, now, from, c.offset)...)
	slices.SortFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	return spans
}

// gaps are the places where old tokens were that are gone, between new ones that were there before, or at either end.
func gaps(old, now []word, from []int, offset int) (places []Span) {
	before, next := word{Span: Span{now[0].Start, now[0].Start}}, 0 // the token before, and the old one that follows it
	end := now[len(now)-1].End
	for i, w := range append(slices.Clip(now), word{Span: Span{end, end}}) {
		was := len(old)
		if i < len(now) {
			was = from[i]
		}
		if next >= 0 && next < was {
			places = append(places, gap(before, w, old[next:was], offset))
		}
		if before, next = w, was+1; was < 0 {
			next = -1
		}
	}
	return places
}

// gap is the place between two tokens where others were. What ends or begins there was part of something larger, as
// the operand of an operator, unless a comma or semicolon stood between.
func gap(before, after word, gone []word, offset int) Span {
	place := Span{offset + before.End, offset + before.End}
	if text := gone[0].text; text != "," && text != ";" {
		place.Start--
	}
	if text := gone[len(gone)-1].text; text != "," && text != ";" {
		place.End = offset + after.Start + 1
	}
	return place
}

// forgetFew forgets which old tokens those of a line were that begins and ends somewhere, if they are less than half of it.
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

// sharedWords returns for each of some new tokens the index of the old one that it was, or -1: those of the longest sequence
// that both have, then of those before it, and behind it (Ratcliff, Metzener: Pattern Matching: The Gestalt
// Approach, Dr. Dobb's Journal 1988). Unlike a longest common subsequence that keeps together what is together.
func sharedWords(old, now []word) []int {
	from := slices.Repeat([]int{-1}, len(now))
	if len(old)*len(now) <= maxShared {
		shareLongest(old, now, from, 0)
	}
	return from
}

// shareLongest notes the longest sequence that old and new tokens share, and those before and behind it, in from. The old ones
// begin with the one of an index.
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

// longestShared returns where the first of the longest sequences begins that both have, and its length.
func longestShared(old, now []word) (oldFirst, first, length int) {
	ending := make([]int, len(now)+1) // the length of the one that ends with the old token and the one before a new one
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
