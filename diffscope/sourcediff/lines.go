package sourcediff

import (
	"bytes"
	"slices"
)

// Edit says that lines [OldFirst, OldEnd) of one text became lines [First, End) of another, counted from 0. Either range
// may be empty.
type Edit struct{ OldFirst, OldEnd, First, End int }

// maxTable bounds the table for aligning lines, in cells. A larger difference, such as a function rewritten from end
// to end, is one edit.
const maxTable = 4 << 20

// Lines returns the edits that turn old into now, in order, with common lines between them. They cover the lines
// outside a longest common subsequence, found by dynamic programming (Wagner, Fischer: The String-to-String
// Correction Problem, JACM 1974). Line endings do not count.
func Lines(old, now [][]byte) []Edit {
	return align(old, now, func(int, int) bool { return true })
}

// Code is Lines for code: lines that differ only in blanks, as after realignment by gofmt, are equal. Of two
// lines that may have stayed, such as "if err != nil {", it takes the one with the same indentation. Blanks count in
// literals that span lines. If the edits miss such a difference, Code compares the lines exactly.
func Code(old, now [][]byte) []Edit {
	edits := align(squeezed(old), squeezed(now), func(i, j int) bool { return equalLines(old[i], now[j]) })
	var undone [][]byte
	from := 0
	for _, e := range edits {
		undone = slices.Concat(undone, now[from:e.First], old[e.OldFirst:e.OldEnd])
		from = e.End
	}
	undone = append(undone, now[from:]...)
	if Tokens(bytes.Join(undone, nil), nil) != Tokens(bytes.Join(old, nil), nil) {
		return Lines(old, now)
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

// equalLines reports whether two lines are equal but for their endings.
func equalLines(a, b []byte) bool {
	return bytes.Equal(bytes.TrimRight(a, "\r\n"), bytes.TrimRight(b, "\r\n"))
}

// align is Lines. Of several longest common subsequences it takes one with the most lines that better prefers.
func align(old, now [][]byte, better func(i, j int) bool) []Edit {
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
		return []Edit{{start, oldEnd, start, end}}
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
	var edits []Edit
	open := false // the last edit continues
	for i, j := 0, 0; i < rows || j < columns; {
		if i < rows && j < columns && same(start+i, start+j) && common[i][j] == common[i+1][j+1]+worth(i, j) {
			i, j, open = i+1, j+1, false
			continue
		}
		if !open {
			edits = append(edits, Edit{start + i, start + i, start + j, start + j})
			open = true
		}
		e := &edits[len(edits)-1]
		if j == columns || i < rows && common[i+1][j] >= common[i][j+1] {
			i++
			e.OldEnd++
		} else {
			j++
			e.End++
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
