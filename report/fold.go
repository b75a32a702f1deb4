package report

import (
	"go/token"
	"slices"
	"strings"
)

// diffLine is a line of a diff.
type diffLine struct {
	sign byte // '-', '+' or, on both sides, ' '
	text string
	rank int // how much it says; see ranks
}

// Ranks of changed lines, by what there is on the other side.
const (
	rankLayout  = iota // the same tokens, or none but brackets
	rankRenamed        // the same tokens but for identifiers
	rankOther          // nothing like it
)

// lines returns the change as lines of a diff, each with its sign, at most limit. Long lines are
// shortened. Of a change of more lines those are left out that the other side has in another layout,
// and then, if they are still too many, those that say least; a line at the end counts them.
func (c change) lines(limit int) []string {
	all := diffOf(c.before, c.after, func(line string) string { return line })
	for _, whole := range [][]diffLine{withGaps(asBlocks(all)), withGaps(all)} {
		if len(whole) <= limit {
			return texts(whole)
		}
	}
	if changed(all) > limit {
		loose := slices.DeleteFunc(diffOf(c.before, c.after, tokens), func(l diffLine) bool { return tokens(l.text) == "" })
		if changed(loose) > 0 {
			all = loose
		}
	}
	all = slices.DeleteFunc(all, func(l diffLine) bool { return l.sign == ' ' })
	more := 0
	if len(all) > limit {
		rankLines(all)
		kept := telling(all, limit-1)
		more, all = len(all)-len(kept), asBlocks(kept)
	}
	if more > 0 {
		all = append(all, diffLine{sign: ' ', text: "… " + plural(more, "more line", "more lines")})
	}
	return texts(all)
}

// texts are lines of a diff as they are shown.
func texts(all []diffLine) (lines []string) {
	for _, l := range all {
		lines = append(lines, string(l.sign)+shorten(l.text, maxLineLength))
	}
	return lines
}

// withGaps are the changed lines, and between these each single line that is on both sides; "…" for
// more than one.
func withGaps(all []diffLine) (shown []diffLine) {
	var gap []diffLine
	for _, l := range all {
		if l.sign == ' ' {
			gap = append(gap, l)
			continue
		}
		if len(gap) > 1 {
			gap = []diffLine{{sign: ' ', text: "…"}}
		}
		if len(shown) > 0 {
			shown = append(shown, gap...)
		}
		shown, gap = append(shown, l), nil
	}
	return shown
}

// asBlocks shows what was rewritten as the old lines and then the new ones, where nothing but lines that are in most code,
// such as brackets, is the same in between: a reader cannot read two versions at once.
func asBlocks(all []diffLine) (shown []diffLine) {
	for len(all) > 0 {
		n := rewritten(all)
		if n == 0 {
			shown, all = append(shown, all[0]), all[1:]
			continue
		}
		for _, sign := range []byte("-+") {
			for _, l := range all[:n] {
				if l.sign == sign || l.sign == ' ' {
					shown = append(shown, diffLine{sign: sign, text: l.text, rank: l.rank})
				}
			}
		}
		all = all[n:]
	}
	return shown
}

// rewritten is the number of lines that all begins with and that are to be shown as one block: changed ones, old ones after
// new ones among them, with no line that tells anything in between; 0: it does not begin with such.
func rewritten(all []diffLine) (n int) {
	last := byte('-')
	for i, l := range all {
		switch {
		case l.sign == ' ' && (i == 0 || !isCommon(l.text)):
			return n
		case l.sign == ' ':
			continue
		case last == '+' && l.sign == '-':
			n = i + 1
		case n > 0 && n == i: // the block goes on
			n = i + 1
		}
		last = l.sign
	}
	return n
}

// isCommon reports whether a line is one that most code has: that a change leaves it says nothing.
func isCommon(line string) bool {
	switch strings.Trim(tokens(line), "(){}[];, ") {
	case "", "return", "return nil", "else", "break", "continue", "default :":
		return true
	}
	return false
}

// size is the number of lines that it takes to show a change.
func (c change) size() int {
	return changed(diffOf(c.before, c.after, func(line string) string { return line }))
}

// changed counts the lines that are on one side only.
func changed(all []diffLine) (n int) {
	for _, l := range all {
		if l.sign != ' ' {
			n++
		}
	}
	return n
}

// maxCompared bounds the work of a comparison, in pairs of lines. Beyond it, no line is the same.
const maxCompared = 1 << 16

// diffOf compares two lists of lines, which are the same if key says so, by their longest common
// subsequence. Of a place where lines were replaced the old ones come first.
func diffOf(before, after []string, key func(string) string) (all []diffLine) {
	keys := func(lines []string) (list []string) {
		for _, line := range lines {
			list = append(list, key(line))
		}
		return list
	}
	x, y := keys(before), keys(after)
	common := commonLengths(x, y)
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && common != nil && x[i] == y[j]:
			all = append(all, diffLine{sign: ' ', text: before[i]})
			i, j = i+1, j+1
		case i < len(x) && (j == len(y) || common == nil || common[i+1][j] >= common[i][j+1]):
			all = append(all, diffLine{sign: '-', text: before[i]})
			i++
		default:
			all = append(all, diffLine{sign: '+', text: after[j]})
			j++
		}
	}
	return all
}

// commonLengths are the lengths of the longest common subsequences of what x has from i on and y
// from j on; nil: that would be too much work.
func commonLengths(x, y []string) [][]int {
	if (len(x)+1)*(len(y)+1) > maxCompared {
		return nil
	}
	lengths := make([][]int, len(x)+1)
	for i := range lengths {
		lengths[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				lengths[i][j] = lengths[i+1][j+1] + 1
			} else {
				lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1])
			}
		}
	}
	return lengths
}

// rankLines ranks changed lines.
func rankLines(all []diffLine) {
	sources, shapes := map[byte]map[string]bool{'-': {}, '+': {}}, map[byte]map[string]bool{'-': {}, '+': {}}
	for _, l := range all {
		sources[l.sign][tokens(l.text)], shapes[l.sign][lineShape(l.text)] = true, true
	}
	other := map[byte]byte{'-': '+', '+': '-'}
	for i, l := range all {
		switch text := tokens(l.text); {
		case strings.Trim(text, "(){}[];, ") == "" || sources[other[l.sign]][text]:
			all[i].rank = rankLayout
		case shapes[other[l.sign]][lineShape(l.text)]:
			all[i].rank = rankRenamed
		default:
			all[i].rank = rankOther
		}
	}
}

// telling are the n lines that say most, in order: of those that say as much the first, and as many
// of either side as there are.
func telling(all []diffLine, n int) []diffLine {
	var chosen []int
	for rank := rankOther; rank >= rankLayout; rank-- {
		sides := map[byte][]int{}
		for i, l := range all {
			if l.rank == rank {
				sides[l.sign] = append(sides[l.sign], i)
			}
		}
		old, now := sides['-'], sides['+']
		room := n - len(chosen)
		fromOld := min(len(old), max(room/2, room-len(now)))
		chosen = append(chosen, old[:fromOld]...)
		chosen = append(chosen, now[:min(len(now), room-fromOld)]...)
	}
	slices.Sort(chosen)
	var kept []diffLine
	for _, i := range chosen {
		kept = append(kept, all[i])
	}
	return kept
}

// lineShape are its tokens without the names of identifiers.
func lineShape(line string) string {
	var all []string
	for tok, lit := range scanned(line) {
		if tok.IsLiteral() && tok != token.IDENT {
			all = append(all, lit)
		} else {
			all = append(all, tok.String())
		}
	}
	return strings.Join(all, " ")
}
