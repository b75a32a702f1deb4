package diffscope

import (
	"bytes"
	"slices"
	"strings"
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
	text := tokens(bytes.Join(now, nil), nil)
	compared := d.compareWords(old, now)
	for _, e := range joined(diffCode(old, now), now) {
		undone := slices.Concat(now[:e.first], old[e.oldFirst:e.oldEnd], now[e.end:])
		if tokens(bytes.Join(undone, nil), nil) == text {
			continue
		}
		hunks = append(hunks, Hunk{
			File: d.file.name, First: d.first + e.first, Count: e.end - e.first,
			Old: string(bytes.Join(old[e.oldFirst:e.oldEnd], nil)),
		})
		fresh = append(fresh, compared.fresh(e)...)
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

// lineEdit says that lines [oldFirst, oldEnd) of one text became lines
// [first, end) of another.
type lineEdit struct{ oldFirst, oldEnd, first, end int }

// joined merges neighbouring edits if now has no words between them.
func joined(edits []lineEdit, now [][]byte) []lineEdit {
	var out []lineEdit
	for _, e := range edits {
		if last := len(out) - 1; last >= 0 && !bytes.ContainsFunc(bytes.Join(now[out[last].end:e.first], nil), isWord) {
			out[last].oldEnd, out[last].end = e.oldEnd, e.end
		} else {
			out = append(out, e)
		}
	}
	return out
}

// isWord reports whether r is not a bracket, separator or space.
func isWord(r rune) bool { return !strings.ContainsRune("{}()[],; \t\r\n", r) }

// diffCode is diffLines for code: lines that differ only in blanks, as after realignment by gofmt, are equal. Of two
// lines that may have stayed, such as "if err != nil {", it takes the one with the same indentation. Blanks count in
// literals that span lines. If the edits miss such a difference, diffCode compares the lines exactly.
func diffCode(old, now [][]byte) []lineEdit {
	edits := align(squeezed(old), squeezed(now), func(i, j int) bool { return equalLines(old[i], now[j]) })
	var undone [][]byte
	from := 0
	for _, e := range edits {
		undone = slices.Concat(undone, now[from:e.first], old[e.oldFirst:e.oldEnd])
		from = e.end
	}
	undone = append(undone, now[from:]...)
	if tokens(bytes.Join(undone, nil), nil) != tokens(bytes.Join(old, nil), nil) {
		return diffLines(old, now)
	}
	return edits
}

// squeezed returns the lines with each run of blanks as one space, and without blanks at the ends.
func squeezed(lines [][]byte) (short [][]byte) {
	for _, line := range lines {
		short = append(short, bytes.Join(bytes.Fields(line), []byte(" ")))
	}
	return short
}

// maxTable bounds the table for aligning lines, in cells. A larger difference, such as a function rewritten from end
// to end, is one edit.
const maxTable = 4 << 20

// diffLines returns the edits that turn old into now, in order, with common lines between them. They cover the lines
// outside a longest common subsequence, found by dynamic programming (Wagner, Fischer: The String-to-String
// Correction Problem, JACM 1974). Line endings do not count.
func diffLines(old, now [][]byte) []lineEdit {
	return align(old, now, func(int, int) bool { return true })
}

// equalLines reports whether two lines are equal but for their endings.
func equalLines(a, b []byte) bool {
	return bytes.Equal(bytes.TrimRight(a, "\r\n"), bytes.TrimRight(b, "\r\n"))
}

// align is diffLines. Of several longest common subsequences it takes one with the most lines that better prefers.
func align(old, now [][]byte, better func(i, j int) bool) []lineEdit {
	same := func(i, j int) bool { return equalLines(old[i], now[j]) }
	start, oldEnd, end := 0, len(old), len(now)
	for start < min(oldEnd, end) && same(start, start) {
		start++
	}
	for oldEnd > start && end > start && same(oldEnd-1, end-1) {
		oldEnd, end = oldEnd-1, end-1
	}
	if start == oldEnd && start == end {
		return nil
	}
	rows, columns := oldEnd-start, end-start
	if rows*columns > maxTable {
		return []lineEdit{{start, oldEnd, start, end}}
	}
	worth := func(i, j int) int32 {
		switch i, j = start+i, start+j; {
		case !same(i, j):
			return 0
		case better(i, j):
			return int32(rows + columns + 1)
		}
		return int32(rows + columns)
	}
	common := commonWorth(rows, columns, worth)
	var edits []lineEdit
	open := false // the last edit continues
	for i, j := 0, 0; i < rows || j < columns; {
		if i < rows && j < columns && same(start+i, start+j) && common[i][j] == common[i+1][j+1]+worth(i, j) {
			i, j, open = i+1, j+1, false
			continue
		}
		if !open {
			edits = append(edits, lineEdit{start + i, start + i, start + j, start + j})
			open = true
		}
		e := &edits[len(edits)-1]
		if j == columns || i < rows && common[i+1][j] >= common[i][j+1] {
			i++
			e.oldEnd++
		} else {
			j++
			e.end++
		}
	}
	return edits
}

// commonWorth returns, for every i and j, the most that a common subsequence of the rows from i on and the columns from j
// on can be worth, given what each pair is: 0 if it is not equal.
func commonWorth(rows, columns int, worth func(i, j int) int32) [][]int32 {
	table := make([][]int32, rows+1)
	for i := range table {
		table[i] = make([]int32, columns+1)
	}
	for i := rows - 1; i >= 0; i-- {
		for j := columns - 1; j >= 0; j-- {
			table[i][j] = max(table[i+1][j], table[i][j+1])
			if w := worth(i, j); w > 0 {
				table[i][j] = max(table[i][j], table[i+1][j+1]+w)
			}
		}
	}
	return table
}
